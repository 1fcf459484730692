"""Forty visitors, one after the other, none of whom has seen the booth before.

python tests/acceptance/booth/visitors.py --visitors 40 [--touch] [--stand-in] [--out DIR]
    [--size 1920x1080]

Each acts on what the glass shows him and on nothing else: he presses a button that is named there,
or touches what is drawn there. There is no keyboard. What is measured: presses to the first card,
whether a hand was finished, how long the welcome screen takes to be back when nobody does anything
any more, and whether anything of those before is shown to those who come.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import statistics
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from device.booth.preferences import of_config
from device.croupier.questions import QuestionKind
from device.ports import Button, Press
from device.simulator.bone_players import BonePlayers
from device.simulator.people import Happening
from device.simulator.players import CardPlayers
from device.simulator.scat_players import ScatPlayers
from display.i18n.languages import language_of
from display.i18n.translate import Translator
from display.pages.evening import LedgerPage, SharePage
from display.pages.games import GamesPage
from display.pages.list import LettersPage, ListPage
from display.pages.seats import SeatsPage
from display.pages.welcome import WelcomePage
from engine import Phase, apply, legal_actions, view
from engine.core.events import Have, Stick
from engine.core.messages.message import Message, stranger
from engine.core.views import TableKind
from engine.games import catalog
from engine.games.decision import StrategyError
from engine.table.visibility import actions_for
from tests.acceptance.booth.full_booth import FINGER_S, IDLE_S, SEATS, STEP_S, Stall
from tests.support.tempers import Tempers

MOST_ACTS = 4000
"""A hand that takes more looks than this has come to a standstill."""

PATIENCE, FAST_PATIENCE = 15, 4
"""Looks for which people wait for the eyes before they push a card; who is fast waits less."""

MOST_LOOKS = 40
"""Screens that somebody goes through before he has his game; who needs more has lost his way."""

# What kind of people come, how many, which game they mean to play, and what is there when they
# come: the welcome screen, or still what those before them left.
COMPANY = (
    ("plain", 2, ""), ("any button", 3, ""), ("mid-hand", 2, ""), ("plain", 4, ""),
    ("masher", 2, ""), ("alone", 1, ""), ("language", 2, ""), ("plain", 3, "one-and-thirty"),
    ("child", 1, ""), ("odd seats", 2, ""), ("large", 3, ""), ("names", 2, ""),
    ("holder", 2, ""), ("two hands", 3, ""), ("reader", 2, ""), ("leaves cards", 3, ""),
    ("plain", 2, "knucklebones"), ("ender", 2, ""), ("mid-hand", 3, ""), ("overlap", 2, ""),
    ("plain", 6, ""), ("menu", 2, ""), ("mid-hand", 2, ""), ("finds the question", 2, ""),
    ("plain", 3, "scat"), ("finds the result", 2, ""), ("alone", 1, "knucklebones"),
    ("odd seats", 5, "one-and-thirty"), ("waker", 1, ""), ("names", 3, "scat"),
    ("finds the ledger", 3, ""), ("settings", 2, ""), ("pestered", 2, ""), ("masher", 4, ""),
    ("language", 3, ""), ("mid-hand", 3, "knucklebones"), ("pestered", 4, "one-and-thirty"),
    ("leaves cards", 2, "one-and-thirty"), ("stranger's game", 3, ""), ("plain", 2, ""),
)  # fmt: skip

PLAYS_NOT = ("child", "waker", "settings", "menu", "mid-hand")
"""Who does not mean to finish a hand."""

COMES_AT_ONCE = ("overlap", "finds the question", "finds the result", "finds the ledger")


class LostError(AssertionError):
    """A visitor does not know what to do: nothing on the glass tells him."""


@dataclass
class Visit:
    """What became of one group.

    Attributes:
        presses: until the first card, or the first throw, was counted; ``None``: never.
        hands: finished.
        back_s: from the last sign of life to the welcome screen; ``None`` where others came first.
        left_over: what of those before was shown.
        misread: hands that the eyes had wrong, and that were dealt again.
        did: what people did their own way, and how often.
    """

    number: int
    habit: str
    people: int
    game: str
    presses: int | None = None
    hands: int = 0
    asked: int = 0
    back_s: float | None = None
    left_over: list[str] = field(default_factory=list)
    misread: list[str] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)

    @property
    def wanted(self) -> bool:
        return self.habit not in PLAYS_NOT


class Fair:
    """The booth on a busy day."""

    def __init__(self, stall: Stall, seed: int = 1) -> None:
        self.stall = stall
        self.seed, self.random = seed, random.Random(seed)
        self.visits: list[Visit] = []
        self.typed: list[str] = []

    def run(self, visitors: int) -> list[Visit]:
        """Let them come, one group after the other."""
        for number in range(visitors):
            habit, people, game = COMPANY[number % len(COMPANY)]
            follows = COMPANY[(number + 1) % len(COMPANY)][0]
            visit = Visit(number + 1, habit, people, game)
            self.visits.append(visit)
            Group(self, visit).come()
            if number + 1 < visitors and follows in COMES_AT_ONCE:
                continue
            visit.back_s = self.wait()
        return self.visits

    def wait(self) -> float:
        """Let time pass until the welcome screen is back, and say how long that took."""
        stall, began_s = self.stall, self.stall.now_s
        while not stall.booth.is_waiting:
            stall.step(2.0)
            if stall.now_s - began_s > 10 * IDLE_S:
                raise LostError(f"never back at the welcome screen: {stall.glass.texts()}")
        return stall.now_s - began_s - 2.0

    def remains(self, language: str = "English") -> list[str]:
        """Return what of earlier people can be read now, and what they have set.

        The language is set by those who look.
        """
        stall = self.stall
        texts = stall.glass.texts()
        found = [name for name in self.typed if any(name in text for text in texts)]
        now, own = stall.booth.context.preferences, of_config(stall.config)
        if language_of(now.language).name == language:
            own = replace(own, language=now.language)
        if now != own:
            found.append(f"settings: {now}")
        return found


class Group:
    """A few people who know nothing: they look at the glass, and do what it says."""

    def __init__(self, fair: Fair, visit: Visit) -> None:
        self.fair, self.visit = fair, visit
        self.stall, self.random = fair.stall, fair.random
        self.glass = fair.stall.glass
        self.began = self.stall.presses
        first = 0 if visit.habit != "odd seats" else 1
        step = 2 if visit.habit == "odd seats" and visit.people <= 2 else 1
        self.seats = [(first + step * n) % SEATS for n in range(max(2, visit.people))]
        self.people = None
        self.lying = None
        self.patience = 0
        self.was_told: set[str] = set()
        self.calls_misdeal = False
        self.taken = None
        self.tempers = Tempers(SEATS, random.Random(f"people {fair.seed} {visit.number}"))
        self.language = "English"

    def come(self) -> None:
        """Come, and do what such people do."""
        visit, habit = self.visit, self.visit.habit
        if habit == "finds the question":
            while not isinstance(self.glass.page, ListPage):
                self.stall.step(5.0)
        elif habit == "finds the ledger":
            while not isinstance(self.glass.page, LedgerPage):
                self.stall.step(5.0)
        if habit not in COMES_AT_ONCE:
            visit.left_over += self.fair.remains(self.language)
        before = getattr(self, f"_{habit.replace(' ', '_').replace(chr(39), '')}", None)
        if before is not None:
            before()
        if visit.wanted or habit in ("mid-hand", "menu"):
            self.find_a_game()
            self.play()

    # Before the game

    def _any_button(self) -> None:
        """Press whatever is nearest, before having read anything."""
        self._press_anything(1)

    def _masher(self) -> None:
        """Press everything, again and again."""
        self._press_anything(60)

    def _child(self) -> None:
        """Spin the knob and push it."""
        for number in range(120):
            if self.stall.touch:
                self.stall.tap(self.random.random(), self.random.random())
            else:
                knob = (Button.LEFT, Button.RIGHT)[number // 40 % 2]
                self.stall.press(Button.PUSH if number % 37 == 36 else knob)

    def _waker(self) -> None:
        """Press one button, and go."""
        self._wake()

    def _holder(self) -> None:
        """Put a cup on a button; the glass must say which one it is."""
        if self.stall.touch:
            return
        pin = self.stall.hold(Button.STICK, 4, 45)
        if not any("STICK at seat 5" in text for text in self.glass.texts()):
            raise LostError(f"a cup stands on STICK of seat 5, and nobody says so: {self._told()}")
        pin.drive_high()
        self.stall.step()

    def _settings(self) -> None:
        """Look for another look, and leave everything as it is then."""
        self._start_anything()
        self._set("Look", 2)

    def _language(self) -> None:
        """Speak another language than the booth."""
        self.language = ("Nederlands", "Français")[self.visit.number % 2]
        for _ in range(10):
            if isinstance(self.glass.page, WelcomePage):
                break
            self.stall.step(5.0)  # it plays by itself: they look on
        for presses in range(3):
            page = self.glass.page
            if page.languages[page.language] == self.language:
                assert presses <= 2
                return
            self._take_language(page)
        raise LostError(f"no {self.language}: {self._told()}")

    def _large(self) -> None:
        """Take large letters, before the game."""
        self._start_anything()
        self._set("Look", 2)
        self._leave_pages()

    def _strangers_game(self) -> None:
        """Begin, let others take over, who begin another game by the menu."""
        self._start_anything()
        self.press(Button.MENU)
        self.row("Another game")

    def _press_anything(self, times: int) -> None:
        buttons = [Button.HAVE, Button.STICK, Button.NEXT, Button.UNDO, Button.MENU, Button.PUSH]
        for _ in range(times):
            if self.stall.touch:
                self.stall.tap(self.random.random(), self.random.random())
                continue
            button = self.random.choice(buttons)
            own = button in (Button.HAVE, Button.STICK) and self.random.random() < 0.6
            self.stall.press(button, self.random.randrange(SEATS) if own else None)

    # What the glass says

    def press(self, button: Button, seat: int | None = None) -> None:
        """Press a button that the glass names."""
        named = [hint.button for hint in self._hints()]
        if seat is not None and any(f"{button} at your seat" in told for told in self.was_told):
            self.stall.press(button, seat)
            return
        if button.value not in named:
            raise LostError(f"{button} is not named: {self._told()}; named are {named}")
        # At a table of one's own the button at one's seat is the nearest one.
        own = seat is not None and button in (Button.HAVE, Button.STICK) and not self.stall.touch
        self.stall.press(button, seat if own else None)

    def _hints(self):
        glass = self.glass
        return glass.page.hints if glass.page is not None else glass.prompt.keys

    def _told(self) -> str:
        return " / ".join(self.glass.texts())

    def choose(self, number: int) -> None:
        """Take item *number*: touch it, or go to it with the button that goes on."""
        for _ in range(80):
            if self.stall.touch and self.stall.can_touch(number):
                self.stall.choose(number)
                return
            if not self.stall.touch and self.glass.page.focus == number:
                self.press(Button.HAVE)
                return
            self.press(Button.STICK)
        raise LostError(f"item {number} is never marked: {self._told()}")

    def row(self, text: str) -> None:
        """Take the row of a list that says *text*."""
        text, rows = self._said(text), [item.text for item in self.glass.page.items]
        if text not in rows:
            raise LostError(f"no row says {text!r}: {rows}")
        self.choose(rows.index(text))

    def _wake(self) -> None:
        """Do what the welcome screen says: HAVE IT, or a touch; before that take one's language."""
        page = self.glass.page
        if isinstance(page, WelcomePage) and page.languages[page.language] != self.language:
            self._take_language(page)
        elif self.stall.touch:
            self.stall.tap(0.5, 0.5)
        else:
            self.stall.press(Button.HAVE)

    def _take_language(self, page: WelcomePage) -> None:
        """Touch one's language, or go to it by the shorter way."""
        wanted, count = page.languages.index(self.language), len(page.languages)
        if self.stall.touch:
            self.stall.choose(wanted)
            return
        on = (wanted - page.language) % count
        self.stall.press(Button.STICK if on <= count - on else Button.UNDO)

    @property
    def _is_foreign(self) -> bool:
        """Whether a screen before the game speaks a language that they do not understand."""
        return self.glass.page is not None and language_of(self._spoken).name != self.language

    @property
    def _spoken(self) -> str:
        return self.stall.booth.context.preferences.language

    def _said(self, sentence: str) -> str:
        """Return *sentence* as the glass says it: who took a language at play reads it."""
        return Translator.of(self._spoken).render(Message(sentence, n="{n}"))

    def _offers(self, sentence: str) -> bool:
        return self._said(sentence) in [item.text for item in self.glass.page.items]

    # To the game

    def find_a_game(self) -> None:
        """Go from whatever is shown to a table of one's own."""
        stall, glass = self.stall, self.glass
        if self.visit.habit == "large" and glass.view is not None:
            return  # it is their own table already
        self.fresh = False
        for _ in range(MOST_LOOKS):
            page = glass.page
            if stall.booth.is_waiting:
                self._wake()
            elif self._is_foreign and isinstance(page, GamesPage | SeatsPage):
                stall.press(Button.UNDO)  # back to where the languages stand
            elif isinstance(page, GamesPage):
                self.fresh = True
                self.visit.left_over += self.fair.remains(self.language)
                self.choose(self._tile(page))
            elif isinstance(page, SeatsPage):
                self.visit.left_over += self.fair.remains(self.language)
                stake, usual = self._said("Stake"), self._said("{n} token").format(n=1)
                stakes = [each.value for each in page.choices if each.text == stake]
                if stakes not in ([], [usual]) and self.visit.habit != "masher":
                    self.visit.left_over.append(f"stake: {stakes}")
                if self._sit_down():
                    return
            elif isinstance(page, LedgerPage):
                self._by_hint(("a new game", "to the table", "back"))
            elif isinstance(page, ListPage) and self._offers("No: a new game"):
                self.row("No: a new game")
            elif isinstance(page, ListPage) and self._offers("Another game"):
                self.row("Another game")
            elif isinstance(page, SharePage):
                self._wake()
            elif page is not None:
                self._by_hint(("to the table", "back"))
            else:
                self.press(Button.MENU)
        raise LostError(f"no way to a game: {self._told()}")

    def _by_hint(self, wanted: tuple[str, ...]) -> None:
        for text in wanted:
            for hint in self.glass.page.hints:
                if hint.message == self._said(text):
                    self.press(Button(hint.button))
                    return
        raise LostError(f"no key leads on: {self._told()}")

    def _tile(self, page: GamesPage) -> int:
        if not self.visit.game:
            return page.focus if 0 <= page.focus < len(page.items) else 0
        first = page.items[0].is_open  # what was left
        return first + [game.name for game in catalog.all_games()].index(self.visit.game)

    def _sit_down(self) -> bool:
        """Press the buttons at one's seats, or touch them; then deal. Say whether it began."""
        page = self.glass.page
        if any(chair.name and not chair.proposed for chair in page.seats):
            mine = [chair.seat for chair in page.seats if chair.name]
        else:
            mine = []
        for seat in self.seats[: self.visit.people]:
            if seat not in mine:
                self._take(seat)
        self._write_a_name()
        for _ in range(3):
            self._deal()
            page = self.glass.page
            if not isinstance(page, SeatsPage):
                return True
            if not page.warning:
                raise LostError(f"Deal did nothing, and says not why: {self._told()}")
            if "mat" in page.note:
                self.stall.tables.now.take_up(by=self.seats[0])
                for _ in range(PATIENCE):
                    self.stall.step()
                    if not isinstance(self.glass.page, SeatsPage):
                        return True  # it has begun by itself
            else:  # one person alone plays for the other as well
                self._take(self.seats[1])
        raise LostError(f"the deal is never begun: {self._told()}")

    def _take(self, seat: int) -> None:
        if self.stall.touch:
            self.stall.choose(len(self.glass.page.choices) + seat)
        else:
            self.stall.press(Button.HAVE, seat)

    def _deal(self) -> None:
        if self.stall.touch:
            self.stall.choose(0)
        else:
            self.choose(0)

    def _write_a_name(self) -> None:
        if self.visit.habit != "names":
            return
        name = "QX" + "ABCDEFGHIJ"[len(self.fair.typed) % 10]
        texts = [choice.text for choice in self.glass.page.choices]
        self.choose(texts.index("Names"))
        self.choose(0)
        for letter in name:
            assert isinstance(self.glass.page, LettersPage)
            self.choose(self.glass.page.keys.index(letter))
        self.choose(self.glass.page.keys.index("done"))
        self.press(Button.UNDO)
        self.fair.typed.append(name.title())
        assert name.title() in [chair.name for chair in self.glass.page.seats]

    def _start_anything(self) -> None:
        """Come as far as a table, to find the menu."""
        self.find_a_game()

    def _set(self, what: str, times: int) -> None:
        self.press(Button.MENU)
        self.row("Settings")
        number = [item.text for item in self.glass.page.items].index(what)
        for _ in range(times):
            self.choose(number)

    def _leave_pages(self) -> None:
        for _ in range(5):
            if self.glass.page is None:
                return
            self.press(Button.UNDO)
        raise LostError(f"no way back: {self._told()}")

    # At the table

    def play(self) -> None:
        """Play as the glass says; whoever walks off does so in the middle."""
        stall, visit = self.stall, self.visit
        self._take_places()
        seen = stall.booth.session.view
        if any(seat.tokens or seat.cards or seat.throws for seat in seen.seats) or seen.cuts:
            visit.left_over.append(f"cards or tokens: {seen}")
        own = [*self.fair.typed[-1:], *map(stranger, range(1, SEATS + 1))]
        names = [seat.name for seat in seen.seats if seat.name not in own]
        if names:
            visit.left_over.append(f"names of others: {names}")
        hands = 2 if visit.habit == "two hands" else 1
        walks_off = visit.habit in ("mid-hand", "menu")
        acts = self.random.randrange(6, 14) if walks_off else MOST_ACTS
        over = False
        for _ in range(MOST_ACTS):
            stall.step()
            self._count_presses()
            if self.glass.page is not None:
                self._answer_a_page()
                continue
            seen = self.glass.view
            if seen.phase is Phase.DONE and stall.booth.stage.table.question is None:
                visit.hands = seen.hand_number
                if visit.hands >= hands:
                    over = True
                    break
            acts -= self._act(seen)
            if not acts:
                break
        if visit.habit == "menu":
            self.press(Button.MENU)
            return
        if not over:
            if not walks_off:
                raise LostError(f"the hand never ends: {self._told()}")
            return
        visit.asked = stall.booth.stage.table.asked
        self._afterwards()

    def _take_places(self) -> None:
        """Stand round the right table, with the pack or the bones in hand."""
        stall, session = self.stall, self.stall.booth.session
        options, seen = session.state.setup.options, session.view
        table = stall.tables.bones if seen.table is TableKind.BONES else stall.tables.cards
        stall.tables.now = table
        seed = self.visit.number
        if seen.table is TableKind.BONES:
            self.people = BonePlayers(
                table,
                self.tempers.styles,
                options,
                lambda: legal_actions(session.state),
                lambda: session.view,
            )
            return
        names = [f"seat {seat}" for seat in range(SEATS)]
        if seen.table is TableKind.MIDDLE:

            def ask(seat, *supposed):
                state = session.state
                for event in supposed:
                    state = apply(state, event)
                return view(state, seat), actions_for(state, seat)

            self.people = ScatPlayers(table, seed, names, self.tempers.styles, options, ask)
            return
        self.people = CardPlayers(
            table, seed, names, self.tempers.styles, options, lambda: session.view
        )

    def _act(self, seen) -> bool:
        """Do one thing with one's hands, or press one button that is named; say whether."""
        self.was_told.add(self.glass.prompt.detail.replace("HAVE IT", Button.HAVE))
        question = self.stall.booth.stage.table.question
        if self._waits_for_the_eyes():
            return False
        if self.visit.habit == "pestered" and self.random.random() < 0.25:
            # Whatever it presses, those at the table see on the glass what came of it.
            self._press_anything(1)
            return True
        presses = [] if self._told_to_take_up(seen) else self._do_next(seen, question)
        now = self.stall.tables.now.fingerprint()
        if now != self.lying:
            who = self.tempers.people[seen.turn if seen.turn is not None else 0]
            self.patience = PATIENCE if who.character != "fast" else FAST_PATIENCE
            self.lying = now
            self.stall.eyes.has_read = False
        for press in presses:
            button = press.button
            if button in (Button.RIGHT, Button.LEFT) or (
                question is not None and button is Button.PUSH
            ):
                button = Button.STICK  # nobody looks for a knob: "STICK: the next one"
            if button is Button.MENU:
                self.press(Button.MENU)
                self.row("Call a misdeal")
                continue
            self._say(seen, button, press.seat)
        self.stall.clock.wait(FINGER_S)
        return True

    def _say(self, seen, button, seat) -> None:
        """Press a button; some leave a word out, or take it back before it is meant."""
        question = self.stall.booth.stage.table.question
        word = None
        if question is None and seat is not None and type(self.people) is CardPlayers:
            word = {Button.HAVE: Have(seat), Button.STICK: Stick(seat)}.get(button)
        if isinstance(word, Have) and (what := self.tempers.unsaid(word)) is not None:
            self.people.give(seen, seat)  # a nod is enough
            self.visit.did[str(what)] += 1
            return
        self.press(button, seat)
        named = any(hint.button == Button.UNDO.value for hint in self._hints())
        if word is not None and named and self.tempers.taken_back(word):
            self.press(Button.UNDO)
            self.visit.did[str(Happening.WORD_TAKEN_BACK)] += 1

    def _do_next(self, seen, question):
        """Make a move or answer; whose hand the table has wrong calls a misdeal."""
        if question is not None and question.kind is QuestionKind.MISDEAL:
            # Who has called it says yes; one that somebody else's presses have called is none.
            button = Button.HAVE if self.calls_misdeal else Button.STICK
            self.calls_misdeal = False
            return [Press(button, 0.0)]
        if question is not None:
            return self.people.answer(question)
        try:
            return self.people.act(seen)
        except StrategyError as problem:
            self.visit.misread.append(str(problem))
            self.calls_misdeal = True
            return [Press(Button.MENU, 0.0)]

    def _told_to_take_up(self, seen) -> bool:
        """Take up the card that the glass says does not count, or that is to be cut anew (G-2).

        One that was dealt is laid again: nobody here deals to a wrong place.
        """
        table, words = self.stall.tables.now, self.glass.prompt.detail
        if self.taken is not None:
            seat, card = self.taken
            table.lay(seat, card.card, face_up=card.face_up)
            self.taken = None
            return True
        if "take up the card and cut again" in words:
            seat = next(each.seat for each in seen.seats if words.startswith(f"{each.name}:"))
            table.take_up(seat, by=seat)
            return True
        told = re.match(r"A card at (.+)'s place does not count\. Take it up", words)
        if told is None:
            return False
        seat = next(each.seat for each in seen.seats if each.name == told[1])
        self.taken = seat, table.at(seat)[-1]
        table._take(table.at(seat)[-1], seat)
        return True

    def _waits_for_the_eyes(self) -> bool:
        """Nobody lays a second card before the first has been seen; then he looks up after all."""
        if self.stall.tables.now.is_moving:
            return True
        if self.stall.eyes.has_read or self.patience <= 0:
            return False
        self.patience -= 1
        return True

    def _answer_a_page(self) -> None:
        """Something was laid over the table: say that one is still there."""
        page = self.glass.page
        if isinstance(page, ListPage) and self._offers("Yes, go on with this hand"):
            self.choose(0)
        else:
            self._by_hint(("to the table", "back", "play on"))

    def _count_presses(self) -> None:
        if self.visit.presses is None and self.stall.booth.session.events:
            self.visit.presses = self.stall.presses - self.began

    def _afterwards(self) -> None:
        """What people do when the hand is over, before they walk off."""
        table = self.stall.tables.now
        habit = self.visit.habit
        if habit == "reader":
            for row in ("The ledger", "The evening in figures", "The rules", "Settings"):
                self.press(Button.MENU)
                self.row(row)
                self._leave_pages()
        elif habit == "ender":
            self.press(Button.MENU)
            self.row("End the evening")
            self.row("End the evening")  # it asks
            assert isinstance(self.glass.page, SharePage)
        if habit != "leaves cards":
            if table is self.stall.tables.bones:
                table.lift(self.seats[0])
            else:
                table.take_up(by=self.seats[0])
            self.stall.step()


def report(visits: list[Visit]) -> list[str]:
    """Return the figures, a line each."""
    wanted = [visit for visit in visits if visit.wanted]
    backs = [visit.back_s for visit in visits if visit.back_s is not None]
    over = [visit.back_s for visit in visits if visit.hands and visit.back_s is not None]
    presses = sorted(visit.presses for visit in wanted if visit.presses is not None)
    plain = [visit for visit in wanted if visit.habit == "plain"]
    marked = [visit.presses - visit.people for visit in plain if not visit.game]
    other = [visit.presses - visit.people for visit in plain if visit.game]
    finished = sum(visit.hands > 0 for visit in wanted)
    remains = [one for visit in visits for one in visit.left_over]
    return [
        f"{len(visits)} groups, {sum(visit.people for visit in visits)} people; "
        f"{len(wanted)} meant to play, {finished} of them finished a hand",
        f"presses to the first card: median {statistics.median(presses):g}, most {presses[-1]}; "
        f"besides one at each seat, of who only plays the game that is marked: most {max(marked)}, "
        f"another one: most {max(other)}",
        f"welcome screen back after the last sign of life: median "
        f"{statistics.median(backs):.0f} s, longest {max(backs):.0f} s; after a finished hand "
        f"{max(over):.0f} s",
        f"left over for the next: {len(remains)}; questions asked: "
        f"{sum(visit.asked for visit in visits)}; hands misread and dealt again: "
        f"{sum(len(visit.misread) for visit in visits)}; keyboard: none there",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--touch", action="store_true", help="fingers on the glass, no buttons")
    parser.add_argument("--stand-in", action="store_true", help="eyes that know what lies there")
    parser.add_argument("--out", type=Path, help="keep each kind of screen as a picture here")
    parser.add_argument("--size", default="800x480")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    width, height = (int(part) for part in args.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        stall = Stall(
            Path(folder), touch=args.touch, real=not args.stand_in, size=(width, height),
            out=args.out,
        )  # fmt: skip
        fair = Fair(stall, args.seed)
        try:
            fair.run(args.visitors)
        finally:
            for visit in fair.visits:
                print(visit, flush=True)
            stall.close()
    print("\n".join(report(fair.visits)))
    hours = stall.now_s / 3600
    print(f"{hours:.1f} hours of a fair; looked every {STEP_S} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
