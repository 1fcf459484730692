"""Simulated players of Thirty-one: they hold their cards, and play by their strategy.

They know their own cards, what lies face up, the screen and the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from device.croupier.questions import Candidate, Choice, Question, QuestionKind
from device.ports import Button, Press
from device.simulator.answers import answer_from_table
from device.simulator.players import CardPlayers, dealer_of
from device.simulator.scat_table import DISCARD, ScatTable
from device.simulator.sprites import PlacedCard
from engine import Event
from engine.core.cards import Card
from engine.core.events import (
    ChooseHand,
    Claim,
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


class Middle:
    """The cards between the players: where they lie in truth, and the movements still to come.

    Attributes:
        discards: the discard pile, its top last.
        piles: the cards of each pile by place, and whether they lie face up.
    """

    def __init__(self, table: ScatTable) -> None:
        """Start with nothing there."""
        self.discards: list[Card] = []
        self.piles: dict[str, list[tuple[Card, bool]]] = {}
        self._table = table
        self._todo: list[Callable[[], object]] = []

    def clear(self, opened: Sequence[Card]) -> None:
        """Forget the last hand; the cards *opened* by a restart lie there already (rule SW-8)."""
        self.discards, self._todo = [], []
        self.piles = {"A": [(card, True) for card in opened]} if opened else {}

    def go_on(self) -> bool:
        """Make the next movement; return whether there was one."""
        if self._todo:
            self._todo.pop(0)()
            return True
        return False

    def deal(self, pile: str, card: Card, by: int) -> None:
        """Deal one card to a pile."""
        lying = self.piles[pile]
        lying.append((card, pile == "table"))
        self._table.put(_PLACES[pile] + len(lying) - 1, card, face_up=pile == "table", by=by)

    def discard(self, card: Card, by: int) -> None:
        """Lay a card on the discard pile."""
        self.discards.append(card)
        self._table.discard(card, by=by)

    def draw_discard(self, by: int) -> Card:
        """Take up the top of the discard pile."""
        self._table.draw_discard(by=by)
        return self.discards.pop()

    def swap(
        self, pile: str, take: Iterable[int], hand: list[Card], give: Sequence[Card | None], by: int
    ) -> None:
        """Take up all the cards from the middle first, then lay one's own in their places."""
        pairs = list(zip(give, take, strict=True))
        self._take(pile, [place for _card, place in pairs], by)
        for card, place in pairs:
            assert card is not None  # players know their cards
            hand.remove(card)
            hand.append(self.piles[pile][place][0])
            self.put(pile, place, card, by)
        self.go_on()

    def renew(self, pile: str, cards: Sequence[Card], by: int, *, up: bool) -> None:
        """Take up a whole pile, then lay these cards there."""
        self._take(pile, range(len(cards)), by)
        for place, card in enumerate(cards):
            self.put(pile, place, card, by, up=up)
        self.go_on()

    def put(self, pile: str, place: int, card: Card, by: int, *, up: bool = True) -> None:
        """Lay a card on a place of a pile, after the movements that are still to come."""
        lying = self.piles.setdefault(pile, [])

        def lay() -> None:
            lying[place : place + 1] = [(card, up)]
            self._table.put(_PLACES[pile] + place, card, face_up=up, by=by)

        self._todo.append(lay)

    def lay_open(self, cards: Sequence[Card], by: int) -> None:
        """Lay the hand of who restarts in the middle, for the next hand (rule SW-8)."""
        for place, card in enumerate(cards):
            self._todo.append(partial(self._table.put, place, card, face_up=True, by=by))

    def agrees(self, shown: MiddleView) -> bool:
        """Return whether the screen shows everything that was done.

        Of the discards the top must be right: whether one below it was taken may stay in doubt.
        """
        return list(shown.discards[-1:]) == self.discards[-1:] and all(
            list(shown.pile(name)) == [card if up else None for card, up in lying]
            for name, lying in self.piles.items()
        )

    def misread(self, shown: MiddleView, *, turn_is_over: bool) -> Correct | None:
        """Return the correction of a card that the screen shows as another one (rule G-10).

        Changes in a pile are counted only after the turn.
        """
        places: list[tuple[Card | None, Card]] = []
        if len(shown.discards) == len(self.discards):
            places += zip(shown.discards, self.discards, strict=True)
        if turn_is_over:
            for name, lying in self.piles.items():
                pairs = zip(shown.pile(name), lying, strict=False)
                places += [(seen, card) for seen, (card, up) in pairs if up]
        wrong = ((seen, card) for seen, card in places if seen not in (None, card))
        return next((Correct(seen, card) for seen, card in wrong), None)

    def tops(self) -> list[PlacedCard]:
        """Return the cards there that the camera sees."""
        lying = [each for each in self._table.cards if each.seat == self._table.middle]
        return lying + list(self._table.at(DISCARD)[-1:])

    def _take(self, pile: str, places: Iterable[int], by: int) -> None:
        for place in places:
            self._todo.append(partial(self._table.take, _PLACES[pile] + place, by=by))


class ScatPlayers(CardPlayers):
    """Players and dealer of a :class:`ScatTable`; *middle* are the cards between them."""

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
        """Seat one player per name, from seat 0 on; as :class:`CardPlayers`.

        *ask* returns what a player sees and may do. *put_right* corrects a misread card, as the
        menu does; without it the players push the card instead.
        """
        super().__init__(table, seed, names, styles, options, game="scat")
        self._ask = ask
        self._put_right = put_right
        self.middle = Middle(table)
        self._second: list[Card] = []
        self._meant = ""
        self._declined: object = None
        self._mover: int | None = None
        self._in_turn = False
        self._knocker: int | None = None
        self._taken: set[tuple[int, Card]] = set()
        self._next_open: list[Card] = []
        self._gathered = False
        self._view: View | None = None

    def act(self, view: View) -> list[Press]:
        """Make at most one move at the table; return the buttons pressed."""
        self._view = view
        if self._table.is_moving:
            return []
        if view.hand_number != self._hand:
            self._shuffle(view.hand_number)
        if self.middle.go_on():
            self._tries = 0
            return []
        if view.phase is Phase.CUT:
            self._cut(view)
        elif view.phase is Phase.DEAL:
            self._deal(view)
        elif _is_short(view, self._hands):
            return [Press(Button.MENU, 0.0)]  # a card was counted that nobody dealt
        elif (caller := self._caller(view)) is not None:
            self._lay_open(caller)
        elif view.phase is Phase.DONE:
            return self._gather(view)
        elif view.middle is not None:
            return self._act_with_middle(view, view.middle)
        return []

    def _act_with_middle(self, view: View, middle: MiddleView) -> list[Press]:
        dealer = dealer_of(view)
        if view.phase is Phase.TURN_UP and self.middle.discards:
            self._help(dealer)
        elif view.phase is Phase.TURN_UP:
            self.middle.discard(self._pack.pop(0), dealer)
        elif view.phase is Phase.CHOOSE:
            self._choose(dealer)
        elif view.phase is Phase.SHOWDOWN:
            self._lay_open(view.to_reveal[0])
        elif view.phase is Phase.PLAY:
            return self._turn(view, middle)
        return []

    def answer(self, question: Question) -> list[Press]:
        """Answer the croupier truthfully."""
        if question.kind is QuestionKind.MISDEAL:
            return [Press(Button.HAVE, 0.0)]  # only asked for when needed
        # Only the top of a pile is visible, so a question about a card is about the top.
        here = self._table.nearest(question.place)
        up = self._table.face_up() if here is None else {here.card} if here.face_up else ()
        said = {each for each in question.candidates if self._is_true(question, each)}
        return answer_from_table(question, {*up, *said})

    def _is_true(self, question: Question, answer: Candidate) -> bool:
        """Return whether *answer* is what happened."""
        if not isinstance(answer, Choice):
            return False
        seat, key = question.seat, answer.key
        match question.kind:
            case QuestionKind.RESTART:
                asked = [each.key for each in question.candidates if isinstance(each, Choice)]
                begins = (each for each in asked if each.isdigit() and self._begins(int(each)))
                return key == next(begins, "accept")
            case QuestionKind.WHOSE:
                return key == str(self._next_seat())
            case QuestionKind.SOURCE:
                return key == ("discard" if (seat, question.was) in self._taken else "stock")
            case QuestionKind.KNOCKER:
                return key == str(self._knocker)
            case QuestionKind.KNOCKED:
                return key == ("yes" if self._knocker == seat else "no")
            case QuestionKind.MOVE:
                return key == self._meant
        return answer is question.candidates[question.selected]

    def _next_seat(self) -> int | None:
        """Return whose turn it is in truth: who moved last, or whoever sits to the left."""
        turn = None if self._view is None else self._view.turn
        if self._mover is None or self._mover not in self._hands or self._in_turn:
            return turn if self._mover is None else self._mover
        seats = sorted(self._hands)
        return seats[(seats.index(self._mover) + 1) % len(seats)]

    # The deal

    def _shuffle(self, number: int) -> None:
        super()._shuffle(number)
        allowed = pack_of(self._options)
        kept = set(self._next_open)
        self._pack = [card for card in self._pack if card in allowed and card not in kept]
        self._cut_pack = [card for card in self._cut_pack if card in allowed]
        self.middle.clear(self._next_open)
        self._second, self._next_open, self._gathered = [], [], False
        self._declined = self._mover = self._knocker = None
        self._in_turn = False
        self._taken.clear()

    def _deal(self, view: View) -> None:
        if self._table.cards and not self._hands and not self.middle.piles:
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
        if len(self.middle.piles.setdefault(pile, [])) > counted:
            self._help(dealer)
            return
        self.middle.deal(pile, self._pack.pop(0), dealer)
        self._tries = 0

    def _choose(self, dealer: int) -> None:
        """Keep one of the dealer's two hands, lay the other face up in the middle (rule SW-2)."""
        if self.middle.piles.get("A"):
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
            self.middle.put("A", place, card, dealer)

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
            shown = self._ask(seat)[0].seat(seat).cards  # the game has them in this order
            self._next_open = [card for card in shown if card is not None]
        return begins

    def _decide(self, seat: int, kind: str = "", *supposed: Event) -> Event | None:
        """Return what a player does, if any action of that *kind* is allowed."""
        view, actions = self._ask(seat, *supposed)
        mine = [one for one in actions_of(actions, seat) if one.what is not Claim.OUT]
        if not any(action.kind == kind or not kind for action in mine):
            return None
        return self._players[seat].decide(view, mine, self._options, self._hands[seat])

    def _turn(self, view: View, middle: MiddleView) -> list[Press]:
        if not self.middle.agrees(middle):
            misread = self.middle.misread(middle, turn_is_over=view.turn != self._mover)
            if misread is not None and self._put_right is not None:
                self._put_right(misread)
            else:
                self._help(dealer_of(view))
            return []
        seat = view.turn
        stopper = middle.stopper
        if stopper is not None and self._declined != (stopper, view.turn):
            self._declined = (stopper, view.turn)
            knock = self._decide(stopper, Knock.kind)
            if isinstance(knock, Knock):
                return self._do(knock, stopper)
        if seat is None:
            return []
        if any(each.seat == seat for each in self._table.cards):
            self._table.take_up(seat, by=seat)  # to play with them
            return []
        if len(view.seat(seat).cards) != len(self._hands[seat]):
            self._help(dealer_of(view))  # the screen has not seen yet what was laid
            return []
        return self._do(self._decide(seat), seat)

    def _do(self, event: Event | None, seat: int) -> list[Press]:
        """Carry out a decision: one movement now, the others queued; return the buttons pressed."""
        if isinstance(event, Knock | Stand):
            self._meant, self._mover, self._in_turn = event.kind, seat, False
            self._knocker = seat if isinstance(event, Knock) else self._knocker
            return [Press(Button.STICK, 0.0, seat)]
        self._mover = seat
        self._in_turn = isinstance(event, Draw)
        hand, middle = self._hands[seat], self.middle
        match event:
            case Draw(source=Source.DISCARD):
                hand.append(middle.draw_discard(seat))
                self._taken.add((seat, hand[-1]))
            case Draw():
                hand.append(self._pack.pop(0))
                return self._do(self._decide(seat, Discard.kind, event), seat)
            case Discard(card=Card() as card):
                hand.remove(card)
                middle.discard(card, seat)
            case Widow():
                middle.swap("widow", event.take, hand, event.give, seat)
            case SwapCards():
                opened = [card for card, _up in middle.piles["table"]]
                places = [opened.index(card) for card in event.take if card is not None]
                middle.swap("table", places, hand, event.give, seat)
            case Exchange():
                middle.swap(str(event.hand), (event.pos,), hand, (event.give,), seat)
            case SwapHand():
                self._meant = "swap"
                middle.swap(str(event.hand), range(HAND), hand, tuple(hand), seat)
            case Renew():
                pile, up = str(event.hand), event.face is Facing.UP
                # New backs on old ones cannot be seen: a button says so (rule SW-6).
                unseen = not up and not any(was_up for _card, was_up in middle.piles[pile])
                self._meant, self._in_turn = "renew", not up
                middle.renew(pile, [self._pack.pop(0) for _ in range(HAND)], seat, up=up)
                return [Press(Button.HAVE, 0.0, seat)] if unseen else []
        return []

    def _help(self, by: int) -> None:
        """Push the cards in the middle, one after the other, until they are read."""
        tops = self.middle.tops()
        if tops:
            self._tries += 1
            self._table.push(tops[self._tries % len(tops)], by=by)

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
            self.middle.lay_open(self._next_open, dealer_of(view))
            self._gathered = bool(self._next_open)
            return []
        return [Press(Button.NEXT, 0.0)]


def _is_short(view: View, hands: Mapping[int, Sequence[Card]]) -> bool:
    """Return whether somebody has fewer cards than the screen shows (rule G-13).

    A player who has drawn holds one more card until the screen shows the discard.
    """
    if view.phase is Phase.DONE:
        return False
    drawer = view.turn if view.middle is not None and view.middle.drawn else None
    return any(len(hands.get(s.seat, ())) < len(s.cards) - (s.seat == drawer) for s in view.seats)
