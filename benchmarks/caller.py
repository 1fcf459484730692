"""How soon the voice says what matters, and how much it talks, at a human pace.

python benchmarks/caller.py [--game NAME] [--language en] [--talk normal] [--pace 175] [--hands 20]
    [--seed 1] [--log]

Hands of the engine's own players, at the pace of people who deal real cards; every sentence is made
by espeak-ng, and lasts as long as its sound. Measured are the seconds from an event until the words
on it begin (who wins, the Bone, over, thirty-one, and other great moments), how many of them were
never said, and for what share of a hand somebody talks. --log prints what was said when.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from array import array
from typing import ClassVar

from device.narration.announcer import Announcer
from device.narration.calls import first_of_all
from device.narration.speech import SpeechSynthesizer, TableSpeaker
from device.ports import Talk
from display import prompt_for
from display.chimes import RATE, Chime
from display.i18n.translate import Translator
from engine import TABLE, Phase, Player, bots, new_table, view
from engine.core.events import NextHand
from engine.games import catalog
from engine.games.moments import moment_of

STEP_S = 0.1
"""Seconds of one step of the loop."""

ENOUGH_S = 20.0
"""So long a program may take on a busy machine."""

PACE_S = {
    "cut": 3.0, "deal": 1.5, "turn_up": 2.0, "have": 4.0, "stick": 4.0, "draw": 3.0, "discard": 4.0,
    "knock": 5.0, "roll": 6.0, "choose": 4.0, "stake": 2.0, "reveal": 3.0, "declare": 3.0,
    "next_hand": 15.0,
}  # fmt: skip
"""Seconds from one event to the next, by the kind of the next: quick people. Those of the evening
(docs/why/evening.md) take 7 seconds an event."""

PAUSE_S = 3.0
NAMES = ("Ann", "Bess", "Cecil")
STYLES = ("bold", "cautious", "bold")


class Ears:
    """Hears a voice on a clock that is turned by hand, in the place of the mixer.

    Attributes:
        now_s: of that clock.
        log: what was said: when it began, when it was over, and the words.
    """

    def __init__(self) -> None:
        self.now_s = 0.0
        self.log: list[tuple[float, float, str]] = []
        self.words: dict[int, str] = {}

    @property
    def is_speaking(self) -> bool:
        return bool(self.log) and self.log[-1][1] > self.now_s

    def speak(self, samples: array[int]) -> None:
        self._cut()
        text = self.words[id(samples)]
        self.log.append((self.now_s, self.now_s + len(samples) / RATE, text))

    def hush(self) -> None:
        self._cut()

    def _cut(self) -> None:
        if self.is_speaking:
            began, _ended, text = self.log[-1]
            self.log[-1] = (began, self.now_s, f"{text} [cut off]")

    def play(self, chime: Chime, *, ducked: bool = False) -> None:
        pass

    def close(self) -> None:
        pass


class Voice(SpeechSynthesizer):
    """Keeps each sentence that it has made, and its words."""

    made: ClassVar[dict[tuple[str, ...], array[int]]] = {}

    def __init__(self, ears: Ears, language: str, pace: int) -> None:
        super().__init__(language, words_per_minute=pace)
        self._ears = ears
        self._key = (language, str(pace))

    def _make(self, text: str) -> array[int] | None:
        key = (*self._key, text)
        if key not in self.made:
            samples = super()._make(text)
            if samples is None:
                return None
            self.made[key] = samples
        copy = array("h", self.made[key])
        self._ears.words[id(copy)] = text
        self._kept = [*getattr(self, "_kept", ()), copy][-200:]  # an id is of one thing at a time
        return copy


class Call:
    """What must be said at once, and when it was due."""

    def __init__(self, at_s: float, name: str, words: str) -> None:
        self.at_s, self.name, self.words = at_s, name, words

    def delay_s(self, log: list[tuple[float, float, str]]) -> float | None:
        """Return how long it took until the sentence with the words began."""
        found = (began for began, _end, text in log if self.words in text)
        return next((began - self.at_s for began in found if began >= self.at_s - 0.001), None)


def calls_of(event, before, after, language, now_s) -> list[Call]:
    """Return what *event* makes due."""
    moment = moment_of(event, before, after)
    due = []
    if moment is not None:
        words = Translator.of(language).render(moment.call)
        due.append(Call(now_s, moment.kind.value, words))
    if after.result is not None and before.result is None:
        due.append(Call(now_s, "result", first_of_all(before, after, moment, language)[0]))
    return due


def play(game: str, args: argparse.Namespace, seed: str) -> tuple[Ears, list[Call], float]:
    """Play a few hands; return what was heard, what was due, and for how long they were played."""
    ears = Ears()
    voice = Voice(ears, args.language, args.pace)
    speaker = TableSpeaker(ears, voice)
    announcer = Announcer(speaker, args.language, Talk(args.talk))
    state = new_table(
        game,
        [Player(seat, name) for seat, name in enumerate(NAMES)],
        dealer=None if catalog.find(game).cuts_for_deal else 2,
    )
    driver = bots.Driver(state, [bots.player(style, game) for style in STYLES], random.Random(seed))
    due, hands = [], 0
    while True:
        seen = view(driver.state, TABLE)
        if driver.state.phase is Phase.DONE:
            hands += 1
            if hands == args.hands or driver.state.round.standing.over:
                break
        before = seen
        event = driver.do(NextHand()) if driver.state.phase is Phase.DONE else driver.go_on()
        if isinstance(event, NextHand):
            driver.shuffle()
        # People look and think before they act; meanwhile the loop goes on.
        until = ears.now_s + PACE_S.get(event.kind, PAUSE_S)
        while ears.now_s < until:
            announcer.watch(prompt_for(before, args.language), before)
            voice.wait(ENOUGH_S)
            speaker.tick()
            ears.now_s += STEP_S
        after = view(driver.state, TABLE)
        due += calls_of(event, before, after, args.language, ears.now_s)
        announcer.listen(event, before, after)
        voice.wait(ENOUGH_S)
        speaker.tick()
    played_s = ears.now_s
    for _ in range(100):
        announcer.watch(prompt_for(seen, args.language), seen)
        voice.wait(ENOUGH_S)
        speaker.tick()
        ears.now_s += STEP_S
    speaker.close()
    return ears, due, played_s


def main() -> int:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game")
    parser.add_argument("--language", default="en")
    parser.add_argument("--talk", default="normal")
    parser.add_argument("--pace", type=int, default=175)
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--log", action="store_true")
    args = parser.parse_args()
    if shutil.which("espeak-ng") is None:
        parser.error("it is espeak-ng that speaks: apt install espeak-ng")
    print("| game | hands take s | due | never said | begin after s: median, worst | talk |")
    print("|---|---|---|---|---|---|")
    missed = 0
    for game in [args.game] if args.game else [each.name for each in catalog.all_games()]:
        ears, due, played_s = play(game, args, args.seed)
        if args.log:
            for began, ended, text in ears.log:
                print(f"{began:7.1f} {ended:7.1f}  {text}")
        delays = [call.delay_s(ears.log) for call in due]
        said = sorted(delay for delay in delays if delay is not None)
        never = len(delays) - len(said)
        missed += never
        talk_s = sum(min(end, played_s) - began for began, end, _ in ears.log if began < played_s)
        middle = said[len(said) // 2] if said else 0.0
        print(
            f"| {game} | {played_s:.0f} | {len(due)} | {never} | {middle:.1f}, "
            f"{said[-1] if said else 0.0:.1f} | {talk_s / played_s:.0%} |",
            flush=True,
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
