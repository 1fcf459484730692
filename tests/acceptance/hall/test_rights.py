"""The ACL file that is shipped, at a real Mosquitto: nobody speaks for anybody else."""

import asyncio
import contextlib
import shutil
import subprocess

import aiomqtt
import pytest

from device.hall.listener import Hall
from device.hall.messages import HALLS, LARGEST, ROOT
from device.hall.publisher import Publisher
from device.hall.store import Store
from tests.support.fake_feed import FakeTable
from tests.support.hall_rig import SOON_S, a_hall, config_for, running, until
from tests.support.mosquitto import Mosquitto, needs_mosquitto
from tests.support.paths import ROOT as TREE

pytestmark = needs_mosquitto

USERS = ("red-otter", "blue-owl", "hall", "onlooker")
MOSQUITTO = TREE / "systemd" / "mosquitto"


@pytest.fixture
def broker(tmp_path):
    """A broker with the config and the ACL file as they are shipped, and four users."""
    if (passwd := shutil.which("mosquitto_passwd")) is None:
        pytest.skip("mosquitto_passwd is not installed (Debian: mosquitto)")
    users = tmp_path / "users"
    users.touch()
    for name in USERS:
        subprocess.run([passwd, "-b", users, name, f"secret of {name}"], check=True)
    users.chmod(0o644)
    text = (MOSQUITTO / "boneace.conf").read_text()
    ours = {"password_file": users, "acl_file": MOSQUITTO / "acl"}
    lines = []
    for line in text.splitlines():
        word = line.partition(" ")[0]
        if word not in ("listener", "per_listener_settings", "allow_anonymous"):
            lines.append(f"{word} {ours[word]}" if word in ours else line)
    with Mosquitto(tmp_path / "broker", *lines, anonymous=False) as broker:
        yield broker


def user(broker, name):
    return aiomqtt.Client("127.0.0.1", broker.port, username=name, password=f"secret of {name}")


def test_the_broker_finds_nothing_old_in_its_config(broker):
    """Of one line of the ACL file it warns: there is no other for what every user may read."""
    told = [line.partition(": ")[2] for line in broker.log().splitlines()]
    told = [line for line in told if line.startswith(("Note", "Warning"))]
    assert [line for line in told if "root" not in line and "v1-halls/+/status" not in line] == []


def test_who_sends_more_than_a_table_does_is_disconnected(broker):
    async def send(size):
        async with user(broker, "red-otter") as me:
            await me.publish(f"{ROOT}/red-otter/event", bytes(size), 1)

    asyncio.run(send(LARGEST))
    with pytest.raises(aiomqtt.MqttError):
        asyncio.run(send(LARGEST + 2048))


def test_who_is_refused_is_told_whose_password_in_which_file_it_was(tmp_path, broker, caplog):
    password = tmp_path / "password"
    password.write_text("not the secret\n")

    async def play():
        who = config_for(broker, user="hall", password_file=str(password))
        with Store(tmp_path / "hall.sqlite3") as store:
            async with running(Hall(who, store, SOON_S).run()):
                await until(lambda: "not connected" in caplog.text, "it is refused")

    asyncio.run(play())
    assert 'user = "hall"' in caplog.text
    assert f'password_file = "{password}"' in caplog.text
    assert "not the secret" not in caplog.text


TABLE = {f"{ROOT}/red-otter/{what}" for what in ("status", "state", "event")}
HALL = {f"{ROOT}/red-otter/have/hall", f"{ROOT}/blue-owl/have/hall", f"{HALLS}/hall/status"}
OTHERS = {
    *(f"{ROOT}/{name}/{what}" for name in USERS[1:] for what in ("status", "state", "event")),
    *(f"{ROOT}/red-otter/have/{name}" for name in ("red-otter", "west", "onlooker")),
    *(f"{HALLS}/{name}/status" for name in ("red-otter", "west", "onlooker")),
    "homeassistant/sensor/lamp/config",
    "$SYS/broker/version",
}


async def heard_of(broker, writer, topics):
    """Return which of *topics* a user can write: heard by one who may hear everything."""
    heard = set()
    async with user(broker, writer) as client:
        for topic in topics:
            await client.publish(topic, b"x", qos=1, retain=True)
    for name in USERS:
        async with user(broker, name) as ear:
            await ear.subscribe([(f"{ROOT}/#", 0), (f"{HALLS}/#", 0), (f"{ROOT}/+/have/+", 0)])
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    async for message in ear.messages:
                        heard.add(message.topic.value)
    return heard


@pytest.mark.parametrize(
    ("writer", "may"), [("red-otter", TABLE), ("hall", HALL), ("onlooker", set())]
)
def test_each_writes_only_what_is_its_own(broker, writer, may):
    assert asyncio.run(heard_of(broker, writer, TABLE | HALL | OTHERS)) == may


@pytest.mark.parametrize("password", [None, "wrong"])
def test_who_has_no_password_is_not_let_in(broker, password):
    async def come():
        name = None if password is None else "hall"
        client = aiomqtt.Client("127.0.0.1", broker.port, username=name, password=password)
        with pytest.raises(aiomqtt.MqttError):
            async with client:
                pass

    asyncio.run(come())


def test_table_and_hall_get_on_with_these_rights(broker, tmp_path, monkeypatch):
    secrets = {}
    for name in ("red-otter", "hall"):
        secrets[name] = tmp_path / f"{name}.password"
        secrets[name].write_text(f"secret of {name}\n")

    async def play():
        table = await FakeTable("red-otter", tmp_path / "feed.sock").open()
        table.add(1, tokens=(3, -3))
        of_table = config_for(broker, user="red-otter", password_file=str(secrets["red-otter"]))
        with a_hall(broker, tmp_path) as (hall, store):
            hall._config = config_for(broker, user="hall", password_file=str(secrets["hall"]))
            async with running(Publisher(of_table, table.path, SOON_S).run(), hall.run()):
                await until(lambda: store.have() == {"red-otter": (1, 0)}, "the event")
                await until(lambda: hall.tables["red-otter"].online, "online")
        await table.close()

    asyncio.run(play())
