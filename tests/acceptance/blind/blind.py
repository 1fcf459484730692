"""Played blind: who only hears decides as who sees.

python -m tests.acceptance.blind.blind [--hands 100] [--game NAME] [--seed 1] [--voice]
    [--pace 175]

At every decision of a hand the same player of software is asked twice. Once it sees the view. Once
it has nothing but its own closed cards, which it knows by touch, and what the voice has answered to
the keys TELL and AGAIN, each pressed twice at most. It plays boldly unless it leads, and does only
what it is asked for. Exits 1 if the two ever differ. With --voice the answers are spoken by
espeak-ng in every language, and the seconds until each fact is over are printed.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from device.clock import HandClock
from device.config.model import SoundConfig
from device.narration.announcer import Announcer, NarratedScreen
from device.narration.speech import SilentSpeaker, SpeechSynthesizer
from device.ports import Button, Press
from device.runtime.session import Session
from device.runtime.table import TELL_S, TableController
from device.storage.journal.journal import Journal
from display.chimes import RATE
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.table import aloud
from display.table.aloud import facts
from display.table.seats import is_turn
from engine import Card, Phase, Rank, Suit, bots
from engine.core.events import NextHand
from engine.core.messages.message import Joined, stranger
from engine.core.messages.words import card_words, rank_words
from engine.core.views import MiddleView, PileView, SeatView, View
from engine.games import catalog
from engine.games.scat.prompts import worth_of
from tests.support.booth_rig import Panel, PaperEyes
from tests.support.game_driver import Driver

PRESETS = (
    ("one-and-thirty", "willughby"),
    ("bone-ace", "willughby"),
    ("knucklebones", "west-kingdom"),
    ("scat", "wikipedia"),
    ("scat", "banking"),
    ("scat", "switch"),
    ("scat", "stop-the-bus"),
)
TURN = r"(?:^|\. )(\w+)'s turn\b"
SEATS = 3
ENOUGH_S = 4.0
"""So soon each fact is to be over."""

RANKS = {str(rank_words([Card(rank, Suit.SPADES)])): rank for rank in Rank}
CARDS = {str(card_words(Card(rank, suit))): Card(rank, suit) for suit in Suit for rank in Rank}
SUITS = {words.split(" of ")[1]: card.suit for words, card in CARDS.items()}
PILES = {"Widow": "widow", "On the table": "table", "Hand A": "A", "Hand B": "B"}
ALWAYS = {"declare", "reveal", "restart", "accept", "choose_hand"}
"""What one's own cards decide, whatever is asked."""
ASKS = {
    r"stick, or have it\?|one more bone, or stick\?": {"have", "stick"},
    r"how many more bones\?": {"choose"},
    r"throw \d+ bones?\b": {"stake"},
    r"draw, or knock\?": {"draw", "widow", "knock"},
    r"draw a card": {"draw", "widow"},
    r"discard a card": {"discard"},
    r"your last turn": {"draw", "widow", "exchange", "swap_hand", "swap", "renew", "stand"},
    r"exchange, or knock\?|exchange\b|go on": {"exchange", "swap_hand", "renew", "knock", "stand"},
    r"swap, or knock\?": {"swap", "knock", "stand"},
    r"swap one card or three": {"swap"},
}
"""What may be done of what is asked."""


@dataclass(frozen=True)
class Known:
    """What somebody knows when they decide, by eye or by ear."""

    turn: str
    asks: frozenset[str]
    leads: frozenset[str]
    seen: View


def asks_for(words: str) -> frozenset[str]:
    """Return what may be done, from the words of the question."""
    found = (kinds for pattern, kinds in ASKS.items() if re.search(pattern, words))
    return frozenset(next(found, ()))


class Player:
    """Plays boldly, and cautiously while it alone leads; it is asked by eye and by ear."""

    def __init__(self, table: Table, game: str) -> None:
        self._table = table
        self._bots = {style: bots.player(style, game) for style in ("bold", "cautious")}

    def decide(self, seen, actions, options, hand=None, second=None):
        mine = tuple(actions)
        seats = {action.seat for action in mine if action.seat is not None}
        if len(seats) != 1 or not mine:
            return self._bots["bold"].decide(seen, mine, options, hand, second)
        (seat,) = seats
        by_eye = self._answer(self._table.by_eye(seat), seat, mine, options, hand, second)
        heard = self._table.by_ear(seat, len(hand or ()))
        if second:  # likewise known by touch
            beside = PileView("second", (None,) * len(second))
            middle = replace(heard.seen.middle, piles=(*heard.seen.middle.piles, beside))
            heard = replace(heard, seen=replace(heard.seen, middle=middle))
        by_ear = self._answer(heard, seat, mine, options, hand, second)
        self._table.count(seat, by_eye, by_ear)
        return by_eye

    def _answer(self, known: Known, seat, actions, options, hand, second):
        name = self._table.names[seat]
        style = "cautious" if known.leads == {name} else "bold"
        asks = known.asks if known.turn == name else frozenset()
        may = [action for action in actions if action.kind in asks | ALWAYS]
        table = known.seen.middle.pile("table") if known.seen.middle is not None else ()
        may = [replace(each, take=table) if each.kind == "swap" else each for each in may]
        return self._bots[style].decide(known.seen, may, options, hand, second)


@dataclass
class Table:
    """A table in play, its voice, and two keys."""

    game: str
    preset: str
    folder: Path
    seed: int = 1
    decisions: Counter[str] = field(default_factory=Counter)
    differ: list[str] = field(default_factory=list)
    moments: list[tuple[View, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = HandClock()
        self.speaker, self.panel = SilentSpeaker(), Panel()
        self._begin(0)

    def _begin(self, sitting: int) -> None:
        people = [Player(self, self.game) for _ in range(SEATS)]
        dealer = None if catalog.find(self.game).cuts_for_deal else SEATS - 1
        self.driver = Driver(
            self.game, self.preset, people, seed=f"{self.seed}-{sitting}", dealer=dealer
        )
        state = self.driver.state
        self.journal = Journal(self.folder / f"{self.preset}-{sitting}.sqlite3")
        self.session = Session.begin(
            self.journal, self.clock, self.game, list(state.players), preset=self.preset,
            dealer=dealer,
        )  # fmt: skip
        self.names = {player.seat: player.name for player in state.players}
        announcer = Announcer(self.speaker)
        self.session.listeners.append(announcer.listen)
        self.controller = TableController(
            self.session, PaperEyes(), (self.panel,), self.clock,
            screen=NarratedScreen(None, announcer, self.speaker),
        )  # fmt: skip

    def play(self, hands: int) -> None:
        """Play so many hands; where a match is over a new one begins."""
        sitting = 0
        for _ in range(hands):
            while self.driver.state.phase is not Phase.DONE:
                self._follow(self.driver.go_on)
            if self.driver.state.round.standing.over:
                self.journal.close()
                sitting += 1
                self._begin(sitting)
            else:
                self._follow(lambda: self.driver.do(NextHand()))
        self.journal.close()

    def _follow(self, go_on) -> None:
        count = len(self.driver.state.events)
        go_on()
        for event in self.driver.state.events[count:]:
            self.session.apply(event)
        self._step()

    def _step(self) -> None:
        self.clock.wait(0.1)
        assert self.controller.step()

    def press(self, button: Button, seat: int | None = None) -> str:
        """Press a key, and return what is heard next."""
        self.speaker.heard.clear()
        self.panel.waiting.append(Press(button, self.clock.monotonic(), seat))
        self._step()
        said = [words for kind, words in self.speaker.heard if kind == "say"]
        assert said, f"{button} says nothing"
        return said[-1]

    def count(self, seat, by_eye, by_ear) -> None:
        """Keep whether the two ways came to the same."""
        if by_eye is not None:
            self.decisions[by_eye.kind] += 1
        if by_eye != by_ear:
            self.differ.append(f"{self.names[seat]}: {by_eye} by eye, {by_ear} by ear")

    def by_eye(self, seat: int) -> Known:
        """Return what the view says."""
        seen = self.session.view
        title = str(catalog.find(self.game).prompt(seen).title)
        standing = {each.name: _standing(each) for each in seen.seats}
        most = max(standing.values())
        leads = {name for name, value in standing.items() if value == most}
        turn = "" if seen.turn is None else self.names[seen.turn]
        alone = leads if len(set(standing.values())) > 1 else set()
        return Known(turn, asks_for(title), frozenset(alone), seen)

    def by_ear(self, seat: int, held: int) -> Known:
        """Return what the voice answers; the first words of each fact decide.

        How many cards they have *held* is known by touch.
        """
        self.clock.wait(TELL_S)  # who asks for the first time hears the first fact
        first = self.press(Button.TELL, seat)
        second = self.press(Button.TELL, seat)
        self.press(Button.AGAIN)
        asked = self.press(Button.AGAIN)
        self.moments.append((self.session.view, seat))
        turn = re.search(TURN, first)
        leads = re.match(r"(.+) leads? with ", second)
        names = re.split(r", | and ", leads[1]) if leads else []
        return Known(
            turn[1] if turn else "", asks_for(asked), frozenset(names),
            self._view(seat, held, first, asked),
        )  # fmt: skip

    def _view(self, seat: int, held: int, first: str, asked: str) -> View:
        """Return a view that holds what was heard, and nothing else."""
        kind, setup = catalog.find(self.game), self.session.state.setup
        parts = [part.rstrip(".") for part in re.split(r"(?<=\.) ", first)]
        labelled = dict(part.split(": ", 1) for part in parts if _label(part) is not None)
        own = re.sub(r"^\w+'s turn, ", "", parts[0])
        total = re.match(r"\d+(?=,|$)", own)
        cards = _cards(own.removeprefix(f"{total[0]}, " if total else ""))
        stake = re.search(r"Stake (\d+)", own)
        if kind.table == "bones":
            cards, count = [], 0
        else:
            count = held - len(cards)
        me = SeatView(
            seat, self.names[seat], cards=(*[None] * count, *cards),
            total=int(total[0]) if total else None, stake_laid=int(stake[1]) if stake else 0,
        )  # fmt: skip
        others = [SeatView(each, name) for each, name in self.names.items() if each != seat]
        middle = None
        if kind.table == "middle":
            knocker = re.search(r"(\w+) has knocked", first + asked)
            top = _cards(labelled.get("Discard", ""))
            drawn = re.search(r"Drawn from the (\w+)", asked)
            middle = MiddleView(
                stock=1,
                discard_top=top[0] if top else None,
                knocker=self._seat(knocker[1]) if knocker else None,
                piles=tuple(
                    PileView(name, tuple(_cards(labelled[label])))
                    for label, name in PILES.items()
                    if label in labelled
                ),
                drawn=drawn[1] if drawn else None,
            )
        shows = re.search(r"show your cards", asked, re.I)
        turn = re.search(TURN, first)
        seats = tuple(sorted([me, *others], key=lambda each: each.seat))
        return View(
            self.game, self.preset, Phase.SHOWDOWN if shows else Phase.PLAY, 1, 1, seats,
            turn=self._seat(turn[1]) if turn else None, middle=middle, table=kind.table,
            target=int(kind.goal(setup.options)),
        )  # fmt: skip

    def _seat(self, name: str) -> int:
        return next(seat for seat, each in self.names.items() if each == name)


def _standing(seat: SeatView) -> int:
    match = seat.match
    if match is None or (match.lives is None and match.points is None):
        return seat.tokens
    if match.eliminated:
        return -1
    return match.lives if match.points is None else match.points


def _label(part: str) -> str | None:
    found = re.match(r"(Discard|Widow|On the table|Hand [AB]): ", part)
    return found[1] if found else None


def _cards(words: str) -> list[Card | None]:
    """Return the cards that are named: whole, after their suit, or without one."""
    found: list[Card | None] = []
    suit = Suit.SPADES
    for part in re.split(r",\s", re.sub("^[Ss]howing ", "", words)):
        closed = re.match(r"(\d+) cards? face down", part)
        first, _, last = part.rpartition(" ")
        suit = SUITS.get(first, suit)
        if closed:
            found += [None] * int(closed[1])
        elif part == "face down":
            found.append(None)
        elif part in CARDS:
            found.append(CARDS[part])
        elif last in RANKS:
            found.append(Card(RANKS[last], suit))
    return found


PAUSE_S = 0.1
"""The product's pause after a sentence, which is no part of it."""


class Clock:
    """Says how long sentences take to be heard in a language."""

    def __init__(self, language: str, pace: int) -> None:
        self.say = Translator.of(language).render
        self._voice = SpeechSynthesizer(language, words_per_minute=pace)

    def seconds(self, words: str) -> float:
        """Return for how long espeak-ng says *words*, without the silence after them."""
        samples = self._voice._make(words)
        assert samples is not None, self._voice.problem
        return len(samples) / RATE - PAUSE_S

    def facts_of(self, view: View, seat: int) -> dict[str, str]:
        """Return each fact with all that is heard until it is over; strangers play."""
        people = (replace(each, name=stranger(each.seat + 1)) for each in view.seats)
        view = replace(view, seats=tuple(people))
        first, second, *_others = map(self.say, facts(view, seat))
        turns = tuple(each.seat for each in view.seats if is_turn(view, each)) or view.to_cut
        turn = self.say(aloud._turn(view, turns)).rstrip(".")
        until = {"turn": first[: first.index(turn) + len(turn)] if turn in first else ""}
        worth = worth_of(view.seat(seat))
        if worth:
            after = len(until["turn"]) if turns == (seat,) else 0
            until["total"] = first[: first.index(worth, after) + len(worth)]
        middle = aloud._middle(view, view.middle) if view.middle is not None else []
        whole = first.removesuffix(self.say(Joined(tuple(middle)))).strip()
        until["cards"] = whole if turns == (seat,) else whole.removesuffix(f"{turn}.").strip()
        until["leads"] = re.split(r"(?<=\.) ", second)[0]
        until["asked"] = self.say(catalog.find(view.game).prompt(view).title)
        return until

    def worst(self, moments: Sequence[tuple[View, int]]) -> dict[str, tuple[float, str]]:
        """Return when each fact is over at worst, and in which words."""
        heard: dict[str, set[str]] = {}
        for view, seat in moments:
            for name, words in self.facts_of(view, seat).items():
                heard.setdefault(name, set()).update({words} - {""})
        return {
            name: max((self.seconds(each), each) for each in sorted(words, key=len)[-LONGEST:])
            for name, words in heard.items()
            if words
        }


LONGEST = 20
"""So many of the longest words on a fact are spoken."""


def main(argv: Sequence[str] | None = None) -> int:
    """Play, and print what was decided."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--voice", action="store_true", help="how long the answers take")
    parser.add_argument("--pace", type=int, default=SoundConfig().words_per_minute)
    args = parser.parse_args(argv)
    differ = 0
    for game, preset in PRESETS:
        if args.game not in (None, game):
            continue
        with tempfile.TemporaryDirectory() as folder:
            table = Table(game, preset, Path(folder), args.seed)
            table.play(args.hands)
        differ += len(table.differ)
        kinds = ", ".join(f"{kind} {n}" for kind, n in table.decisions.most_common())
        print(
            f"{game} {preset}: {args.hands} hands, {table.decisions.total()} decisions "
            f"({kinds}), {len(table.differ)} differ",
            flush=True,
        )
        for line in table.differ[:5]:
            print(f"  {line}")
        for language in languages() if args.voice else ():
            worst = Clock(language, args.pace).worst(table.moments)
            told = ", ".join(f"{name} {over_s:.1f}" for name, (over_s, _words) in worst.items())
            print(f"  {language}: over after s, at worst: {told}", flush=True)
            for over_s, words in worst.values():
                if over_s > ENOUGH_S:
                    print(f"    {words}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
