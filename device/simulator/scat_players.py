"""Simulated players of Thirty-one: they hold their cards, and play by their strategy.

They know their own cards, what lies face up, the screen and the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from device.croupier.questions import Choice, Question, QuestionKind
from device.ports import Button, Press
from device.simulator.answers import answer_from_table
from device.simulator.players import CardPlayers, dealer_of
from device.simulator.scat_table import DISCARD, ScatTable
from engine import Event
from engine.core.cards import Card
from engine.core.events import (
    ChooseHand,
    Correct,
    Declare,
    Discard,
    Draw,
    Exchange,
    Facing,
    Keep,
    Knock,
    Renew,
    Restart,
    Source,
    Stand,
    SwapCards,
    SwapHand,
    Widow,
)
from engine.core.views import MiddleView, Phase, View
from engine.games.base import Action
from engine.games.decision import actions_of
from engine.games.scat.options import ScatOptions
from engine.games.scat.play import pack_of
from engine.games.scat.points import BLITZ, value

Ask = Callable[..., tuple[View, Iterable[Action]]]
"""``ask(seat, *supposed)``: view and allowed actions of *seat* after the supposed events."""

HAND = 3
_PLACES = {"A": 0, "B": HAND, "widow": 0, "table": 0}
"""First place of each pile in the middle."""


class ScatPlayers(CardPlayers):
    """Players and dealer of a :class:`ScatTable`."""

    _table: ScatTable

    def __init__(
        self,
        table: ScatTable,
        seed: int,
        names: Sequence[str],
        styles: Sequence[str],
        options: ScatOptions,
        ask: Ask,
        put_right: Callable[[Correct], object] | None = None,
    ) -> None:
        """Seat one player per name, from seat 0 on.

        Args:
            table: where they play.
            seed: chooses the shuffles.
            names: who they are.
            styles: how each plays: ``cautious``, ``bold`` or ``exact``.
            options: the options of the game.
            ask: returns what a player sees and may do.
            put_right: corrects a misread card, as the menu does; without it the players push the
                card instead.
        """
        super().__init__(table, seed, names, styles, options, game="scat")
        self._ask = ask
        self._put_right = put_right
        self._second: list[Card] = []
        self._discards: list[Card] = []
        self._piles: dict[str, list[tuple[Card, bool]]] = {}
        self._todo: list[Callable[[], object]] = []
        self._meant = ""
        self._declined: object = None
        self._mover: int | None = None
        self._next_open: list[Card] = []
        self._gathered = False
        self._fresh: set[Card] = set()
        self._view: View | None = None

    def act(self, view: View) -> list[Press]:
        """Make at most one move at the table; return the buttons pressed."""
        self._view = view
        if self._table.is_moving:
            return []
        if view.hand_number != self._hand:
            self._shuffle(view.hand_number)
        if self._todo:
            self._todo.pop(0)()
            self._tries = 0
            return []
        if view.phase is Phase.CUT:
            self._cut(view)
        elif view.phase is Phase.DEAL:
            self._deal(view)
        elif self._is_short(view):
            return [Press(Button.MENU, 0.0)]  # a card was counted that nobody dealt
        elif (caller := self._caller(view)) is not None:
            self._lay_open(caller)
        elif view.phase is Phase.DONE:
            return self._gather(view)
        elif view.middle is not None:
            return self._act_with_middle(view, view.middle)
        return []

    def _act_with_middle(self, view: View, middle: MiddleView) -> list[Press]:
        if view.phase is Phase.TURN_UP:
            self._turn_up(dealer_of(view))
        elif view.phase is Phase.CHOOSE:
            self._choose(dealer_of(view))
        elif view.phase is Phase.SHOWDOWN:
            self._lay_open(view.to_reveal[0])
        elif view.phase is Phase.PLAY:
            return self._turn(view, middle)
        return []

    def answer(self, question: Question) -> list[Press]:
        """Answer the croupier truthfully."""
        if question.kind is QuestionKind.MISDEAL:
            return [Press(Button.HAVE, 0.0)]  # only asked for when needed
        if question.kind is QuestionKind.DEALT:
            held = self._hands.values()
            done = bool(held) and all(len(cards) == HAND for cards in held)
            return [Press(Button.HAVE if done else Button.STICK, 0.0)]
        chosen = question.candidates[question.selected] if question.candidates else None
        if not isinstance(chosen, Choice):
            # Only the top of a pile is visible, so the question is about the top.
            here = self._table.nearest(question.place)
            up = self._table.face_up() if here is None else {here.card} if here.face_up else ()
            return answer_from_table(question, up)
        wanted = self._answer_to(question)
        return [Press(Button.HAVE if chosen.key == wanted else Button.RIGHT, 0.0)]

    def _answer_to(self, question: Question) -> str:
        keys = [each.key for each in question.candidates if isinstance(each, Choice)]
        if question.kind is QuestionKind.RESTART:
            return next((key for key in keys if key.isdigit() and self._begins(int(key))), "accept")
        if question.kind is QuestionKind.REREAD:
            return self._what_happened(question)
        if question.kind is QuestionKind.RETURNED:
            return "stayed"
        return self._meant if self._meant in keys else keys[0]

    def _what_happened(self, question: Question) -> str:
        """Return whether a card that reads differently is new, misread now, or as it was."""
        here = self._table.nearest(question.place)
        if here is None or not here.face_up:
            return "still"
        if here.card in self._fresh:
            return "new"
        keys = [each.key for each in question.candidates if isinstance(each, Choice)]
        return "misread" if "misread" in keys and not self._known(here.card) else "still"

    def _known(self, card: Card) -> bool:
        """Return whether the screen shows *card* in the middle."""
        middle = None if self._view is None else self._view.middle
        if middle is None:
            return False
        return card in middle.discards or any(card in pile.cards for pile in middle.piles)

    # The deal

    def _shuffle(self, number: int) -> None:
        super()._shuffle(number)
        allowed = pack_of(self._options)
        kept = set(self._next_open)
        self._pack = [card for card in self._pack if card in allowed and card not in kept]
        self._cut_pack = [card for card in self._cut_pack if card in allowed]
        self._second, self._discards, self._todo = [], [], []
        self._piles = {"A": [(card, True) for card in self._next_open]} if kept else {}
        self._next_open, self._gathered = [], False
        self._declined = self._mover = None

    def _deal(self, view: View) -> None:
        if self._table.cards and not self._hands and not self._piles:
            self._table.take_up(by=dealer_of(view))  # the cards of the cut
            return
        due = view.middle.deal_to if view.middle is not None else ()
        if due:
            self._deal_middle(view, due[0])
        elif view.deal_to is not None:
            seat = view.deal_to[0]
            if self._waits_for_reading(view, seat):
                self._try_again(seat)
            else:
                self._give(seat, self._pack.pop(0), face_up=False, by=dealer_of(view))

    def _deal_middle(self, view: View, pile: str) -> None:
        dealer = dealer_of(view)
        counted = len(view.middle.pile(pile)) if view.middle is not None else 0
        if pile == "second":
            if len(self._second) > counted:
                self._try_again(dealer)
                return
            self._second.append(self._pack.pop(0))
            self._table.lay(dealer, self._second[-1], face_up=False, by=dealer)
            self._tries = 0
            return
        lying = self._piles.setdefault(pile, [])
        if len(lying) > counted:
            self._help(dealer)
            return
        lying.append((self._pack.pop(0), pile == "table"))
        card, up = lying[-1]
        self._table.put(_PLACES[pile] + len(lying) - 1, card, face_up=up, by=dealer)
        self._tries = 0

    def _is_short(self, view: View) -> bool:
        """Return whether somebody has fewer cards than the screen shows (rule G-13).

        A player who has drawn holds one more card until the screen shows the discard.
        """
        if view.phase is Phase.DONE:
            return False
        drawer = view.turn if view.middle is not None and view.middle.drawn else None
        return any(
            len(self._hands.get(s.seat, ())) < len(s.cards) - (s.seat == drawer) for s in view.seats
        )

    def _turn_up(self, dealer: int) -> None:
        if self._discards:
            self._help(dealer)
            return
        self._discards.append(self._pack.pop(0))
        self._table.discard(self._discards[-1], by=dealer)

    def _choose(self, dealer: int) -> None:
        """Keep one of the dealer's two hands, lay the other face up in the middle (rule SW-2)."""
        if self._piles.get("A"):
            self._help(dealer)
            return
        view, actions = self._ask(dealer)
        event = self._players[dealer].decide(
            view,
            actions_of(actions, dealer),
            self._options,
            self._hands[dealer],
            self._second,
        )
        keep = event.keep if isinstance(event, ChooseHand) else Keep.FIRST
        if keep is Keep.SECOND:
            self._hands[dealer], self._second = self._second, self._hands[dealer]
        other, self._second = self._second, []
        self._table.take_up(dealer, by=dealer)
        for place, card in enumerate(other):
            self._put("A", place, card, dealer)

    # A turn

    def _caller(self, view: View) -> int | None:
        """Return the seat that calls 31 now (rules SC-24, SC-13)."""
        if view.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE) or not self._options.blitz:
            return None
        for seat, hand in self._hands.items():
            if value(hand) != BLITZ or len(hand) != HAND or view.seat(seat).shown:
                continue
            if isinstance(self._decide(seat, Declare.kind), Declare):
                return seat
        return None

    def _begins(self, seat: int) -> bool:
        begins = isinstance(self._decide(seat, Restart.kind), Restart)
        if begins:
            self._next_open = list(self._hands[seat])
        return begins

    def _decide(self, seat: int, kind: str = "", *supposed: Event) -> Event | None:
        """Return what a player does, if any action of that *kind* is allowed."""
        view, actions = self._ask(seat, *supposed)
        mine = actions_of(actions, seat)
        if not any(action.kind == kind or not kind for action in mine):
            return None
        return self._players[seat].decide(view, mine, self._options, self._hands[seat])

    def _turn(self, view: View, middle: MiddleView) -> list[Press]:
        if not self._agree(view, middle):
            misread = self._misread(view, middle)
            if misread is not None and self._put_right is not None:
                self._put_right(misread)
            else:
                self._help(dealer_of(view))
            return []
        self._fresh.clear()
        seat = view.turn
        stopper = middle.stopper
        if stopper is not None and self._declined != (stopper, view.turn):
            self._declined = (stopper, view.turn)
            if isinstance(self._decide(stopper, Knock.kind), Knock):
                return self._say("knock", stopper)
        if seat is None:
            return []
        if any(each.seat == seat for each in self._table.cards):
            self._table.take_up(seat, by=seat)  # to play with them
            return []
        event = self._decide(seat)
        if isinstance(event, Knock | Stand):
            return self._say(event.kind, seat)
        if isinstance(event, Renew) and event.face is Facing.DOWN:
            return self._renew_face_down(event)
        self._do(event, seat)
        return []

    def _say(self, word: str, seat: int) -> list[Press]:
        self._meant = word
        return [Press(Button.STICK, 0.0, seat)]

    def _renew_face_down(self, event: Renew) -> list[Press]:
        """Lay new cards face down; press a button where backs lay before (rule SW-6)."""
        closed = not any(up for _card, up in self._piles[event.hand])
        self._do(event, event.seat)
        self._meant = f"renew-{event.hand}" if closed else "renew"
        return [Press(Button.HAVE, 0.0, event.seat)] if closed else []

    def _do(self, event: Event | None, seat: int) -> None:
        """Carry out a decision: one movement now, the others queued."""
        self._mover = seat
        hand = self._hands[seat]
        match event:
            case Draw(source=Source.DISCARD):
                hand.append(self._discards.pop())
                self._table.draw_discard(by=seat)
            case Draw():
                hand.append(self._pack.pop(0))
                self._do(self._decide(seat, Discard.kind, event), seat)
            case Discard(card=Card() as card):
                hand.remove(card)
                self._discards.append(card)
                self._fresh.add(card)
                self._table.discard(card, by=seat)
            case Widow():
                self._swap(seat, "widow", event.give, event.take)
            case SwapCards():
                open_cards = [card for card, _up in self._piles["table"]]
                places = [open_cards.index(card) for card in event.take if card is not None]
                self._swap(seat, "table", event.give, places)
            case Exchange():
                self._swap(seat, str(event.hand), (event.give,), (event.pos,))
            case SwapHand():
                self._meant = "swap"
                self._swap(seat, str(event.hand), tuple(hand), range(HAND))
            case Renew():
                self._meant = "renew"
                self._renew(seat, str(event.hand), event.face is Facing.UP)

    def _swap(self, seat: int, pile: str, give: Sequence[Card | None], take: Iterable[int]) -> None:
        """Take up all the cards from the middle first, then lay one's own in their places."""
        pairs = list(zip(give, take, strict=True))
        hand, lying = self._hands[seat], self._piles[pile]
        for _card, place in pairs:
            self._todo.append(self._taking(pile, place, seat))
        for card, place in pairs:
            assert card is not None  # players know their cards
            hand.remove(card)
            hand.append(lying[place][0])
            self._put(pile, place, card, seat)
        self._todo.pop(0)()

    def _renew(self, seat: int, pile: str, up: bool) -> None:
        for place in range(HAND):
            self._todo.append(self._taking(pile, place, seat))
        for place in range(HAND):
            self._put(pile, place, self._pack.pop(0), seat, up=up)
        self._todo.pop(0)()

    # What the screen shows, compared with what was done

    def _agree(self, view: View, middle: MiddleView) -> bool:
        """Return whether the screen shows everything that was done."""
        if list(middle.discards) != self._discards:
            return False
        for name, lying in self._piles.items():
            shown = [card if up else None for card, up in lying]
            if list(middle.pile(name)) != shown:
                return False
        return True

    def _misread(self, view: View, middle: MiddleView) -> Correct | None:
        """Return the correction of a card that the screen shows as another one (rule G-10).

        Changes in a pile are counted only after the turn.
        """
        places: list[tuple[Card | None, Card]] = []
        if len(middle.discards) == len(self._discards):
            places += zip(middle.discards, self._discards, strict=True)
        if view.turn != self._mover:
            for name, lying in self._piles.items():
                places += [
                    (shown, card)
                    for shown, (card, up) in zip(middle.pile(name), lying, strict=False)
                    if up
                ]
        wrong = ((shown, card) for shown, card in places if shown not in (None, card))
        return next((Correct(shown, card) for shown, card in wrong), None)

    def _help(self, by: int) -> None:
        """Push the cards in the middle, one after the other, until they are read."""
        lying = [each for each in self._table.cards if each.seat in (DISCARD, self._table.middle)]
        if not lying:
            return
        self._tries += 1
        tops = [each for each in lying if each.seat != DISCARD]
        if any(each.seat == DISCARD for each in lying):
            tops.append(self._table.at(DISCARD)[-1])
        chosen = tops[self._tries % len(tops)]
        self._table.push(chosen, by=by)

    # Hands

    def _lay_open(self, seat: int) -> None:
        """Show a hand; push its cards if it lies face up already."""
        lying = self._table.at(seat)
        if len(lying) == HAND and all(each.face_up for each in lying):
            self._try_again(seat)
            return
        self._table.lay_open(seat, self._hands[seat])
        self._tries = 0

    def _gather(self, view: View) -> list[Press]:
        if self._table.cards and not self._gathered:
            self._table.take_up(by=dealer_of(view))
            # A player who restarts lays their hand face up in the middle (rule SW-8).
            for place, card in enumerate(self._next_open):
                self._todo.append(self._laying(place, card, dealer_of(view)))
            self._gathered = bool(self._next_open)
            return []
        return [Press(Button.NEXT, 0.0)]

    # One movement each

    def _put(self, pile: str, place: int, card: Card, by: int, *, up: bool = True) -> None:
        lying = self._piles.setdefault(pile, [])
        spot = _PLACES[pile] + place

        def lay() -> None:
            self._fresh.add(card)
            if place < len(lying):
                lying[place] = (card, up)
            else:
                lying.append((card, up))
            self._table.put(spot, card, face_up=up, by=by)

        self._todo.append(lay)

    def _taking(self, pile: str, place: int, by: int) -> Callable[[], object]:
        return lambda: self._table.take(_PLACES[pile] + place, by=by)

    def _laying(self, place: int, card: Card, by: int) -> Callable[[], object]:
        return lambda: self._table.put(_PLACES["A"] + place, card, face_up=True, by=by)
