"""The croupier of a table that no camera sees: people enter each card and throw by buttons.

It knows no game: what comes next is what the engine lists as legal. What nobody need tell is done
by itself; where a card or a throw must be known it is asked for, and where players may do one thing
or another, which it was. Each answer goes in as an event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.explain import explain, name_of
from device.croupier.lines import since_line
from device.croupier.open_cards import OpenCards
from device.croupier.questions import (
    OTHER,
    Candidate,
    Choice,
    CroupierResult,
    Notice,
    Question,
    QuestionKind,
)
from device.ports import Button, Press
from engine import TABLE, Event, IllegalActionError, State, apply, legal_actions, view
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.events import (
    Choose,
    Claim,
    Correct,
    CorrectBone,
    Cut,
    Deal,
    DealTo,
    Declare,
    Discard,
    Draw,
    Facing,
    Have,
    Knock,
    Misdeal,
    NextHand,
    Reveal,
    Roll,
    Source,
    Stake,
    Stand,
    Stick,
    TurnUp,
    Undo,
)
from engine.core.messages.message import Joined, Listing, Message, Style, Styled, Value
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import card_words, rank_word
from engine.core.refusals import Refusal
from engine.core.views import Phase, TableKind
from engine.games.base import Action
from engine.games.knucklebones.play import BonesPlay
from engine.games.prompts import cut, dealt
from vision.readings import Reading

BY_HAND = "by_hand"
"""Stands in the journal beside each event that was entered by hand."""

MOST_STAKE = 10
"""The largest stake that can be chosen from the list."""

Answers = Sequence[Candidate]
"""What was answered, one for each question of an entry."""

UNSEEN = Choice("none", Message("nobody saw it"))
"""The answer of people who lay a card that nobody has seen."""

WHAT_HAPPENED = Message("What happened?")

GIVE_BACK = Message("The card that was dealt goes back to the pack.")
"""Said when a card that was asked for is taken back."""

WAIT = Message("Everybody else waits.")
"""Stands below what one player enters besides the game."""

OF_A_CARD = (Refusal.DUPLICATE_CARD, Refusal.NOT_IN_DECK, Refusal.MISMATCH)
"""Why a card that people name cannot be."""

IF_OTHER_WRONG = Message("If another card was wrong, take it back with UNDO.")

TAKE_BACK = KeyHint("undo", Message("take back"))


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that people enter.

    Attributes:
        asks: what must be known for it, one question after the other.
        events: returns what it is in the game once all is answered.
        given: the answers so far.
        are_new: no card that is named may lie on the table already.
        known: cards of the same hand that everybody knows.
    """

    asks: tuple[Question, ...]
    events: Callable[[Answers], Sequence[Event]]
    given: tuple[Candidate, ...] = ()
    are_new: bool = False
    known: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class _Half:
    """What people were entering when something else was entered."""

    entry: Entry
    question: Question
    is_listed: bool
    is_chosen: bool
    by: int | None


Option = tuple[Value, Entry]
"""An answer to "What happened?" in words, and what is to be entered then."""


class ByHand:
    """The croupier of a table without a camera; used as :class:`Interpreter` is."""

    def __init__(self, open_cards: OpenCards = OpenCards.NONE) -> None:
        """Begin; the game's state says what is needed first.

        *open_cards* are dealt open by agreement.
        """
        self._open_cards = open_cards
        self._entry: Entry | None = None
        self._options: tuple[Option, ...] = ()
        self._question: Question | None = None
        self._listed = self._is_chosen = False
        self._by: int | None = None  # whose list it is; without one that of the console
        self._half: _Half | None = None
        self._given_back: tuple[Event, ...] | None = None  # the log without a card just dealt
        self._thrown = 0  # the hand of which a throw was taken back: its stakes are laid
        self._log: tuple[Event, ...] | None = None
        self._now_s = 0.0
        self._lines: tuple[str, ...] = ()
        self._unwritten: tuple[tuple[Event, ...], tuple[Event, ...]] | None = None

    # The ways in

    def on_reading(self, reading: Reading, state: State) -> CroupierResult:
        """Pass over a reading: while people enter what lies there, they alone say it."""
        return self.reinterpret(state)

    def reinterpret(self, state: State) -> CroupierResult:
        """Return what happens by itself now, else what is asked."""
        return self._result(state)

    def on_time(self, now_s: float, state: State, *, moving: bool = False) -> CroupierResult | None:
        """Let time pass; at a new table, say what is needed first."""
        self._now_s = max(self._now_s, now_s)
        return None if state.log == self._log else self._result(state)

    def on_press(self, press: Press, state: State) -> CroupierResult:
        """Handle a press."""
        self._now_s = max(self._now_s, press.time_s)
        self._look_at(state)
        question, button = self._question, press.button
        if self._unwritten is not None:
            if button is Button.UNDO:
                self._unwritten = None
            return self._result(state)
        if button is Button.UNDO:
            return self._back(state, press.seat)
        if button is Button.MENU:
            return self._list(state, press.seat)
        is_left = question is not None and self._listed and self._entry is None
        if question is not None and is_left and press.seat not in (None, question.seat):
            self._list(state, self._by)  # a list that was left open stops nobody
            question = self._question
        lays_stakes = _lays_stakes(press, state)
        if lays_stakes and press.seat not in self.stakes(state):
            thrown = Message("The bones are thrown: stakes stay as they are.")
            return self._result(state, Notice(thrown))
        if button is Button.OUT or lays_stakes:
            return self._word(press, state)
        if question is not None and press.seat in (None, question.seat):
            return self._answer_by(question, button, state)
        if button in (Button.HAVE, Button.STICK):
            return self._word(press, state)
        return self._next(state) if button is Button.NEXT else self._result(state)

    def choose(self, number: int) -> None:
        """Mark answer *number* of the open question, from 0, which HAVE then takes."""
        if self._question is not None and self._question.candidates:
            selected = number % len(self._question.candidates)
            self._question = replace(self._question, selected=selected)

    def enter(self, event: Event, state: State) -> CroupierResult:
        """Handle what people enter by the menu: a correction, a player who leaves (G-10, G-16)."""
        return self._play((event,), state)

    def take_lines(self) -> tuple[str, ...]:
        """Return that what the camera sees from here on explains the hand from here on."""
        lines, self._lines = self._lines, ()
        return lines

    def keep_lines(self, lines: Sequence[str]) -> None:
        """Keep *lines* that were taken and could not be written."""
        self._lines = (*lines, *self._lines)

    def stakes(self, state: State) -> tuple[int, ...]:
        """Return the seats that may change their stakes: none once a bone of the round is named."""
        is_named = self._entry is not None and self._entry.given
        return () if is_named or self._thrown == state.hand_number else tuple(stakes_of(state))

    @property
    def stories(self) -> tuple[tuple[tuple[Event, ...], ...], ...]:
        """For each answer of "What happened?" the events of the hand then; else empty."""
        log = self._log or ()
        return tuple(
            ((log if entry.asks else (*log, *entry.events(()))),) for _, entry in self._options
        )

    @property
    def is_entering(self) -> bool:
        """Whether something is entered half: before the last event that is taken back."""
        question, entry = self._question, self._entry
        if question is None:
            return False
        has_given = entry is not None and bool(entry.given)
        return self._listed or self._is_chosen or has_given or _asks_suit(question)

    # What is asked

    def _look_at(self, state: State) -> None:
        """Start again where the game has gone on; what was entered half may still be due."""
        if self._unwritten is not None and self._unwritten[0] != state.log:
            self._unwritten = None
        if state.log != self._log:
            self._log = state.log
            self._set_aside()
            self._options, self._question, self._listed = (), None, False

    def _set_aside(self) -> None:
        """Keep what is entered half until something else is."""
        if self._entry is not None and self._question is not None:
            self._half = _Half(self._entry, self._question, self._listed, self._is_chosen, self._by)
        self._entry, self._is_chosen = None, False

    def _go_on(self, state: State) -> None:
        """Ask what is due, or go on with what was entered half where that still can be."""
        due, half = _due(state), self._half
        self._half, self._is_chosen = None, False
        options = [entry for _, entry in due] if isinstance(due, tuple) else [due]
        if half is not None and half.is_listed:
            options = [entry for _, entry in _besides(state, half.by)]
        found = [each for each in options if half is not None and each.asks == half.entry.asks]
        if half is None or not found or not half.entry.asks:
            self._open(due, state)
            return
        self._entry, self._options = replace(found[0], given=half.entry.given), ()
        self._question, self._listed = half.question, half.is_listed
        self._is_chosen, self._by = half.is_chosen, half.by

    def _result(self, state: State, *refused: Notice) -> CroupierResult:
        self._look_at(state)
        if self._unwritten is not None:
            return self._played(self._unwritten[1], state)
        if self._question is None:
            event = None if self._lie_open(state) else _by_itself(state)
            if event is not None:
                return self._played((event,), state)
            self._go_on(state)
        deals = GIVE_BACK if state.log == self._given_back else _deals(state)
        notices = () if deals is None or self._question else (Notice(deals, urgent=False),)
        return CroupierResult((), self._question, notices, refused)

    def _lie_open(self, state: State) -> bool:
        """Return whether what is dealt now lies open at the seats, so that it must be known."""
        drawn = self._open_cards is OpenCards.DRAWN and state.phase is Phase.PLAY
        agreed = drawn or self._open_cards is OpenCards.ALL
        return agreed and state.setup.game.table is TableKind.SEATS

    def _open(self, due: Entry | tuple[Option, ...], state: State) -> None:
        """Ask the next question of an entry, or which of some options happened."""
        if isinstance(due, tuple):
            self._entry, self._options = None, due
            texts = [text for text, _ in due]
            self._question = _which(texts, None if self._listed else state) if due else None
            if self._question is not None and not self._listed:
                self._question = replace(self._question, detail=_deals(state) or "")
            elif self._question is not None and self._by is not None:
                name = name_of(state, self._by)
                text = Message("{name}: {said}", name=name, said=WHAT_HAPPENED)
                asked = replace(self._question, text=text, detail=may_close(name))
                self._question = replace(asked, seat=self._by)
            return
        self._entry, self._options = due, ()
        question = due.asks[len(due.given)]
        hints: tuple[KeyHint, ...] = (*ask.MARKED, TAKE_BACK)
        if question.kind is QuestionKind.CARD and not question.cards:
            question, hints = _rank(question), (*ask.MARKED, ask.STEP[2], TAKE_BACK)
        detail = _deals(state) or cut(view(state, TABLE))
        if self._listed and self._by is not None:
            question = replace(question, seat=self._by)
            detail = may_close(name_of(state, self._by))
        elif self._is_chosen and not self._listed:
            detail = WAIT
        named = tuple(ask.answer_words(each) for each in (*due.known, *due.given))
        if due.known and (due.given or not self._listed):
            detail = Message("Known already: {cards}.", cards=Listing(named))
        elif due.given and (due.are_new or question.kind is QuestionKind.FACE):
            detail = Message("Named so far: {cards}.", cards=Listing(named))
        self._question = replace(question, hints=hints, detail=detail)

    def _answer_by(self, question: Question, button: Button, state: State) -> CroupierResult:
        """Take the answer of a press, or mark another one."""
        chosen, step = _chosen(question, button), ask.stride(question, button)
        if chosen is not None:
            return self._answer(question, chosen, state)
        if step is not None:
            selected = (question.selected + step) % len(question.candidates)
            self._question = replace(question, selected=selected)
        return self._result(state)

    def _answer(self, question: Question, chosen: int, state: State) -> CroupierResult:
        """Take answer number *chosen*, or ask for the suit of that rank."""
        answer = question.candidates[chosen]
        suits = None if answer == UNSEEN else ask.next_step(question, chosen)
        if suits is not None:
            rank = rank_word(suits.cards[0].rank)
            whose = (name_of(state, suits.seat), rank)
            card = Styled(rank, Style.CAPITAL) if suits.seat is None else Joined(whose, ", ")
            text = Message("{card}: which suit is it?", card=card)
            self._question = replace(suits, text=text, hints=())
            return self._result(state)
        if self._entry is None:
            self._is_chosen = True
            return self._follow(self._options[chosen][1], state)
        lies_there = _lies_there(answer, self._entry, state)
        if lies_there is not None:
            self._open(self._entry, state)
            return self._result(state, lies_there)
        return self._follow(replace(self._entry, given=(*self._entry.given, answer)), state)

    def _follow(self, entry: Entry, state: State) -> CroupierResult:
        """Go on with an entry: ask what is missing, else play it."""
        if len(entry.given) < len(entry.asks):
            self._open(entry, state)
            return self._result(state)
        self._entry = None  # nothing of it is left half
        asked = self._question
        result = self._play(entry.events(entry.given), state)
        is_asked = self._question is asked
        if result.refused and entry.given and is_asked:  # the last answer cannot be right
            self._open(replace(entry, given=entry.given[:-1]), state)
            result = replace(result, question=self._question)
        return result

    def _list(self, state: State, by: int | None = None) -> CroupierResult:
        """Open the list of what may have happened besides; close it where it is open.

        A player has one of what is theirs to say, without disturbing another who uses it.
        """
        is_open = self._listed and self._by == by
        options = tuple(_besides(state, by))
        is_used = self._listed and self._entry is not None and self._by is not None
        if not is_open and (not options or (is_used and by is not None)):
            return self._result(state, Notice(messages.REFUSALS[Refusal.WRONG_PHASE]))
        if not self._listed:
            self._set_aside()
        self._entry, self._question, self._listed, self._by = None, None, not is_open, by
        self._is_chosen = False
        if self._listed:
            self._open(options, state)
        return self._result(state)

    # Events

    def _word(self, press: Press, state: State) -> CroupierResult:
        """Take a word of a player; without a seat it is that of the player to move."""
        play = state.live_play
        seat = press.seat if press.seat is not None or play is None else play.turn
        if seat is None and play is not None and play.to_reveal():
            seat = play.to_reveal()[0]
        if seat is None:
            return self._result(state, messages.nobody_asked())
        event: Event = Declare(seat, Claim.OUT)
        if _lays_stakes(press, state):
            more = 1 if press.button is Button.HAVE else -1
            event = Stake(seat, stakes_of(state)[seat] + more)
        elif press.button is not Button.OUT:
            event = Have(seat) if press.button is Button.HAVE else Stick(seat)
        return self._play((event,), state)

    def _next(self, state: State) -> CroupierResult:
        if state.phase is not Phase.DONE:
            return self._result(state, messages.not_over())
        return self._play((NextHand(),), state)

    def _back(self, state: State, seat: int | None = None) -> CroupierResult:
        """Take the last answer back, else the last thing that was entered.

        A player *seat* takes back what they did last, while another is still entering something.
        """
        question, entry = self._question, self._entry
        is_own = question is not None and (seat is None or question.seat in (None, seat))
        if question is not None and (is_own or not self.is_entering):
            if self._listed and entry is None:
                return self._list(state, self._by)
            if entry is not None and (_asks_suit(question) or entry.given):
                given = entry.given if _asks_suit(question) else entry.given[:-1]
                self._open(replace(entry, given=given), state)
                return self._result(state)
            if self._is_chosen:
                self._entry, self._is_chosen = None, False
                self._open(tuple(_besides(state, self._by)) if self._listed else _due(state), state)
                return self._result(state)
        log = list(state.log)
        while log and is_blind(log[-1]):
            log.pop()
        back = len(state.log) - len(log) + 1
        if back == 2:
            self._given_back = tuple(log[:-1])
        if log and isinstance(log[-1], Roll):
            self._thrown = state.hand_number
        return self._play((Undo(),) * back, state)

    def _play(self, events: Sequence[Event], state: State) -> CroupierResult:
        """Play *events*, all or none of them."""
        try:
            after = state
            for event in events:
                after = apply(after, event)
        except IllegalActionError as refusal:
            if refusal.code == Refusal.FALSE_31:  # play goes on, without what was named
                self._question, self._listed = None, False
            if refusal.code in OF_A_CARD:  # the rules speak of a card that was read
                return self._result(state, Notice(messages.REFUSALS[refusal.code], IF_OTHER_WRONG))
            return self._result(state, Notice(explain(state, refusal)))
        return self._played(events, state)

    def _played(self, events: Sequence[Event], state: State) -> CroupierResult:
        self._unwritten = (state.log, tuple(events))  # until the game has gone on
        for event in events:
            state = apply(state, event)
        self._lines = (since_line(len(state.log), self._now_s),)
        self._log = None  # whatever was asked is asked anew
        return CroupierResult(tuple(events), marks=(BY_HAND,) * len(events))


# --- what comes next ----------------------------------------------------------------------------


def can_be_entered(options: object) -> bool:
    """Return whether a game by *options* can be entered by hand.

    Not where cards in the middle change places with those of the players.
    """
    return getattr(options, "table", "none") == "none"


def may_close(name: Value) -> Message:
    """Return what stands below what the player called *name* enters from the list behind MENU."""
    return Message("Everybody else waits; {name} closes this by MENU.", name=name)


def _by_itself(state: State) -> Event | None:
    """Return what nobody need tell: a card that is dealt face down."""
    action = next(_next_actions(state), None)
    if action is None or action.kind != Deal.kind or action.face is not Facing.DOWN:
        return None
    if action.pile is not None:
        return DealTo(action.pile, None)
    return None if action.seat is None else Deal(action.seat, None)


def _next_actions(state: State) -> Iterator[Action]:
    """Yield what the rules allow; of a deal only whose turn it is to get a card."""
    actions = legal_actions(state)
    deals = [action for action in actions if action.kind == Deal.kind]
    if deals:
        yield min(deals, key=lambda each: len(_cards(state, each.seat)))
    yield from (action for action in actions if action.kind != Deal.kind)


def is_blind(event: Event) -> bool:
    """Return whether *event* is a card dealt face down, which nobody enters."""
    return isinstance(event, Deal | DealTo) and event.card is None


def _deals(state: State) -> Value | None:
    """Return what is to be dealt face down, while nothing else has been entered since."""
    down = list(takewhile(is_blind, reversed(state.log)))
    seats = {event.seat for event in down if isinstance(event, Deal)}
    return dealt(view(state, TABLE)) if len(seats) > 1 else None


def _due(state: State) -> Entry | tuple[Option, ...]:
    """Return what must be entered before the game can go on; nothing where a word is waited for."""
    if state.phase is Phase.DONE:
        return ()
    options: list[Option] = []
    for action in _next_actions(state):
        seat = action.seat
        if action.what is Claim.THIRTY_ONE and options and seat is not None:
            if seat == _turn(state):
                options.append((Message("I have 31"), _claim(state, seat)))
            continue
        found, move = _entry(state, action), _move(action)
        if found is not None:
            return found
        if move is not None and action.seat == _turn(state):
            options.append((_words(state, action), _said(move)))
    return tuple(options)


def stakes_of(state: State) -> dict[int, int]:
    """Return the stakes that can still be changed, by seat (rule KB-2)."""
    play = state.live_play
    if not isinstance(play, BonesPlay) or play.has_begun or play.phase is not Phase.PLAY:
        return {}
    return {seat: stake for seat, stake in play.stakes if not play.hand(seat).out}


def _lays_stakes(press: Press, state: State) -> bool:
    says = press.button in (Button.HAVE, Button.STICK) and press.choice is None
    return says and press.seat in stakes_of(state)


def _turn(state: State) -> int | None:
    play = state.live_play
    return None if play is None else play.turn


def _entry(state: State, action: Action) -> Entry | None:
    """Return what is asked for *action*; ``None`` for one that is said, or stands in the list."""
    seat = action.seat
    name = name_of(state, seat)
    match action.kind:
        case Cut.kind if seat is not None:
            text = Message("Which card is {name}'s?", name=name)
            return _one(_card(text, seat), lambda card: Cut(seat, card))
        case Deal.kind if seat is not None:
            place = len(_cards(state, seat)) + 1
            return _one(_card(_place(name, place), seat), lambda c: Deal(seat, c, Facing.UP))
        case TurnUp.kind:
            return _one(_card(Message("Which card is turned up?")), TurnUp)
        case Discard.kind if seat is not None:
            text = Message("Which card did {name} lay?", name=name)
            return _one(_card(text, seat, may_be_none=True), lambda card: Discard(seat, card))
        case Reveal.kind if seat is not None and state.phase is Phase.SHOWDOWN:
            return _hand(state, seat, lambda cards: Reveal(seat, cards))
        case Roll.kind if seat is not None:
            return _throw(name, seat, action.bones, lambda faces: [Roll(seat, faces)])
        case Choose.kind if seat is not None:
            numbers = range(action.least or 0, (action.most or 0) + 1)
            question = replace(ask.how_many(name, seat, numbers), text=_said_now(state))
            return Entry((question,), lambda given: [Choose(seat, _number(given[0]))])
    return None


def _move(action: Action) -> Event | None:
    """Return a move of Thirty-one that is one of several."""
    if action.seat is None:
        return None
    if action.kind == Draw.kind and action.source is not None:
        return Draw(action.seat, action.source)
    return {Knock.kind: Knock(action.seat), Stand.kind: Stand(action.seat)}.get(action.kind)


def _besides(state: State, by: int | None = None) -> Iterator[Option]:
    """Yield what may have happened besides what is asked: the list behind MENU.

    Where the player *by* asks, only what is theirs to say; a misdeal is the dealer's.
    """
    for action in filter(partial(_is_theirs, state, by), legal_actions(state)):
        seat = action.seat
        name = name_of(state, seat)
        shown = _shown(state, action)
        if shown is not None:
            yield shown
        elif action.kind == Declare.kind and seat is not None and by is None:
            yield Message("{name} is out", name=name), _said(Declare(seat, Claim.OUT))
        elif action.kind == Knock.kind and seat is not None and seat != _turn(state):
            yield _words(state, action), _said(Knock(seat))
        elif action.kind == Stake.kind and seat is not None:
            yield Message("{name}'s stake", name=name), _stake(state, seat)
        elif action.kind == Misdeal.kind:
            yield Message("Misdeal"), _said(Misdeal("called by the dealer"))
        elif action.kind == Correct.kind and action.cards:
            known = _known(state, by)
            if known:
                yield Message("A card was wrong"), _correction(known)
        elif action.kind == Correct.kind and seat is not None:
            yield from _corrections_of_bones(state, seat)


def _shown(state: State, action: Action) -> Option | None:
    """Return a hand that somebody may show now: a 31, or one that may still be shown (OT-19)."""
    seat = action.seat
    if seat is None:
        return None
    name = name_of(state, seat)
    if action.kind == Declare.kind and action.what is Claim.THIRTY_ONE:
        return Message("{name} has 31", name=name), _claim(state, seat)
    if action.kind == Reveal.kind and state.phase is Phase.DONE:
        shows = _hand(state, seat, lambda cards: Reveal(seat, cards))
        return Message("{name} had 31", name=name), shows
    return None


def _is_theirs(state: State, by: int | None, action: Action) -> bool:
    """Return whether the player *by* may say *action*; without one, the console."""
    whose = state.dealer if action.kind == Misdeal.kind else action.seat
    return by is None or whose in (None, by)


def _words(state: State, action: Action) -> Value:
    """Return a move as an answer: of the player to move without the name."""
    if action.kind == Knock.kind and action.seat == _turn(state):
        return Styled(Message("knock"), Style.CAPITAL)
    if action.kind == Knock.kind:
        return Message("{name} knocks", name=name_of(state, action.seat))
    if action.kind == Stand.kind:
        return Message("Stand: keep my cards")
    if action.source is Source.DISCARD:
        return Message("From the discard")
    return Message("From the stock")


# --- questions ----------------------------------------------------------------------------------


def _which(texts: Sequence[Value], state: State | None) -> Question:
    """Ask which of some things happened, or what the player to move of *state* does."""
    text: Value = WHAT_HAPPENED
    seat = None
    if state is not None:
        seat, text = _turn(state), _said_now(state)
    choices = tuple(Choice(str(number), text) for number, text in enumerate(texts))
    keys = (KeyHint("have", texts[0]), KeyHint("stick", texts[-1]))
    hints = (*(keys if len(texts) == 2 else ask.MARKED), TAKE_BACK)
    return Question(QuestionKind.HISTORY, text, seat, choices, hints=hints)


def _said_now(state: State) -> Value:
    """Return what the game says at this moment, which asks the player to move by name."""
    return state.setup.game.prompt(view(state, TABLE)).title


def _card(text: Value, seat: int | None = None, *, may_be_none: bool = False) -> Question:
    """Ask for any card; with *may_be_none* nobody may have seen it."""
    return Question(QuestionKind.CARD, text, seat, (OTHER, UNSEEN) if may_be_none else (OTHER,))


def _rank(question: Question) -> Question:
    """Return the first step to any card: its rank, or that nobody saw it."""
    ranks = ask.next_step(question, 0)
    assert ranks is not None
    more = tuple(each for each in question.candidates if each == UNSEEN)
    return replace(ranks, text=question.text, candidates=(*ranks.candidates, *more))


def _place(name: Value, place: int) -> Value:
    return Message("{name}'s card {n}: which is it?", name=name, n=place)


def _asks_suit(question: Question) -> bool:
    """Return whether the rank is known, and the suit is asked for."""
    return question.of is not None and bool(question.cards)


def _chosen(question: Question, button: Button) -> int | None:
    """Return which answer a press takes; ``None`` where it takes none."""
    if button is Button.HAVE:
        return question.selected
    return 1 if button is Button.STICK and question.is_direct else None


# --- entries ------------------------------------------------------------------------------------


def _said(event: Event) -> Entry:
    return Entry((), lambda _given: [event])


def _one(question: Question, event: Callable[[Card | None], Event]) -> Entry:
    return Entry((question,), lambda given: [event(_read(given[0]))])


def _read(answer: Candidate) -> Card | None:
    return answer if isinstance(answer, Card) else None


def _number(answer: Candidate) -> int:
    return answer if isinstance(answer, int) else 0


def _cards(state: State, seat: int | None) -> tuple[Card | None, ...]:
    play = state.live_play
    return () if play is None or seat is None else play.hand(seat).cards


def _claim(state: State, seat: int) -> Entry:
    """Ask for the cards of a hand that is said to be 31."""

    def text(name: Value, place: int) -> Value:
        return Message("{name} says 31. Card {n}: which is it?", name=name, n=place)

    def event(cards: tuple[Card | None, ...]) -> Event:
        return Declare(seat, Claim.THIRTY_ONE, cards)

    return _hand(state, seat, event, text)


def _hand(
    state: State,
    seat: int,
    event: Callable[[tuple[Card | None, ...]], Event],
    text: Callable[[Value, int], Value] | None = None,
) -> Entry:
    """Ask for the cards of a hand that nobody knows yet, in the order dealt."""
    held, name = _cards(state, seat), name_of(state, seat)
    unread = [place for place, card in enumerate(held) if card is None]

    def events(given: Answers) -> Sequence[Event]:
        cards = list(held)
        for place, card in zip(unread, given, strict=True):
            cards[place] = _read(card)
        return [event(tuple(cards))]

    asks = tuple(_card((text or _place)(name, place + 1), seat) for place in unread)
    seen = view(state, TABLE).seat(seat)
    known = [card for card in held if card is not None and card in (*seen.cards, *seen.known)]
    return Entry(asks, events, are_new=True, known=tuple(known))


def _lies_there(answer: Candidate, entry: Entry, state: State) -> Notice | None:
    """Say that a card that is named lies on the table, or was named for the same hand."""
    play, card = state.live_play, _read(answer)
    if not entry.are_new or play is None or card is None:
        return None
    try:
        lying = [*play.seen(), *(each for each in entry.given if isinstance(each, Card))]
        state.round.check_new_card(card, lying)
        return None
    except IllegalActionError as refusal:
        if refusal.code != Refusal.DUPLICATE_CARD:
            return None
    seat = entry.asks[0].seat
    if card in entry.given or card in _cards(state, seat):
        name = name_of(state, seat)
        own = Message("{name} has that card already: {card}.", name=name, card=card_words(card))
        return Notice(own, Message("Name the cards that are still missing."))
    text = Message("On the table already: {card}.", card=card_words(card))
    return Notice(text, IF_OTHER_WRONG)


def _throw(
    name: Value, seat: int, bones: int, events: Callable[[tuple[int, ...]], Sequence[Event]]
) -> Entry:
    """Ask how each bone of a throw lies."""

    def text(number: int) -> Value:
        return Message("{name}'s bone {n}: how does it lie?", name=name, n=number)

    asks = [Question(QuestionKind.FACE, text(n), seat, tuple(Face)) for n in range(1, bones + 1)]
    return Entry(
        tuple(asks),
        lambda given: events(tuple(each.points for each in given if isinstance(each, Face))),
    )


def _stake(state: State, seat: int) -> Entry:
    question = Question(
        QuestionKind.NUMBER,
        Message("{name}'s stake", name=name_of(state, seat)),
        seat,
        tuple(range(1, MOST_STAKE + 1)),
    )
    return Entry((question,), lambda given: [Stake(seat, _number(given[0]))])


def _known(state: State, by: int | None) -> tuple[Card, ...]:
    """Return the cards of the hand that were read, the newest first; of one player with *by*."""
    found: list[Card] = []
    for event in reversed(state.log):
        cut = isinstance(event, Cut) and state.phase is not Phase.CUT
        if cut or by not in (None, getattr(event, "seat", by)):
            continue
        cards = (getattr(event, "card", None), *getattr(event, "cards", ()))
        found += [card for card in cards if isinstance(card, Card) and card not in found]
    return tuple(found)


def _correction(known: tuple[Card, ...]) -> Entry:
    which = Question(QuestionKind.CARD, Message("Which card was wrong?"), candidates=known)
    asks = (which, _card(Message("Which card is it?")))
    return Entry(asks, lambda given: [Correct(_read(given[0]), _read(given[1]))])


def _corrections_of_bones(state: State, seat: int) -> Iterator[Option]:
    play = state.round.play
    throws = play.hand(seat).throws if isinstance(play, BonesPlay) else ()
    name = name_of(state, seat)
    for roll, faces in enumerate(throws):
        shown = Listing(tuple(str(face) for face in faces))
        text = Message("{name}'s throw: {faces}", name=name, faces=shown)
        yield text, _throw(name, seat, len(faces), _other_faces(seat, roll, faces))


def _other_faces(
    seat: int, roll: int, was: tuple[int, ...]
) -> Callable[[tuple[int, ...]], Sequence[Event]]:
    def events(now: tuple[int, ...]) -> Sequence[Event]:
        return [
            CorrectBone(seat, roll, place, face)
            for place, (face, old) in enumerate(zip(now, was, strict=True))
            if face != old
        ]

    return events
