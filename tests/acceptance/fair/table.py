"""A table of the fair: an evening with real eyes that is told to a hall.

Usage: table.py FOLDER SEED HOURS. FOLDER/name is the table's name. Two people have phones for
buttons, one hears and does not see. A third of the way through the power is cut, and half way the
program is ended and begun again, as an upgrade does. When all is played it makes FOLDER/played and
goes on telling until its standard input ends; then it writes FOLDER/figures.json.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import httpx

from device.app import attach
from device.feed.feed import Feed
from device.ports import Button, Press
from device.runtime.table import TELL_S
from device.storage.copies.table_name import table_name
from engine import Phase
from tests.acceptance.evening.evening import Evening
from tests.acceptance.evening.machine import Machine
from tests.acceptance.evening.meters import failings
from tests.acceptance.hall.storm import Child
from tests.support.booth_rig import Panel
from tests.support.mosquitto import free_port

PHONES, BLIND = (1, 2), 3
"""Who has a phone, and who only hears."""

POWER_CUT, UPGRADE = 1 / 3, 1 / 2
"""When, in parts of the evening."""

ANSWERED_S = 20.0

RULED = ("rules", "stale")
"""Why a press is refused that would be refused of a button, too."""


class FairMachine(Machine):
    """A machine with a feed, a web service, two phones, and a key that tells how it stands.

    Attributes:
        refused: presses of phones that were refused, by why.
        questions: the text of each question, and when it was asked.
    """

    def __init__(self, *args, **sizes):
        self.refused, self.questions = Counter(), []
        self.telling = Panel()
        super().__init__(*args, **sizes)
        port, config = free_port(), self.folder / "web.toml"
        config.write_text(
            f"[web]\nenabled = true\nhost = '127.0.0.1'\nport = {port}\n"
            f"url = 'http://127.0.0.1:{port}'\nsocket = '{self.folder / 'feed.sock'}'\n"
        )
        words = ("-m", "device.cli", "--config", config, "web")
        self.pages = Child(*words, log=self.folder / "web.log").start()
        self.web = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=ANSWERED_S)

    def close(self):
        self.web.close()
        self.pages.kill()
        super().close()

    def begin(self):
        super().begin()
        attach(self.feed, self.booth)
        self.booth.panels.append(self.telling)

    def services(self):
        socket, journal = self.folder / "feed.sock", self.folder / "journal.sqlite3"
        self.feed = Feed(socket, journal, table_name(self.folder), self.clock)
        assert self.feed.ready.wait(10)
        return replace(super().services(), feed=self.feed)

    def end(self):
        self.feed.close()
        super().end()

    def begin_anew(self, *, cleanly):
        """End the program, in peace or in the middle of whatever it does, and start it again."""
        seen = self.eyes.readings
        if cleanly:
            self.booth.shut()
        self.end()
        self.begin()
        self.eyes.readings = seen
        self.step()

    def press(self, button, seat=None):
        at_table = self.scene is None and self.session is not None
        has_phone = seat in PHONES and at_table and seat in self.feed.phones.secrets
        if has_phone and button in (Button.HAVE, Button.STICK):
            self.pressed[button] += 1
            self._by_phone(button, seat)
        else:
            super().press(button, seat)

    def _by_phone(self, button, seat):
        """Press a button of a phone; the table goes on until it has answered."""
        secret = self.feed.phones.secrets[seat]
        headers = {"boneace-secret": secret, "boneace-phone": f"phone-{seat}"}
        said, answers = {"seat": seat, "button": button.value}, []

        def post():
            with contextlib.suppress(httpx.HTTPError):
                answers.append(self.web.post("/api/press", json=said, headers=headers).json())

        posting = threading.Thread(target=post)
        posting.start()
        while posting.is_alive():
            self.step(0.02)
            time.sleep(0.002)
        posting.join()
        self.pressed["by phone"] += 1
        answer = answers[0] if answers else {"ok": False, "problem": "no answer"}
        if not answer["ok"]:
            self.refused[answer["problem"]] += 1
            if answer["problem"] not in RULED:
                super().press(button, seat)  # whose phone does not work uses the button

    def told(self, seat):
        """Return what *seat* hears who asks how it stands."""
        heard = self.booth._presentation._speaker.heard
        heard.clear()
        self.telling.waiting.append(Press(Button.TELL, self.clock.monotonic(), seat))
        self.step(0.02)
        # The answer comes first; a hint that is ready just then is said after it.
        return next((words for kind, words in heard if kind == "say"), "")

    def _count_questions(self):
        before = self._asked
        super()._count_questions()
        if self._asked is not None and not self._asked.is_same(before):
            self.questions.append((round(self.now), str(self._asked.text)))


class FairEvening(Evening):
    """An evening with a power cut and an upgrade in it, and somebody who only hears.

    Attributes:
        heard: how often the blind player asked and was told rightly.
        misheard: what was told wrongly.
    """

    MACHINE = FairMachine

    def __init__(self, *args, seconds, **sizes):
        super().__init__(*args, **sizes)
        self.heard, self.misheard = 0, []
        self._asked_s = -TELL_S
        self._due = [(seconds * POWER_CUT, False), (seconds * UPGRADE, True)]

    def one_thing(self, *, blindly=False):
        if self._due and self.machine.now >= self._due[0][0] and not blindly:
            _, cleanly = self._due.pop(0)
            name = "the program is begun anew" if cleanly else "the power is cut"
            self.log(f"  mishap: {name}")
            self.mishaps.counts[name] += 1
            self.machine.begin_anew(cleanly=cleanly)
        super().one_thing(blindly=blindly)
        self._listen()

    def _listen(self):
        """Let the blind player ask how it stands, where all that was played is on the screen."""
        seen, machine = self.dealer.true.seen, self.machine
        me = next((each for each in seen.seats if each.seat == BLIND), None)
        if me is None or seen.phase is not Phase.PLAY or self._is_silent or machine.scene:
            return
        if machine.question is not None or self.dealer.difference():
            return
        if machine.now - self._asked_s < TELL_S:  # the next fact would be heard, not the first
            return
        self._asked_s = machine.now
        said = machine.told(BLIND)
        wanted = [str(me.total)] if me.total else []
        if seen.turn is not None:
            wanted.append(next(each.name for each in seen.seats if each.seat == seen.turn))
        missing = [each for each in wanted if each not in said]
        if missing:
            self.misheard.append(f"{machine.now:.0f}: {said!r} lacks {missing}")
        else:
            self.heard += 1


def main():
    folder, seed, hours = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with (folder / "evening.log").open("w", encoding="utf-8", buffering=1) as log:
        evening = FairEvening(
            folder, seed=seed, seconds=3600 * hours, tell=lambda text: print(text, file=log)
        )
        evening.dealer.keep = lambda name: evening.keep(folder / f"{name}.png")
        machine = evening.machine
        with contextlib.redirect_stdout(log), contextlib.closing(evening):
            evening.run(3600 * hours)
            (folder / "played").touch()
            sys.stdin.read()
        found = evening.meters.told(evening) | {
            "by phone": machine.pressed["by phone"], "refused": machine.refused,
            "heard": evening.heard, "misheard": evening.misheard, "questions": machine.questions,
        }  # fmt: skip
        found["failings"] = failings(found, full=hours >= 3) + evening.misheard
        (folder / "figures.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
