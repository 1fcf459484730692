"""``boneace publish`` and ``boneace hall`` as processes: what they say when they are stopped."""

import asyncio
import csv
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from device.cli import main
from tests.acceptance.hall.demo import TABLES
from tests.acceptance.hall.storm import Child
from tests.support.fake_feed import FakeTable
from tests.support.hall_rig import Ear, running, until
from tests.support.mosquitto import Mosquitto, free_port, needs_mosquitto
from tests.support.paths import ROOT

STATUS = {
    "boneace hall": "boneace/v1-halls/east/status",
    "boneace publish": "boneace/v1/red-otter/status",
}


@needs_mosquitto
def test_both_say_goodbye_and_the_ranking_can_be_printed(tmp_path, capsys):
    config, page = tmp_path / "config.toml", free_port()

    async def play(broker):
        config.write_text(
            f"[web]\nsocket = '{tmp_path / 'feed.sock'}'\n[hall]\nbroker = '127.0.0.1'\n"
            f"port = {broker.port}\nname = 'east'\npage_port = {page}\n"
            f"file = '{tmp_path / 'hall.sqlite3'}'\n"
        )
        table = await FakeTable("red-otter", tmp_path / "feed.sock").open()
        table.add(1, tokens=(4, -4))
        ear = Ear(broker)
        words = ("-m", "device.cli", "--config", config)
        children = {
            name: Child(*words, name.split()[1], log=tmp_path / f"{name}.log").start()
            for name in STATUS
        }

        def said(name):
            return [body["online"] for body in ear.bodies(STATUS[name])]

        try:
            async with running(ear.listen()):
                for name in STATUS:
                    await until(lambda name=name: said(name)[-1:] == [True], f"{name} is there")
                has = [1, 0]
                await until(
                    lambda: has in [body["have"] for body in ear.bodies("/have/east")], "the event"
                )
                answer = await asyncio.to_thread(urlopen, f"http://127.0.0.1:{page}/?lang=nl")
                assert "Ranglijst" in answer.read().decode()
                for name, child in children.items():
                    child.process.send_signal(signal.SIGTERM)
                    await until(lambda child=child: child.is_dead, f"{name} has ended")
                    await until(lambda name=name: said(name) == [True, False], f"{name} says so")
                    log = child.log.read_text()
                    assert "Traceback" not in log, log
                    assert child.process.returncode in (0, 130), log
        finally:
            for child in children.values():
                child.kill()
            await table.close()

    with Mosquitto(tmp_path / "broker") as broker:
        asyncio.run(play(broker))
    assert main(["--config", str(config), "hall", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["rank"], row["name"], row["tokens"]) for row in rows] == [
        ("1", "Ann", "4"),
        ("2", "Bess", "-4"),
    ]
    assert main(["--config", str(config), "hall", "--csv", "--evening", "1999-12-31"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1, "nobody played then"
    assert main(["--config", str(config), "hall", "--evening", "2026-11-25"]) == 2


@pytest.mark.slow
@needs_mosquitto
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_make_hall_leaves_no_process_behind(number):
    words = ["-m", "tests.acceptance.hall.demo", "--no-browser", "--speed", "20"]
    with subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as demo:
        try:
            assert "Ctrl-C ends it" in next(line for line in demo.stdout if "http://" in line)
            children = Path(f"/proc/{demo.pid}/task/{demo.pid}/children").read_text().split()
        finally:
            demo.send_signal(number)
            demo.wait(60)
    assert demo.returncode in (0, 130)
    assert len(children) == 2 + 2 * len(TABLES)
    for pid in children:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
