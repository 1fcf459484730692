"""``boneace web``: off until it is turned on, clear where something is missing, and its codes."""

import json
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from urllib.request import urlopen

import cv2
import numpy as np
import pytest

from device.cli import main
from tests.support.paths import ROOT
from tests.support.played_table import PlayedTable


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Write settings into the only config there is."""
    monkeypatch.delenv("BONEACE_DEBUG", raising=False)
    file = tmp_path / "config.toml"

    def write(text="", journal=tmp_path / "journal.sqlite3"):
        file.write_text(f'[journal]\npath = "{journal}"\n[web]\n{text}', encoding="utf-8")
        return ["--config", str(file)]

    return write


def test_off_until_it_is_turned_on(config, capsys):
    assert main([*config(), "web"]) == 1
    assert "set enabled = true in [web]" in capsys.readouterr().err
    assert main([*config(), "web", "--is-on"]) == 1
    assert main([*config("enabled = true"), "web", "--is-on"]) == 0


@pytest.mark.parametrize("module", ["starlette", "uvicorn", "jinja2", "segno"])
def test_extra_that_is_not_installed_is_named(config, capsys, monkeypatch, module):
    for name in [each for each in sys.modules if each.split(".")[0] in (module, "device.web")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("device.web.app", "device.web.guard", "device.web.pages"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    assert main([*config("enabled = true"), "web"]) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "pip install 'boneace[web]'" in line


def test_port_that_is_taken_is_told(config, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = config(f'enabled = true\nhost = "127.0.0.1"\nport = {port}')
        assert main([*words, "web"]) == 1
    said = capsys.readouterr().err
    assert f"127.0.0.1:{port} cannot be used (Address already in use);" in said
    assert "set port in [web]" in said


def test_codes_of_the_seats_are_printed_and_drawn(config, capsys, tmp_path):
    seats = {"0": "abcdefghjk", "3": "mnpqrstuvw"}
    told = {"sitting": 1, "url": "http://oak.local:8031", "seats": seats}
    (tmp_path / "phones.json").write_text(json.dumps(told), encoding="utf-8")
    assert main([*config(), "web", "--qr"]) == 0
    printed = capsys.readouterr().out
    assert "Seat 4: http://oak.local:8031/seat/4#mnpqrstuvw" in printed
    picture = tmp_path / "seats.svg"
    assert main([*config(), "web", "--qr", str(picture)]) == 0
    root = ET.fromstring(picture.read_text(encoding="utf-8"))
    texts = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert texts == [
        *("1", "http://oak.local:8031/seat/1#abcdefghjk"),
        *("4", "http://oak.local:8031/seat/4#mnpqrstuvw"),
    ]


def test_code_in_the_terminal_is_read_by_a_camera(config, capsys, tmp_path):
    told = {"sitting": 1, "url": "http://oak.local:8031", "seats": {"0": "abcdefghjk"}}
    (tmp_path / "phones.json").write_text(json.dumps(told), encoding="utf-8")
    main([*config(), "web", "--qr"])
    rows = capsys.readouterr().out.splitlines()[1:]
    halves = {" ": (0, 0), "\u2580": (1, 0), "\u2584": (0, 1), "\u2588": (1, 1)}
    cells = []
    for row in rows:
        # segno marks some cells by colours of the terminal: its blocks are light.
        text = "".join(each for each in row if each in halves)
        cells += [[halves[each][0] for each in text], [halves[each][1] for each in text]]
    width = max(map(len, cells))
    image = np.array([row + [1] * (width - len(row)) for row in cells if row], np.uint8) * 255
    large = cv2.resize(image, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    read = [cv2.QRCodeDetector().detectAndDecode(each)[0] for each in (large, 255 - large)]
    assert "http://oak.local:8031/seat/1#abcdefghjk" in read


@pytest.mark.parametrize(
    "text", ["", "[]", "[" * 2000, '{"seats": 3}', '{"seats": {"x": "y"}, "url": ""}'], ids=range(5)
)
def test_codes_that_cannot_be_had_are_told(config, capsys, tmp_path, text):
    (tmp_path / "phones.json").write_text(text, encoding="utf-8")
    assert main([*config(), "web", "--qr"]) == 1
    assert "begin a new game" in capsys.readouterr().err


def test_without_a_game_there_are_no_codes(config, capsys):
    assert main([*config(), "web", "--qr"]) == 1
    assert "begin a game first" in capsys.readouterr().err


@pytest.mark.slow
def test_pages_are_served_by_the_command(config, tmp_path):
    with PlayedTable(tmp_path / "table") as table, socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
        one.close()
        words = config(
            f'enabled = true\nhost = "127.0.0.1"\nport = {port}', table.folder / "journal.sqlite3"
        )
        process = subprocess.Popen(
            [sys.executable, "-m", "device.cli", *words, "web"],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            until = time.monotonic() + 30
            while True:
                assert time.monotonic() < until
                try:
                    page = urlopen(f"http://127.0.0.1:{port}/?lang=en").read().decode()
                    if "Ann" in page:
                        break
                except OSError:
                    pass
                time.sleep(0.1)
        finally:
            process.terminate()
            assert "the pages are at" in process.communicate(timeout=10)[1]
        assert process.returncode in (0, 130, -15)
