"""What is said rather than seen in Thirty-one: buttons, and answers to the croupier's questions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from device.croupier.mat_tracker import Thing
from device.croupier.proposal import Proposal
from device.croupier.questions import Choice, CroupierResult, Question, QuestionKind
from device.croupier.scat import messages as say
from device.croupier.seat_cards import CardCroupier
from device.ports import Button, Press
from engine import Event, State
from engine.core.cards import Card
from engine.core.events import (
    Accept,
    Correct,
    Deal,
    DealTo,
    Draw,
    Facing,
    Knock,
    Pile,
    Renew,
    Restart,
    Source,
    Stand,
    SwapHand,
    TableHand,
    Undo,
)
from engine.core.messages.message import Message, Value
from engine.core.views import MiddleView, Phase, View


class ScatPresses(CardCroupier):
    """The half of the croupier of Thirty-one that listens; the other half looks."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        super().__init__()
        self._believed: set[tuple[int, Card | None]] = set()
        self._ignored: tuple[str, ...] | None = None
        self._ways: dict[str, tuple[Event, ...]] = {}
        self._doubt: tuple[Card | None, Card | None] = (None, None)
        self._pending: tuple[Question, View] | None = None
        self._kept: frozenset[Card | None] = frozenset()

    @abstractmethod
    def _signature(self, seen: View) -> tuple[str, ...]:
        """Return what lies open to all besides the hands, wherever exactly it lies."""

    # Presses

    def press(self, press: Press, state: State) -> CroupierResult:
        """Take a button; who may begin Switch anew says so by his own HAVE (rule SW-8)."""
        draft = Proposal(state)
        seen = draft.view
        may = seen.middle.may_restart if seen.middle is not None else ()
        if seen.phase is Phase.RESTART and press.button is Button.HAVE and press.seat in may:
            self._question = None
            draft.play(Restart(press.seat))
            return self._after(draft)
        return super().press(press, state)

    def _have_or_stick(self, press: Press, draft: Proposal) -> None:
        """Draw from the stock, knock, or stand; without a seat whose turn it is (SC-4 to SC-6)."""
        middle, phase = draft.view.middle, draft.view.phase
        if phase is Phase.DEAL and press.button is Button.HAVE and press.seat is None:
            self._ask_soon(say.all_dealt(None), draft)
        elif phase is Phase.SHOWDOWN:
            draft.tell(say.lay_open())
        elif middle is None or phase is not Phase.PLAY or draft.view.turn is None:
            super()._have_or_stick(press, draft)
        elif press.button is Button.STICK:
            speaker = press.seat
            if speaker is None:
                speaker = draft.view.turn if middle.stopper is None else middle.stopper
            self._knock_or_stand(speaker, middle, draft)
        elif self._ignored is not None:
            # As it lies, so it was done: no card of it is taken for one misread.
            self._ignored = None
            self._believed |= {(thing.number, thing.card) for thing in self.memory.things}
        else:
            self._draws(draft.view.turn if press.seat is None else press.seat, middle, draft)

    def _knock_or_stand(self, seat: int, middle: MiddleView, draft: Proposal) -> None:
        ways: dict[str, tuple[Event, Value]] = {
            "knock": (Knock(seat), Message("Knock")),
            "stand": (Stand(seat), Message("Stand")),
        }
        legal = [key for key, (event, _text) in ways.items() if draft.refusal(event) is None]
        if len(legal) == 2:  # in Stop the bus one may also let a turn pass (rule SB-8)
            self._ways = {key: (event,) for key, (event, _text) in ways.items()}
            choices = [Choice(key, text) for key, (_event, text) in ways.items()]
            self._ask_soon(say.which_move(draft.name(seat), seat, choices), draft)
        else:
            usual = "knock" if middle.knocker is None else "stand"
            draft.play(ways[legal[0] if legal else usual][0])

    def _draws(self, seat: int, middle: MiddleView, draft: Proposal) -> None:
        """Hear "I draw", or in Switch that something was done which no eye can see (rule SW-6)."""
        if middle.table in ("none", "widow"):
            draft.play(Draw(seat, Source.STOCK))
            return
        ways: dict[str, tuple[Event, Value]] = {}
        for hand in TableHand:
            if middle.table != "switch" or any(middle.pile(hand)):
                continue
            anew = Message("New cards for hand {hand}, face down", hand=hand)
            ways[f"renew-{hand}"] = (Renew(seat, hand, (None,) * 3, Facing.DOWN), anew)
            if draft.state.setup.options.swap_face == "same":
                swap = Message("Swaps with hand {hand}", hand=hand)
                ways[f"swap-{hand}"] = (SwapHand(seat, hand), swap)
        legal = {key: way for key, way in ways.items() if draft.refusal(way[0]) is None}
        if not legal:
            draft.tell(say.just_exchange())
            return
        self._ways = {key: (event,) for key, (event, _text) in legal.items()}
        choices = [Choice(key, text) for key, (_event, text) in legal.items()]
        self._ask_soon(say.which_move(draft.name(seat), seat, choices), draft)

    def _next(self, draft: Proposal) -> None:
        if draft.view.phase is Phase.DEAL:
            self._ask_soon(say.all_dealt(None), draft)
        else:
            super()._next(draft)

    def _undone(self, draft: Proposal) -> None:
        super()._undone(draft)
        # The cards in the middle still lie as they lay: what was taken back is not read again.
        self._ignored = self._signature(draft.view)

    # Questions

    def _ask_soon(self, question: Question, draft: Proposal) -> None:
        """Ask what a press has raised, for as long as the game stands where it stands."""
        self._pending = (question, draft.view)

    def _ask_pending(self, draft: Proposal) -> None:
        if self._pending is not None:
            question, seen = self._pending
            if seen == draft.view:
                draft.ask(question)
            else:
                self._pending = None

    def _doubts(self, thing: Thing, was: Card | None) -> bool:
        """Say whether the table is to be asked about a card; note what it is about."""
        if (thing.number, thing.card) in self._believed:
            return False
        self._doubt = (was, thing.card)
        return True

    def _play_one_of(self, draft: Proposal, seat: int, ways: Sequence[tuple[Event, ...]]) -> None:
        """Play the only thing that the rules allow of what looks alike; of several, ask."""
        legal = [way for way in ways if draft.refusal_of(way) is None]
        if len(legal) == 1:
            draft.play_all(legal[0])
        elif legal:
            self._ways = {way[0].kind: way for way in legal}
            words = {
                SwapHand.kind: Message("Swaps hands"),
                Renew.kind: Message("New cards from the stock"),
            }
            choices = [Choice(kind, words.get(kind, kind)) for kind in self._ways]
            draft.ask(say.which_move(draft.name(seat), seat, choices))
        elif ways:
            draft.play_all(ways[0])
        else:
            draft.tell(say.unclear_middle())

    def _ask_source(
        self, draft: Proposal, seat: int, top: Card, ways: Sequence[tuple[Event, ...]]
    ) -> None:
        self._ways = dict(zip((say.STOCK, say.TAKEN), ways, strict=True))
        draft.ask(say.drawn_from(draft.name(seat), seat, top))

    def _settle_deal(self, yes: bool, thing: Thing | None, draft: Proposal) -> None:
        """Take the dealer's word that all have their cards, seen or not (rule SC-3)."""
        self._pending = None
        if not yes:
            if thing is not None:
                thing.refused = True
            return
        while draft.view.phase is Phase.DEAL and draft.view.middle is not None:
            due = draft.view.middle.deal_to
            event: Event | None = None
            if not due and draft.view.deal_to is not None:
                event = Deal(draft.view.deal_to[0], None)
            elif due and Pile.TABLE not in due:
                pile = Pile(due[0])
                event = DealTo(pile, None, seat=draft.view.dealer if pile is Pile.SECOND else None)
            if event is None or not draft.play(event):
                return  # the open cards of Stop the bus must be read

    def _settle_choice(self, question: Question, button: Button, draft: Proposal) -> bool:
        """Take an answer in words; say whether it was one."""
        if not any(isinstance(each, Choice) for each in question.candidates):
            return False
        self._pending = None
        chosen = question.candidates[question.selected] if button is Button.HAVE else None
        key = chosen.key if isinstance(chosen, Choice) else None
        if question.kind is QuestionKind.RESTART:
            self._settle_restart(key, draft)
        elif question.kind is QuestionKind.WHICH_MOVE:
            if key is None:
                self._ignored = self._signature(draft.view)
            else:
                draft.play_all(self._ways[key])
        else:
            thing = next((t for t in self.memory.things if t.number == question.thing), None)
            if thing is not None:
                self._settle_doubt(key, thing, draft)
        return True

    def _settle_restart(self, key: str | None, draft: Proposal) -> None:
        if key is None:
            if draft.play(Undo()):
                self._undone(draft)
        elif key == say.ACCEPT:
            draft.play(Accept())
        else:
            draft.play(Restart(int(key)))

    def _settle_doubt(self, key: str | None, thing: Thing, draft: Proposal) -> None:
        was, now = self._doubt
        if key in (say.NEW, say.AGAIN):
            self._believed.add((thing.number, thing.card))
        elif key == say.MISREAD:
            draft.play(Correct(was, now))
        elif key == say.STILL and was is not None:
            thing.name(was)
        elif key == say.STAYED:
            if draft.play(Undo()):
                super()._undone(draft)
        else:
            self._ignored = self._signature(draft.view)
