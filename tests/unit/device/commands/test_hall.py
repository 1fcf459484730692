"""``boneace hall``: where its pages are, and what it says if they cannot be served."""

import ipaddress
import socket

import pytest

from device.cli import main
from device.commands.hall import addresses


@pytest.fixture
def config(tmp_path):
    def write(text=""):
        file = tmp_path / "config.toml"
        file.write_text(f"[hall]\nfile = '{tmp_path / 'hall.sqlite3'}'\n{text}", encoding="utf-8")
        return ["--config", str(file)]

    return write


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_address_for_all_can_be_typed_on_another_machine(host, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "oak")
    first, *more = addresses(host, 8032)
    assert first == "http://oak.local:8032/"
    for each in more:  # none without a network
        name = each.removeprefix("http://").removesuffix(":8032/")
        assert not ipaddress.ip_address(name).is_unspecified


def test_address_that_is_named_stays():
    assert addresses("127.0.0.1", 8032) == ["http://127.0.0.1:8032/"]
    assert addresses("::1", 80) == ["http://[::1]:80/"]
    assert addresses("oak.example", 80) == ["http://oak.example:80/"]


def test_port_that_is_taken_is_told(config, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([*config(f"broker = '127.0.0.1'\npage_port = {port}\n"), "hall"]) == 1
    said = capsys.readouterr().err
    assert f"127.0.0.1:{port} cannot be used (Address already in use);" in said
    assert "set page_port in [hall]" in said
    assert "Errno" not in said


@pytest.mark.parametrize("word", ["yesterday", "20261125", "2026-13-01", "2026-11-25\n"])
def test_word_that_is_no_date_is_refused(config, capsys, word, tmp_path):
    assert main([*config(), "hall", "--csv", "--evening", word]) == 2
    assert "is no date; try 2026-11-25" in capsys.readouterr().err
    assert not (tmp_path / "hall.sqlite3").exists()


def test_a_host_that_cannot_be_a_name_is_told(config, capsys):
    assert main([*config("broker = '127.0.0.1'\nhost = 'a..b'\n"), "hall"]) == 1
    assert "a..b:8032 cannot be used" in capsys.readouterr().err
