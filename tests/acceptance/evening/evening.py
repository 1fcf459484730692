"""A whole evening in fast time: six people, every game, and everything that goes wrong.

python tests/acceptance/evening/evening.py [--hours 3] [--seed 1] [--out DIR] [--page]

The real program stands before the drawn table: its journal, its eyes with their worker, its window
off screen, its header on mock pins. Six people play all games in turn, dither, press wrong buttons,
knock the mat, drop cards, cover the camera, change the light, swap decks, come and go. What they
really play is kept apart (``true_game``); at the end the journal is opened again and every hand is
compared. Prints the figures and exits 1 where something is not as it must be; ``--page`` writes
docs/why/evening.md.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import math
import random
import sys
import tempfile
from pathlib import Path

import cv2

from device.app import processor_cache
from device.booth.scenes.games import GamesScene
from device.booth.scenes.seats import SeatsScene
from device.ports import Button
from device.runtime.annotate import annotate
from device.simulator.deck.faces import DECK_STYLES, draw_face
from device.simulator.people import Happening
from device.simulator.sprites import ART_PX
from device.storage.taught import bone_reader
from engine import Phase
from engine.core.cards import deck
from engine.core.events import Deal, Draw, Join, NextHand, Restart, Roll, Source
from engine.games import catalog
from tests.acceptance.evening.actual_game import TrueGame
from tests.acceptance.evening.dealer import Dealer, InterruptedGameError
from tests.acceptance.evening.hands_on_table import BoneHands, CardHands
from tests.acceptance.evening.machine import Machine
from tests.acceptance.evening.meters import Meters, failings, lines_of, memory_mb, write_page
from tests.acceptance.evening.mishaps import Mishaps
from tests.acceptance.evening.noisy_table import SEATS, ClumsyBones, ClumsyTable, Room
from tests.support.tempers import Tempers
from vision import TableReader
from vision.bones.on_table import BonesOnMat

SIZE = (1280, 960)
DECK_WEIGHTS = (2, 2, 1)
"""How often each is taken: the old one has no indices, and nobody has taught it."""

DYES = ("ivory", "red")

TURNS = (
    ("one-and-thirty", "willughby", 3),
    ("bone-ace", "willughby", 3),
    ("knucklebones", "west-kingdom", 4),
    ("scat", "stop-the-bus", 2),
    ("scat", "banking", 2),
    ("scat", "switch", 2),
    ("scat", "wikipedia", 3),
    ("one-and-thirty", "kerr", 3),
    ("bone-ace", "ealdormere", 3),
    ("scat", "three-of-a-kind", 2),
    ("knucklebones", "west-kingdom", 4),
    ("scat", "no-elimination", 2),
    ("bone-ace", "cotton", 3),
    ("scat", "california-quick", 2),
)
"""Game, preset, and how many hands are played before it is the next one's turn."""


def real_eyes(room):
    """Return what makes the watch of a game, as ``boneace play`` does."""

    def reader(game, packs):
        if game == "knucklebones":
            return BonesOnMat(bone_reader(""))
        return TableReader(packs=packs)

    return processor_cache(reader)


class Evening:
    """The room, the machine in it, and the people."""

    MACHINE = Machine

    def __init__(self, folder, *, seed=1, eyes=real_eyes, size=SIZE, screen=(1280, 720),
                 pace=1.0, every_s=35.0, tell=None):  # fmt: skip
        self.rng = random.Random(seed)
        self.seed, self.size, self.pace, self.every_s = seed, size, pace, every_s
        self.tell = tell
        self.style = DECK_STYLES[0]
        before = memory_mb()
        # All tables are drawn beforehand: what memory they take is none of the program's.
        self.tables = {("cards", look): ClumsyTable(look, seed, size) for look in DECK_STYLES}
        self.tables |= {("bones", look): ClumsyBones(look, seed, size) for look in DYES}
        self.room = Room(self.tables["cards", self.style], size, seed)
        for look in DECK_STYLES:
            for card in deck():
                draw_face(card, look, ART_PX)
        self.room_mb = memory_mb() - before
        self.machine = self.MACHINE(folder, self.room, eyes(self.room), size=screen)
        self.dealer = Dealer(self.machine, self.room, self.log)
        self.mishaps = Mishaps(self, self.rng, pace)
        self.tempers = Tempers(SEATS, random.Random(f"people {seed}"))
        self.meters = Meters(self.machine, folder)
        self.played = {}
        self.hands = self.events = 0
        self.games = set()
        self._next_mishap_s = every_s
        self._batch = 0
        self._is_silent = False
        self.deadline_s = math.inf

    def log(self, text):
        if self.tell is not None:
            self.tell(f"{self.machine.now:8.1f}  {text}")

    def close(self):
        self.machine.close()

    def keep(self, path):
        """Keep what the camera and the screen show: the dealer has trouble with it."""
        last = self.machine.looking.last
        if last is not None:
            cv2.imwrite(str(path), annotate(last.image, last.reading))
            cv2.imwrite(str(path.with_name(f"{path.stem}-frame.png")), self.room.frame())
        self.machine.window.save(path.with_name(f"{path.stem}-screen.png"))

    # The evening

    def run(self, seconds, turns=TURNS):
        """Play for so long, one game after the other."""
        self.deadline_s = self.machine.now + seconds
        self.meters.sample(self)
        for number in range(10_000):
            if self.machine.now >= self.deadline_s:
                break
            game, preset, hands = turns[number % len(turns)]
            self.sitting(game, preset, hands)
        self.meters.sample(self)

    def sitting(self, game, preset, hands):
        """Sit down to one game, and play some hands of it."""
        company = sorted(self.rng.sample(range(SEATS), self.rng.choice([4, 5, 6, 6])))
        if not self.start(game, preset, company):
            self.log(f"{game} {preset} did not begin")
            return
        left = [hands]
        while True:
            try:
                self._play(left)
                return
            except InterruptedGameError as ended:
                self.log(f"interrupted: {ended}")
                if not self._resume():
                    self.mishaps.counts["a game was ended by somebody"] += 1
                    self._keep()
                    return

    def _play(self, left):
        """Play the hands that are left, and end the evening of this game."""
        while True:
            self.hand()
            left[0] -= 1
            over = self.dealer.true.state.round.standing.over
            if over or left[0] <= 0 or self.machine.now >= self.deadline_s:
                break
            self.between_hands()
        self.end()

    def _resume(self):
        """Come back to a game that was left; say whether it goes on."""
        machine = self.machine
        if machine.session is None or machine.session.record.number != self.dealer.sitting:
            return False
        for _ in range(20):
            if isinstance(machine.scene, GamesScene):
                machine.choose(0)
                self.mishaps.counts["a game left and gone on with"] += 1
                return machine.scene is None
            machine.press(Button.HAVE if machine.booth.is_waiting else Button.MENU)
        return False

    def start(self, game, preset, company):
        """Wake the booth, choose the game and its rules, sit down, and deal."""
        machine = self.machine
        for _ in range(60):
            if isinstance(machine.scene, GamesScene):
                break
            if machine.scene is not None:
                machine.press(Button.MENU)
            elif machine.booth.is_waiting:
                machine.press(Button.HAVE)
            else:
                self.dealer.end_the_evening()
        offered = machine.scene.page().items[0].is_open
        machine.choose([each.name for each in catalog.all_games()].index(game) + offered)
        assert isinstance(machine.scene, SeatsScene)
        for seat in company:
            machine.press(Button.HAVE, seat)
        for seat in set(machine.booth.context.setup.seated) - set(company):
            machine.press(Button.STICK, seat)
        presets = [each.name for each in catalog.find(game).presets]
        if machine.booth.context.setup.preset != preset:
            keys = [str(key.text) for key, _then in machine.scene.choices()]
            machine.choose(keys.index("Rules"))
            machine.choose(presets.index(preset))
        agreed = machine.booth.context.setup
        assert (agreed.game.name, agreed.preset) == (game, preset)
        seated = dict(agreed.seated)  # who gives no name is a stranger
        assert sorted(seated) == company
        self._lay_out(game)
        self.dealer.wait(1.5, step=0.1)
        machine.press(Button.NEXT)
        if isinstance(machine.scene, SeatsScene):
            # The last table was read too late, or not at all: the mat is clear.
            self.log(f"asked to clear the mat: {machine.scene.page().note}")
            self.mishaps.counts["asked to clear a mat that is clear"] += 1
            machine.press(Button.NEXT)
        if machine.scene is not None:
            return False
        rules = catalog.find(game)
        true = TrueGame(
            game, preset, seated, styles=self.tempers.styles, options=agreed.changes,
            dealer=None if rules.cuts_for_deal else company[-1], seed=f"{self.seed}-{machine.now}",
        )  # fmt: skip
        make = BoneHands if game == "knucklebones" else CardHands
        self.dealer.open_session(true, make(self.room.table, true, machine.press))
        self.played[self.dealer.sitting] = true
        self.games.add((game, preset))
        self.log(f"{game} {preset}: {', '.join(seated.values())}, deck {self.style}")
        return True

    def _lay_out(self, game):
        """Lay the mat out with bones or a deck, most times another one than before."""
        if game == "knucklebones":
            table = self.tables["bones", self.rng.choice(DYES)]
            table.lift(0)
        else:
            self._swap_deck()
            table = self.tables["cards", self.style]
            table.take_up(by=0)
        table.settle()
        self.room.table = table

    def _swap_deck(self):
        other = self.rng.choices(DECK_STYLES, DECK_WEIGHTS)[0]
        if other != self.style:
            self.mishaps.counts["another deck"] += 1
            self.style = other

    def _keep(self):
        """Take note of how the game really stood when it ended."""
        self.events += len(self.dealer.true.state.events)

    def end(self):
        """End the evening by the menu, and let the booth wait again."""
        self.dealer.see_to_it(None)
        if self.dealer.true.state.round.standing.over:
            self.machine.press(Button.NEXT)
        else:
            self.dealer.end_the_evening()
        self._keep()
        self.dealer.wait(self.pace * self.rng.uniform(5, 30))
        self.room.table.settle()

    # A hand

    def hand(self):
        """Play a hand to its end."""
        true, dealer = self.dealer.true, self.dealer
        for _ in range(1500):
            if true.seen.phase is Phase.DONE:
                break
            self.one_thing()
        dealer.see_to_it(None)
        self.hands += 1
        nets = true.state.hands[-1].settlement if true.state.hands else ()
        self.log(f"hand {true.state.hand_number} of {true.game} is over: {nets}")
        self.meters.tick(self)

    def one_thing(self, *, blindly=False):
        """Let one thing happen in the game, with whatever goes wrong about it."""
        true, dealer, rng = self.dealer.true, self.dealer, self.rng
        if self._batch <= 0 and not blindly and not self._is_silent:
            dealer.see_to_it(None)
            if self.machine.now >= self._next_mishap_s:
                self._next_mishap_s = self.machine.now + rng.expovariate(1 / self.every_s)
                self.mishaps.some()
                dealer.see_to_it(None)
                self.meters.tick(self)
                if true.seen.phase is Phase.DONE:
                    return
        event = true.next(dealer.hands.has_room)
        if isinstance(event, Deal) and true.seen.phase is Phase.DEAL:
            self._deal(event, blindly)
            return
        self._batch = 0
        slowly = self.tempers.tempo(event)
        dealer.wait(self.pace * slowly * rng.expovariate(1 / 4.0), step=1.0)
        unsaid = None if blindly else self.tempers.unsaid(event)
        if unsaid is not None:
            self.mishaps.counts[str(unsaid)] += 1
            self._is_silent = True
            true.do(event)  # what comes next tells it
            return
        self._change_mind(event, blindly)
        before = None
        if isinstance(event, Roll) and self.mishaps.happens("beside", 0.06):
            before = self.mishaps.beside_the_mat
        elif isinstance(event, Deal) and self.mishaps.happens("falls in play", 0.1):
            before = self.mishaps.on_the_way
        # Who draws need not say so: the discard tells, and nobody looks up before.
        drawn = isinstance(event, Draw)
        self._is_silent = drawn and rng.random() < 0.75
        dealer.do(event, quick=blindly or drawn, before=before)
        if drawn and event.source is Source.STOCK and not self._is_silent:
            self.machine.press(Button.HAVE, event.seat)
        if not blindly and self.tempers.happening(event, "hands_left"):
            self.mishaps.leave_hand(event.seat)

    def _change_mind(self, event, blindly):
        """Say a word, and take it back, before it is meant."""
        for button, seat in () if blindly else self.tempers.taken_back(event):
            self.machine.press(button, seat)
            self.dealer.wait(1.0)
            if button is Button.UNDO:
                self.mishaps.counts[str(Happening.WORD_TAKEN_BACK)] += 1

    def _deal(self, event, blindly):
        """Deal a card; a few in a row before anybody looks up."""
        rng, dealer = self.rng, self.dealer
        before = None
        if self._batch <= 0:
            self._batch = rng.choice([1, 1, 2, 3, 6])
            if self.mishaps.happens("falls", 0.06):
                before, self._batch = self.mishaps.on_the_way, 1
            elif self.mishaps.happens("exposed", 0.02):
                event, self._batch = self.mishaps.exposed(event), 1
        self._batch -= 1
        left = self.dealer.true.seen.deal_to is not None
        quick = blindly or (self._batch > 0 and left)
        dealer.do(event, quick=quick, before=before)
        if self.dealer.true.seen.phase is not Phase.DEAL:
            self._batch = 0
            if not blindly:
                dealer.see_to_it(event)
        dealer.wait(self.pace * rng.uniform(0.2, 1.2))

    def play_blindly(self):
        """Go on for a moment while nothing is seen: one card is dealt, or one thing said."""
        if self.dealer.true.seen.phase in (Phase.DEAL, Phase.PLAY):
            with contextlib.suppress(StopIteration):
                self.one_thing(blindly=True)

    def between_hands(self):
        """Talk, come and go, gather the cards, and begin the next hand."""
        true, dealer = self.dealer.true, self.dealer
        self.mishaps.come_and_go()
        dealer.wait(self.pace * self.rng.uniform(5, 40), step=1.0)
        if self.rng.random() < 0.08:
            # So long that the booth shows the ledger by itself, and at times ends the sitting.
            dealer.wait(self.pace * self.rng.choice([130, 150, 260]), step=1.0)
            self.mishaps.counts["a long talk between hands"] += 1
        dealer.see_to_it(None)
        raw = true.state.round.raw
        anew = bool(raw) and isinstance(raw[-1], Restart)
        if true.seen.phase is not Phase.DONE:
            return
        if self.machine.session.view.hand_number == true.seen.hand_number:
            for step in dealer.hands.gather():
                step()
                dealer.let_move()
            if not anew and true.game != "knucklebones" and self.rng.random() < 0.3:
                self._swap_deck()
                table = self.tables["cards", self.style]
                table.take_up(by=0)
                table.settle()
                self.room.table = dealer.hands.table = table
            true.do(NextHand())
            dealer.lay_open_hand()
            dealer.wait(1.0)
            self.machine.press(Button.NEXT)
            dealer.see_to_it(NextHand())


def main():
    """Spend the evening, and tell of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="journal, log and figures are kept there")
    parser.add_argument("--page", action="store_true", help="write docs/why/evening.md")
    args = parser.parse_args()
    with contextlib.ExitStack() as stack:
        out = args.out
        if out is None:
            out = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneace-evening-")))
        state = out / "state"
        state.mkdir(parents=True, exist_ok=True)
        log = stack.enter_context((out / "evening.log").open("w", encoding="utf-8", buffering=1))
        story = stack.enter_context((out / "story.txt").open("w", encoding="utf-8"))
        evening = Evening(state, seed=args.seed, tell=lambda text: print(text, file=log))
        evening.dealer.keep = lambda name: evening.keep(out / f"{name}.png")
        try:
            with contextlib.redirect_stdout(story):
                evening.run(3600 * args.hours)
        finally:
            evening.close()
        gc.collect()
        found = evening.meters.told(evening)
        (out / "figures.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
        print("\n".join(lines_of(found)))
        wrong = failings(found)
        for each in wrong:
            print(f"WRONG: {each}")
        if args.page and not wrong:
            write_page(found)
    return 1 if wrong else 0


__all__ = ["Evening", "Join", "main"]

if __name__ == "__main__":
    sys.exit(main())
