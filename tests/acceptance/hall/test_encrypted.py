"""The encrypted way to a broker: a real Mosquitto with a certificate of our own."""

import asyncio
import gc
import shutil
import subprocess

import pytest

from device.hall.listener import Hall
from device.hall.publisher import Publisher
from device.hall.store import Store
from tests.support.fake_feed import FakeTable
from tests.support.hall_rig import SOON_S, config_for, running, until
from tests.support.mosquitto import Mosquitto, needs_mosquitto

pytestmark = [
    needs_mosquitto,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed"),
]


def signed(folder, name, address):
    """Make a certificate of its own for *address*, with its key; return both files."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"),
            *("-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-subj", f"/CN={name}", "-addext", f"subjectAltName=IP:{address}"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    key.chmod(0o644)  # Mosquitto reads it as a user of its own
    return certificate, key


@pytest.fixture
def encrypted(tmp_path):
    """Return a function that starts a broker whose certificate is for an address."""
    brokers = []

    def start(address):
        certificate, key = signed(tmp_path, "broker", address)
        broker = Mosquitto(tmp_path / "broker", f"certfile {certificate}", f"keyfile {key}")
        brokers.append(broker)
        return broker.start(), certificate

    tmp_path.chmod(0o755)
    yield start
    for broker in brokers:
        broker.kill()


def test_table_and_hall_meet_at_an_encrypted_broker(encrypted, tmp_path):
    broker, certificate = encrypted("127.0.0.1")

    async def play():
        table = await FakeTable("red-otter", tmp_path / "feed.sock").open()
        table.add(1, tokens=(3, -3))
        config = config_for(broker, tls=True, ca_file=str(certificate))
        with Store(tmp_path / "hall.sqlite3") as store:
            hall = Hall(config, store, SOON_S)
            async with running(Publisher(config, table.path, SOON_S).run(), hall.run()):
                await until(lambda: store.have() == {"red-otter": (1, 0)}, "the event")
        await table.close()

    asyncio.run(play())


# paho-mqtt leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed <ssl:ResourceWarning")
@pytest.mark.parametrize("reason", ["another signed it", "it is for another machine"])
def test_table_tells_nothing_to_a_broker_that_it_cannot_check(encrypted, tmp_path, caplog, reason):
    broker, certificate = encrypted("192.0.2.1" if "machine" in reason else "127.0.0.1")
    if "signed" in reason:
        certificate, _ = signed(tmp_path, "other", "127.0.0.1")

    async def play():
        table = await FakeTable("red-otter", tmp_path / "feed.sock").open()
        table.add(1, tokens=(3, -3))
        config = config_for(broker, tls=True, ca_file=str(certificate))
        async with running(Publisher(config, table.path, SOON_S).run()):
            await until(lambda: "not connected" in caplog.text, "that it is told")
        await table.close()

    asyncio.run(play())
    gc.collect()
    assert "certificate verify failed" in caplog.text
    assert "red-otter" not in broker.log()
