"""The camera and the box of the pages, on real lines: a hand seen over HTTP, pressed over a tty."""

from __future__ import annotations

import http.server
import os
import select
import subprocess
import sys
import threading
import tty

import cv2
import pytest

from device.simulator.table import SimulatedTable
from engine import Card
from tests.support.plugin_package import TIMEOUT_S, configure, environment, install
from vision.mat.layout import MatLayout

HANDS = {0: "TH 9C 7D", 1: "KS QD 9H"}
"""26 and 29."""


class Phone:
    """A phone that serves what it sees, as IP Webcam does."""

    def __init__(self) -> None:
        phone = self
        self.picture = b""
        self.asked = 0

        class Shot(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                phone.asked += 1
                self.send_response(200 if self.path == "/shot.jpg" else 404)
                self.end_headers()
                if self.path == "/shot.jpg":
                    self.wfile.write(phone.picture)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shot)
        self.spec = f"phone:http://127.0.0.1:{self._server.server_port}/shot.jpg"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def look_at(self, table: SimulatedTable) -> None:
        table.settle()
        self.picture = cv2.imencode(".jpg", table.frame(), [cv2.IMWRITE_JPEG_QUALITY, 95])[
            1
        ].tobytes()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Tinkered:
    """The far end of the serial line: what a microcontroller would do."""

    def __init__(self) -> None:
        self.line, self._other = os.openpty()
        tty.setraw(self._other)
        self.path = os.ttyname(self._other)
        self._half = b""

    def press(self, words: str) -> None:
        os.write(self.line, f"{words}\n".encode())

    def lamps(self, wanted: str) -> None:
        """Wait until the table says so."""
        told = []
        while wanted not in told:
            assert select.select([self.line], [], [], TIMEOUT_S)[0], f"{wanted} never came: {told}"
            *lines, self._half = (self._half + os.read(self.line, 100)).split(b"\n")
            told += [line.decode() for line in lines]

    def close(self) -> None:
        os.close(self.line)
        os.close(self._other)


@pytest.fixture
def phone():
    served = Phone()
    yield served
    served.close()


@pytest.fixture
def box():
    far = Tinkered()
    yield far
    far.close()


@pytest.fixture
def site(tmp_path):
    return install(tmp_path / "site", "my_table/phone.py", "my_table/serial_box.py")


def doctor(site, home, name):
    return subprocess.run(
        [sys.executable, "-m", "device.cli", "doctor", name, "--seconds", "0"],
        capture_output=True, text=True, env=environment(site, home), cwd=home, check=False,
        timeout=TIMEOUT_S,
    )  # fmt: skip


def test_the_doctor_looks_through_the_camera_and_opens_the_box(site, tmp_path, phone, box):
    table = SimulatedTable(MatLayout(2, "A2"), seed=3)
    phone.look_at(table)
    high, wide = table.frame().shape[:2]
    configure(
        tmp_path, f'[camera]\nspec = "{phone.spec}"\n[panel]\nbackend = "serial:{box.path}"\n'
    )
    camera = doctor(site, tmp_path, "camera")
    assert f"{phone.spec}: gives pictures of {wide}x{high}" in camera.stdout
    assert camera.returncode == 0
    buttons = doctor(site, tmp_path, "buttons")
    assert f"serial:{box.path}: can be opened" in buttons.stdout
    assert buttons.returncode == 0
    configure(
        tmp_path,
        f'[camera]\nspec = "{phone.spec}x"\n[panel]\nbackend = "serial:{tmp_path}/none"\n',
    )
    lost = doctor(site, tmp_path, "camera")
    assert lost.returncode == 1
    assert "404" in lost.stdout
    unplugged = doctor(site, tmp_path, "buttons")
    assert unplugged.returncode == 1
    assert "No such file" in unplugged.stdout
    assert "plug the box in" in unplugged.stdout


def test_a_hand_is_played_through_them_to_its_winner(site, tmp_path, phone, box):
    table = SimulatedTable(MatLayout(2, "A2"), seed=3)
    phone.look_at(table)
    configure(tmp_path, f'[panel]\nbackend = "serial:{box.path}"\n')
    words = ["play", "--headless", "--game", "one-and-thirty", "--players", "Ann,Bess"]
    words += ["--dealer", "1", "--camera", phone.spec]
    with subprocess.Popen(
        [sys.executable, "-m", "device.cli", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(site, tmp_path), cwd=tmp_path,
    ) as played:  # fmt: skip
        try:
            for number in range(3):
                for seat, codes in HANDS.items():
                    table.lay(seat, Card.parse(codes.split()[number]), face_up=False)
            phone.look_at(table)
            box.lamps("turn 0")
            box.press("stick 0")
            box.lamps("turn 1")
            box.press("stick")  # the dealer's console speaks for whoever's turn it is
            box.lamps("turn -")
            for seat in HANDS:
                table.turn_up(seat)
            phone.look_at(table)
            box.lamps("won 1")
            box.press("quit")
            story, talk = played.communicate(timeout=TIMEOUT_S)
        except BaseException:
            played.kill()
            print(played.communicate())
            raise
    assert played.returncode == 0, talk
    told = story.splitlines()
    assert (
        "Bess shows the nine of hearts, the queen of diamonds and the king of spades: 29." in told
    )
    assert "Bess wins with 29." in told
