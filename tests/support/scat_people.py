"""A small table of Thirty-one with people: where cards lie, what is pressed, what really happened.

It makes readings and presses, and beside each of them the events that are true by then.
"""

import random
from dataclasses import dataclass, field, replace

from device.croupier.history import History
from device.croupier.interpreter import Interpreter
from device.croupier.looks import Looks, Said
from device.croupier.scat.moves import ScatMoves
from device.croupier.scat.words import ScatWords
from device.croupier.search import Budget, explain
from device.ports import Button, Press
from engine import Deal, IllegalActionError, Player, Reveal, Undo, apply, deck, new_table
from engine.core.events import Claim, Declare, Discard, Draw, Knock, Source, Stand, TurnUp
from engine.core.views import Phase
from engine.games.scat.points import suit_value
from tests.support.mat_readings import NAMES
from vision.readings import (
    BackReading,
    CardReading,
    Place,
    Reading,
    UnsureReading,
    Zone,
    ZoneKind,
)

HIDDEN_MM = 12.0
"""A card whose middle lies so near under a later one does not show."""


@dataclass(frozen=True)
class Habits:
    """How often people do what; shares of turns, or of what each is about."""

    strewn_mm: tuple = (6.0, 18.0)
    noise_mm: float = 0.35
    rest_after_draw: float = 0.5
    one_motion: float = 0.0
    no_rest: float = 0.0
    put_back: float = 0.0
    knock_late: float = 0.0
    knock_unsaid: float = 0.0
    stand_unsaid: float = 0.0
    squared: float = 0.0
    stock_moved: float = 0.0
    unread: float = 0.0
    hand_unknown: float = 0.1
    hands_told: bool = True


CAREFUL = Habits()
MIXED = Habits(
    strewn_mm=(4.0, 25.0),
    one_motion=0.5,
    no_rest=0.08,
    put_back=0.06,
    knock_late=0.08,
    knock_unsaid=0.07,
    stand_unsaid=0.4,
    squared=0.03,
    stock_moved=0.03,
    unread=0.01,
    hand_unknown=0.25,
)


@dataclass
class Lying:
    """A card on the table."""

    card: object
    at: tuple
    deg: float
    unread: bool = False


@dataclass(frozen=True)
class Moment:
    """A reading or a press, and what is true by then."""

    reading: object = None
    press: object = None
    truth: tuple = ()
    turn: object = None
    state: object = None


@dataclass
class People:
    """One hand of people with habits."""

    seed: int
    players: int = 3
    habits: Habits = CAREFUL
    options: dict = field(default_factory=dict)

    def __post_init__(self):
        self.random = random.Random(self.seed)
        company = [Player(seat, NAMES[seat]) for seat in range(self.players)]
        self.state = new_table("scat", company, dealer=self.players - 1, options=self.options)
        self.first = self.state
        pack = list(deck())
        self.random.shuffle(pack)
        self.pack = pack
        self.held = {seat: [] for seat in range(self.players)}
        self.pile, self.backs, self.open = [], [], {}
        self.stock_at, self.stock_deg = (400.0, 300.0), 0.0
        self.hands, self.moments, self.time_s = [], [], 0.0
        self.done = {}

    # --- what is seen -------------------------------------------------------------------------

    def happens(self, event):
        self.state = apply(self.state, event)

    def hand(self, seat):
        self.hands.append(None if self.random.random() < self.habits.hand_unknown else seat)

    def press(self, button, seat):
        self.time_s += 1.0
        made = Press(Button(button), self.time_s, seat)
        self._note(Moment(press=made))

    def _note(self, moment):
        self.moments.append(
            replace(moment, truth=self.state.log, turn=self.state.turn, state=self.state)
        )

    def look(self):
        self.time_s += 1.0
        cards, backs, unsure = [], [], []
        layer = 0

        def place(at, deg, kind, seat=None):
            noise = self.habits.noise_mm
            x, y = (each + self.random.uniform(-noise, noise) for each in at)
            nonlocal layer
            layer += 1
            quad = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
            return Place(quad, (x, y), Zone(kind, seat), deg % 180, layer)

        if len(self.pack) > 0:
            backs.append(BackReading(0.99, place(self.stock_at, self.stock_deg, ZoneKind.STOCK)))
        for seat, slot in self.backs:
            at = (120.0 * seat + 30 * slot, 700.0)
            backs.append(BackReading(0.99, place(at, 0.0, ZoneKind.SEAT, seat)))
        for number, lying in enumerate(self.pile):
            later = self.pile[number + 1 :]
            if any(self._hides(other, lying) for other in later):
                continue
            where = place(lying.at, lying.deg, ZoneKind.DISCARD)
            if lying.unread:
                names = self._candidates(lying.card)
                unsure.append(UnsureReading(names, 0.5, where))
            else:
                cards.append(CardReading(lying.card, 0.99, where))
        for seat, hand in self.open.items():
            for slot, card in enumerate(hand):
                at = (120.0 * seat + 35 * slot, 700.0)
                cards.append(CardReading(card, 0.99, place(at, 0.0, ZoneKind.SEAT, seat)))
        hands = tuple(self.hands) if self.habits.hands_told else None
        self.hands = []
        reading = Reading(
            self.time_s, tuple(cards), tuple(backs), tuple(unsure), self.players, hands=hands
        )
        self._note(Moment(reading=reading))

    def _candidates(self, card):
        others = [each for each in deck() if each.rank is card.rank and each != card]
        return (card, others[0]) if self.random.random() < 0.8 else (others[0], card)

    def _hides(self, upper, lower):
        return all(abs(a - b) <= HIDDEN_MM for a, b in zip(upper.at, lower.at, strict=True))

    # --- what people do -----------------------------------------------------------------------

    def chance(self, share):
        return self.random.random() < share

    def play(self):
        """Play the hand; return what was seen and pressed, and what was true."""
        self._deal()
        while self.state.phase is Phase.PLAY:
            self._turn(self.state.turn)
        self._show()
        self.look()
        return self.moments

    def _deal(self):
        for slot in range(3):
            for seat in (*range(self.players),):
                self.happens(Deal(seat, None))
                self.held[seat].append(self.pack.pop())
                self.backs.append((seat, slot))
        self.look()
        self.backs = []
        self.hands.extend(range(self.players))
        self.look()
        self._lay_on_pile(self.pack.pop())
        self.happens(TurnUp(self.pile[-1].card))
        self.hand(self.players - 1)
        self.look()

    def _lay_on_pile(self, card):
        low, high = self.habits.strewn_mm
        far = self.random.uniform(low, high)
        angle = self.random.uniform(0, 6.2832)
        from math import cos, sin

        at = (600.0 + far * cos(angle), 300.0 + far * sin(angle))
        deg = self.random.uniform(0, 180)
        unread = self.chance(self.habits.unread)
        self.pile.append(Lying(card, at, deg, unread))

    def _turn(self, seat):
        habits, state = self.habits, self.state
        if self.chance(habits.squared):
            self._square()
        if self.chance(habits.stock_moved):
            self._jog_stock()
        knocked = state.live_play.knocker is not None
        turns = self.done.get(seat, 0)
        if not knocked and turns and self.chance(0.12 + 0.06 * turns):
            self._knock(seat)
            return
        if knocked and self.chance(0.35):
            self.happens(Stand(seat))
            if not self.chance(habits.stand_unsaid):
                self.press("stick", seat)
            return
        self.done[seat] = turns + 1
        top = state.live_play.top
        takes = top is not None and top.seat != seat and self.chance(0.4)
        if takes and self.chance(habits.put_back / 0.4):
            self._put_back(seat)
            takes = False
        if takes:
            self._take(seat)
        else:
            self._draw(seat)
        self._discard(seat, None if not takes else self.held[seat][-1])
        if suit_value(self.held[seat]) == 31 and not knocked:
            self.look()
            self.open[seat] = list(self.held[seat])
            self.hand(seat)
            if self.state.phase is Phase.PLAY or self._is_late(seat):
                self.happens(Declare(seat, Claim.THIRTY_ONE, tuple(self.held[seat])))
            self.look()
        elif not self.chance(habits.no_rest) or self.state.phase is not Phase.PLAY:
            self.look()

    def _is_late(self, seat):
        call = Declare(seat, Claim.THIRTY_ONE, tuple(self.held[seat]))
        try:
            apply(self.state, call)
        except IllegalActionError:
            return False
        return True

    def _knock(self, seat):
        habits = self.habits
        self.happens(Knock(seat))
        how = self.random.random()
        if how < habits.knock_unsaid:
            return
        if how < habits.knock_unsaid + habits.knock_late:
            follows = self.state.turn
            if self.state.phase is Phase.PLAY:
                self._turn(follows)
            self.press("stick", seat)
            return
        self.press("stick", seat)

    def _square(self):
        for lying in self.pile:
            lying.at = tuple(middle + self.random.uniform(-1.5, 1.5) for middle in (600.0, 300.0))

    def _jog_stock(self):
        self.stock_at = tuple(middle + self.random.uniform(-4, 4) for middle in (400.0, 300.0))
        self.stock_deg = self.random.uniform(-5, 5)

    def _put_back(self, seat):
        lying = self.pile.pop()
        self.hand(seat)
        if self.chance(0.5):
            self.state, before = apply(self.state, Draw(seat, Source.DISCARD)), self.state
            self.look()
            self.state = before
        self._lay_on_pile(lying.card)
        self.hand(seat)

    def _take(self, seat):
        lying = self.pile.pop()
        self.happens(Draw(seat, Source.DISCARD))
        self.held[seat].append(lying.card)
        self.hand(seat)
        if not self.chance(self.habits.one_motion):
            self.look()

    def _draw(self, seat):
        self.happens(Draw(seat, Source.STOCK))
        self.held[seat].append(self.pack.pop())
        self.stock_at = tuple(middle + self.random.uniform(-2, 2) for middle in (400.0, 300.0))
        self.hand(seat)
        if self.chance(self.habits.rest_after_draw):
            self.look()

    def _discard(self, seat, bound):
        hand = self.held[seat]
        choices = [card for card in hand if card != bound]
        keep = max(
            choices,
            key=lambda card: suit_value([each for each in hand if each != card]),
        )
        thrown = keep if self.chance(0.8) else self.random.choice(choices)
        hand.remove(thrown)
        self._lay_on_pile(thrown)
        self.happens(Discard(seat, thrown))
        self.hand(seat)

    def _show(self):
        if self.state.phase is not Phase.SHOWDOWN:
            return
        seats = list(self.held)
        self.random.shuffle(seats)
        for seat in seats:
            cards = list(self.held[seat])
            self.random.shuffle(cards)
            self.open[seat] = cards
            self.hand(seat)
            if seat in self.state.live_play.to_reveal():
                self.happens(Reveal(seat, tuple(cards)))
            self.look()


class Table:
    """A croupier that reads what people do, and is answered with the truth."""

    def __init__(self, people):
        self.people, self.state = people, people.first
        self.moves = ScatMoves()
        self.croupier = Interpreter(self.moves, ScatWords())
        self.result, self.asked, self.notices = None, [], []

    def run(self):
        for moment in self.people.moments:
            self.feed(moment)
            self.wait()
            for _ in range(6):
                if self.result.question is None or not self.answer(moment):
                    break
        return self

    def feed(self, moment):
        if moment.reading is not None:
            self.follow(self.croupier.on_reading(moment.reading, self.state))
        else:
            self.follow(self.croupier.on_press(moment.press, self.state))

    def wait(self):
        """Let the time go on until nothing is repaired any more."""
        if self.croupier._set.is_repairing:
            while self.croupier._set.is_repairing:
                self.croupier._set.go_on()
            self.follow(self.croupier.reinterpret(self.state))

    def follow(self, result):
        for _ in range(50):
            for event in (*[Undo()] * result.back, *result.events):
                self.state = apply(self.state, event)
            self.result = result
            if not result.events and not result.back:
                return
            result = self.croupier.reinterpret(self.state)

    def answer(self, moment):
        """Answer the open question with what is true; return whether that was possible."""
        question = self.result.question
        if not self.asked or self.asked[-1] != question:
            self.asked.append(question)
        wanted = truth_of(question, self.croupier._fork, moment, self.people)
        if wanted is None:
            return False
        if question.is_direct:
            button = Button.HAVE if wanted == 0 else Button.STICK
            self.follow(self.croupier.on_press(Press(button, 0.0), self.state))
        else:
            self.croupier.choose(wanted)
            self.follow(self.croupier.on_press(Press(Button.HAVE, 0.0), self.state))
        return True


def truth_of(question, fork, moment, people):
    """Return which answer is true; ``None`` where none is."""
    kind = str(question.kind)
    if kind == "card":
        codes = [str(each) for each in question.candidates]
        lying = [str(each.card) for each in people.pile] + [
            str(card) for hand in people.open.values() for card in hand
        ]
        real = (
            [str(each.card) for each in people.every if each.unread]
            if hasattr(people, "every")
            else lying
        )
        return next((codes.index(code) for code in codes if code in real), None)
    if fork is None:
        return None
    words = ScatWords()
    if fork.doubt is not None:
        seats = [int(each.key) for each in question.candidates]
        return next((n for n, seat in enumerate(seats) if Knock(seat) in moment.truth), len(seats))
    real = words.answers(History(replace(moment.state, events=()), None), None).get(fork.about)
    for place, part in enumerate(fork.parts):
        if real is not None and words.answers(part[0], None).get(fork.about) == real:
            return place
    for place, part in enumerate(fork.parts):
        if any(agrees(history.events, moment.truth) for history in part):
            return place
    return None


def agrees(events, truth):
    """Return whether *events* are what is true so far, or are only late by what shows nothing."""
    if len(events) > len(truth):
        return False
    return all(_same(mine, real) for mine, real in zip(events, truth, strict=False))


def _same(mine, real):
    if isinstance(mine, Discard) and mine.card is None:
        return isinstance(real, Discard) and real.seat == mine.seat
    if isinstance(mine, Reveal) and isinstance(real, Reveal):
        return mine.seat == real.seat and set(mine.cards) == set(real.cards)
    if isinstance(mine, Draw) and isinstance(real, Draw):
        return (mine.seat, mine.source) == (real.seat, real.source)
    if isinstance(mine, Declare) and isinstance(real, Declare):
        return mine.seat == real.seat
    return mine == real


def follow_truth(people, most=12):
    """Explain what people do by what they really do; return the cost of each look.

    Of all ways to go on only those are kept that agree with the truth; ``None`` where there is none
    left: then the generator is short of a move.
    """
    moves = ScatMoves()
    looks = Looks()
    bare = replace(people.first, events=())
    kept = [History(bare, moves.start(bare, looks.last), hands=())]
    costs = []
    for number, moment in enumerate(people.moments):
        if moment.reading is not None:
            look = looks.see(moment.reading, hands=moment.reading.hands, blind=number == 0)
        else:
            look = looks.hear(Said(moment.press))
        grown = [
            way
            for each in kept
            for way in explain(moves, each, look, most, Budget(4000))
            if agrees(way.events, moment.truth)
        ]
        if not grown:
            return costs, None
        grown.sort(key=lambda each: each.cost)
        seen = {}
        for each in grown:
            seen.setdefault((each.events, each.said, each.hands), each)
        kept = list(seen.values())[:60]
        costs.append(kept[0].cost)
    return costs, kept
