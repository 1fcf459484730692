"""Simulated players with cards at the seats: they handle cards and press buttons."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from device.croupier.questions import NO, YES, Candidate, Choice, Question, QuestionKind
from device.ports import Button, Press
from device.simulator.answers import answer_from_table
from device.simulator.table import SimulatedTable
from engine import bots
from engine.core.cards import Card, deck
from engine.core.events import Claim, Declare, Event, Have, Stick
from engine.core.views import Phase, SeatStatus, SeatView, View
from engine.games.base import Action
from engine.games.decision import StrategyError

_TURN = ((Have.kind, None), (Stick.kind, None), (Declare.kind, Claim.OUT))


class CardPlayers:
    """Players and dealer of a :class:`SimulatedTable`.

    They know their own cards, what lies face up, and the screen; nothing of the readings.
    """

    def __init__(
        self,
        table: SimulatedTable,
        seed: int,
        names: Sequence[str],
        styles: Sequence[str],
        options: Any,
        screen: Callable[[], View] | None = None,
        *,
        game: str = "one-and-thirty",
        drawn_open: bool = False,
    ) -> None:
        """Seat one player per name, from seat 0 on.

        Args:
            table: where they play.
            seed: chooses the shuffles.
            names: who they are.
            styles: how each plays: ``cautious``, ``bold`` or ``exact``.
            options: the options of the game.
            screen: returns what the table shows now; without it nobody can say how many cards of
                a player have not been counted.
            game: a game with the strategies to play by.
            drawn_open: cards that a player asks for are laid face up.

        Raises:
            StrategyError: an unknown style, or not one for each name.
        """
        if len(styles) != len(names):
            raise StrategyError(
                f"{len(names)} people but {len(styles)} styles; give each person one"
            )
        self._table = table
        self._seed = seed
        self._options = options
        self._players = [bots.player(style, game) for style in styles]
        self._hand = 0
        self._pack: list[Card] = []
        self._cut_pack: list[Card] = []
        self._hands: dict[int, list[Card]] = {}
        self._cut_before: dict[int, Card | None] = {}
        self._screen = screen
        self._drawn_open = drawn_open
        self._dealt_last: int | None = None
        self._tries = 0

    def act(self, view: View) -> list[Press]:
        """Make at most one move at the table; return the buttons pressed.

        Nothing is done while an arm is in the picture.
        """
        if self._table.is_moving:
            return []
        if view.hand_number != self._hand:
            self._shuffle(view.hand_number)
        if view.phase is Phase.CUT:
            self._cut(view)
        elif view.phase is Phase.DEAL:
            self._deal(view)
        elif view.phase is Phase.PLAY:
            return self._play(view)
        elif view.phase is Phase.SHOWDOWN:
            self._show(view.to_reveal[0])
        elif self._table.cards:
            self._table.take_up(by=dealer_of(view))
        else:
            return [Press(Button.NEXT, 0.0)]
        return []

    def give(self, view: View, seat: int) -> None:
        """Deal *seat* the next card: it was asked for, be it by a nod."""
        self._give(seat, self._pack.pop(), face_up=self._drawn_open, by=dealer_of(view))

    def answer(self, question: Question) -> list[Press]:
        """Answer with the cards that lie face up, and with what was really done."""
        said = {each for each in question.candidates if self._is_true(question, each)}
        return answer_from_table(question, {*self._table.face_up(), *said})

    def _is_true(self, question: Question, answer: Candidate) -> bool:
        """Return whether *answer* is what happened; nobody here sticks, or throws in, unsaid."""
        if question.kind is QuestionKind.WHOSE:
            return isinstance(answer, Choice) and answer.key == str(self._dealt_last)
        if question.kind is QuestionKind.HAD and question.seat is not None and self._screen:
            counted = len(self._screen().seat(question.seat).cards)
            has_more = len(self._hands.get(question.seat, ())) > counted
            return answer == (YES if has_more else NO)
        return question.kind in (QuestionKind.STUCK, QuestionKind.OUT) and answer == NO

    # The phases of a hand

    def _cut(self, view: View) -> None:
        """Lay one card each face up; those who tie take theirs up and cut again (rule G-2)."""
        last = dict(view.cuts)
        seat = view.to_cut[0]
        mine = self._table.at(seat)
        if not mine:
            self._cut_before[seat] = last.get(seat)
            self._table.lay(seat, self._cut_pack.pop(), face_up=True)
            self._tries = 0
        elif last.get(seat) == self._cut_before.get(seat):
            self._try_again(seat)
        else:
            self._table.take_up(seat, by=seat)

    def _deal(self, view: View) -> None:
        """Deal from the top of the pack, to whom the screen says (rules OT-3, BA-1)."""
        if view.deal_to is None:
            return
        if self._table.cards and not self._hands:
            # The cards of the cut go back into the pack first.
            self._table.take_up(by=dealer_of(view))
            return
        seat, face_up = view.deal_to
        if self._waits_for_reading(view, seat):
            self._try_again(seat)
        else:
            self._give(seat, self._pack.pop(0), face_up=face_up, by=dealer_of(view))

    def _play(self, view: View) -> list[Press]:
        """Have or stick, give a card, or turn up a finished hand (rules OT-5 to OT-9)."""
        turn = view.turn
        # A claim such as 31 is made at once, even out of turn (rule OT-17).
        caller = next((seat.seat for seat in view.seats if self._claims(view, seat)), None)
        if turn is None:
            return []
        if self._waits_for_reading(view, turn):
            self._try_again(turn)
        elif view.card_asked:
            self.give(view, turn)
        elif caller is not None:
            self._show(caller)
        else:
            event = self._says(view, turn, *_TURN)
            if not isinstance(event, Declare):
                has = isinstance(event, Have) and self._table.room(turn) > 0
                return [Press(Button.HAVE if has else Button.STICK, 0.0, turn)]
            self._show(turn)
        return []

    def _show(self, seat: int) -> None:
        if all(card.face_up for card in self._table.at(seat)):
            self._try_again(seat)
            return
        self._table.turn_up(seat)
        self._tries = 0

    # Helpers

    def _shuffle(self, number: int) -> None:
        self._hand = number
        packs = getattr(self._options, "decks", 1)
        self._pack, self._cut_pack = list(deck()) * packs, list(deck())
        random.Random(f"{self._seed}-{number}").shuffle(self._pack)
        random.Random(f"{self._seed}-{number}-cut").shuffle(self._cut_pack)
        self._hands = {}
        self._cut_before = {}
        self._tries = 0

    def _give(self, seat: int, card: Card, *, face_up: bool, by: int) -> None:
        self._hands.setdefault(seat, []).append(card)
        self._dealt_last = seat
        self._table.lay(seat, card, face_up=face_up, by=by)
        self._tries = 0

    def _waits_for_reading(self, view: View, seat: int) -> bool:
        """Return whether a card of *seat* lies there that the screen does not count yet."""
        return len(self._hands.get(seat, ())) > len(view.seat(seat).cards)

    def _try_again(self, seat: int) -> None:
        """Push a card that is not read, or lay the newest elsewhere.

        Counted cards are only pushed: elsewhere they would count as new.
        """
        count = len(self._table.at(seat))
        if not count:
            return
        self._tries += 1
        if self._tries % 3 == 1:
            self._table.touch(seat)
        elif self._tries % 3 == 2:
            self._table.lay_elsewhere(seat)
        else:
            self._table.touch(seat, self._tries // 3 % count)

    def _claims(self, view: View, seat: SeatView) -> bool:
        hand = self._hands.get(seat.seat, [])
        if seat.status is not SeatStatus.WAITING or len(hand) != len(seat.cards):
            return False
        return self._says(view, seat.seat, (Declare.kind, Claim.THIRTY_ONE)) is not None

    def _says(self, view: View, seat: int, *may: tuple[str, Claim | None]) -> Event | None:
        actions = [Action(kind, seat, what=what) for kind, what in may]
        return self._players[seat].decide(view, actions, self._options, self._hands.get(seat))


def dealer_of(view: View) -> int:
    """Return the seat that deals; the first one while nobody does."""
    return view.dealer if view.dealer is not None else view.seats[0].seat
