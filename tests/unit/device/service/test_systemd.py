"""What the service manager hears, over real sockets."""

import logging
import os
import socket

import pytest

from device.service.systemd import Notifier, error_lines, formatter


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path):
    """A socket as systemd opens it, and its name as the environment gives it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        if request.param == "path":
            name = str(tmp_path / "notify")
            heard.bind(name)
        else:
            name = f"@boneace-test-{os.getpid()}"
            heard.bind("\0" + name[1:])
        heard.setblocking(False)
        yield heard, name


def test_what_is_sent_arrives_as_lines_of_one_datagram(manager):
    heard, name = manager
    notifier = Notifier({"NOTIFY_SOCKET": name})
    notifier.send(READY=1, STATUS="hand 3")
    assert heard.recv(4096) == b"READY=1\nSTATUS=hand 3"
    notifier.close()
    notifier.close()


def test_a_value_cannot_smuggle_a_line_of_its_own(manager):
    heard, name = manager
    notifier = Notifier({"NOTIFY_SOCKET": name})
    notifier.send(STATUS="hand 3\nMAINPID=1\r\nREADY=1")
    assert heard.recv(4096) == b"STATUS=hand 3 MAINPID=1 READY=1"
    notifier.close()


@pytest.mark.parametrize("named", ["", "vsock:2:1234", "relative"])
def test_without_a_socket_it_is_silent(named):
    notifier = Notifier({"NOTIFY_SOCKET": named, "WATCHDOG_USEC": "1000000"})
    assert notifier.watchdog_s is None
    notifier.send(READY=1)


def test_a_manager_that_has_gone_is_told_of_once_and_harms_nobody(tmp_path, caplog):
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")})
    notifier.send(WATCHDOG=1)
    notifier.send(WATCHDOG=1)
    notifier.close()
    (record,) = caplog.records
    assert "systemctl status boneace" in record.getMessage()


def test_a_manager_that_does_not_read_is_never_waited_for(manager, caplog):
    _, name = manager
    notifier = Notifier({"NOTIFY_SOCKET": name})
    for _ in range(5000):  # more than the socket holds: a blocking send would hang here
        notifier.send(STATUS="x" * 500)
    notifier.close()
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param({"WATCHDOG_USEC": "30000000"}, 30.0, id="for anybody"),
        pytest.param({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getpid())}, 0.5, id="us"),
        pytest.param({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": "1"}, None, id="for another"),
        pytest.param({"WATCHDOG_USEC": "soon"}, None, id="no number"),
        pytest.param({"WATCHDOG_USEC": "0"}, None, id="off"),
        pytest.param({}, None, id="none"),
    ],
)
def test_how_often_it_wants_to_hear(told, expected):
    assert Notifier({"NOTIFY_SOCKET": "/run/systemd/notify", **told}).watchdog_s == expected


def record_of(level, text):
    return logging.LogRecord("device", level, "x.py", 1, text, (), None)


def test_lines_for_the_journal_carry_their_level(tmp_path):
    with (tmp_path / "stream").open("w") as stream:
        about = os.fstat(stream.fileno())
        journal = {"JOURNAL_STREAM": f"{about.st_dev}:{about.st_ino}"}
        made = formatter(journal, stream.fileno())
        assert made.format(record_of(logging.WARNING, "no camera")) == "<4>no camera"
        assert made.format(record_of(logging.ERROR, "one\ntwo")) == "<3>one\n<3>two"
        assert error_lines("one\ntwo", journal, stream.fileno()) == "<3>one\n<3>two"
        assert error_lines("one\ntwo", {}, stream.fileno()) == "one\ntwo"
        # Inherited from a service, but written elsewhere: people read it.
        elsewhere = formatter({"JOURNAL_STREAM": "1:1"}, stream.fileno())
        assert elsewhere.format(record_of(logging.WARNING, "no camera")) == "no camera"
