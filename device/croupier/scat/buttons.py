"""What is said rather than seen in Thirty-one: buttons, and answers to the croupier's questions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from device.croupier.mat_tracker import TrackedCard
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
    """The part of the croupier of Thirty-one that handles buttons and answers."""

    def __init__(self) -> None:
        """Start with nothing said."""
        super().__init__()
        self._confirmed: set[tuple[int, Card | None]] = set()
        self._ignored_signature: tuple[str, ...] | None = None
        self._options_offered: dict[str, tuple[Event, ...]] = {}
        self._doubt: tuple[Card | None, Card | None] = (None, None)
        self._pending: tuple[Question, View] | None = None
        self._kept: frozenset[Card | None] = frozenset()

    @abstractmethod
    def _signature(self, seen: View) -> tuple[str, ...]:
        """Return what lies open to all besides the hands, wherever exactly it lies."""

    # Presses

    def on_press(self, press: Press, state: State) -> CroupierResult:
        """Handle a press; a player starts Switch over with the HAVE of their seat (rule SW-8)."""
        proposal = Proposal(state)
        seen = proposal.view
        may = seen.middle.may_restart if seen.middle is not None else ()
        if seen.phase is Phase.RESTART and press.button is Button.HAVE and press.seat in may:
            self._question = None
            proposal.play(Restart(press.seat))
            return self._after(proposal)
        return super().on_press(press, state)

    def _have_or_stick(self, press: Press, proposal: Proposal) -> None:
        """Draw from the stock, knock, or stand; without a seat whose turn it is (SC-4 to SC-6)."""
        middle, phase = proposal.view.middle, proposal.view.phase
        if phase is Phase.DEAL and press.button is Button.HAVE and press.seat is None:
            self._ask_soon(say.all_dealt(None), proposal)
        elif phase is Phase.SHOWDOWN:
            proposal.add_notice(say.lay_open())
        elif middle is None or phase is not Phase.PLAY or proposal.view.turn is None:
            super()._have_or_stick(press, proposal)
        elif press.button is Button.STICK:
            speaker = press.seat
            if speaker is None:
                speaker = proposal.view.turn if middle.stopper is None else middle.stopper
            self._knock_or_stand(speaker, middle, proposal)
        elif self._ignored_signature is not None:
            # The cards count as they lie: none of them is taken for a misread one.
            self._ignored_signature = None
            self._confirmed |= {(thing.number, thing.card) for thing in self.memory.cards}
        else:
            self._draws(proposal.view.turn if press.seat is None else press.seat, middle, proposal)

    def _knock_or_stand(self, seat: int, middle: MiddleView, proposal: Proposal) -> None:
        ways: dict[str, tuple[Event, Value]] = {
            "knock": (Knock(seat), Message("Knock")),
            "stand": (Stand(seat), Message("Stand")),
        }
        legal = [key for key, (event, _text) in ways.items() if proposal.refusal(event) is None]
        if len(legal) == 2:  # in Stop the bus one may also let a turn pass (rule SB-8)
            self._options_offered = {key: (event,) for key, (event, _text) in ways.items()}
            choices = [Choice(key, text) for key, (_event, text) in ways.items()]
            self._ask_soon(say.which_move(proposal.name(seat), seat, choices), proposal)
        else:
            usual = "knock" if middle.knocker is None else "stand"
            proposal.play(ways[legal[0] if legal else usual][0])

    def _draws(self, seat: int, middle: MiddleView, proposal: Proposal) -> None:
        """Handle a draw, or in Switch something that no camera can see (rule SW-6)."""
        if middle.table in ("none", "widow"):
            proposal.play(Draw(seat, Source.STOCK))
            return
        ways: dict[str, tuple[Event, Value]] = {}
        for hand in TableHand:
            if middle.table != "switch" or any(middle.pile(hand)):
                continue
            renewal = Message("New cards for hand {hand}, face down", hand=hand)
            ways[f"renew-{hand}"] = (Renew(seat, hand, (None,) * 3, Facing.DOWN), renewal)
            if proposal.state.setup.options.swap_face == "same":
                swap = Message("Swaps with hand {hand}", hand=hand)
                ways[f"swap-{hand}"] = (SwapHand(seat, hand), swap)
        legal = {key: way for key, way in ways.items() if proposal.refusal(way[0]) is None}
        if not legal:
            proposal.add_notice(say.just_exchange())
            return
        self._options_offered = {key: (event,) for key, (event, _text) in legal.items()}
        choices = [Choice(key, text) for key, (_event, text) in legal.items()]
        self._ask_soon(say.which_move(proposal.name(seat), seat, choices), proposal)

    def _next(self, proposal: Proposal) -> None:
        if proposal.view.phase is Phase.DEAL:
            self._ask_soon(say.all_dealt(None), proposal)
        else:
            super()._next(proposal)

    def _on_undo(self, proposal: Proposal) -> None:
        super()._on_undo(proposal)
        # The cards in the middle still lie as they lay: what was taken back is not read again.
        self._ignored_signature = self._signature(proposal.view)

    # Questions

    def _ask_soon(self, question: Question, proposal: Proposal) -> None:
        """Ask what a press has raised, for as long as the game stands where it stands."""
        self._pending = (question, proposal.view)

    def _ask_pending(self, proposal: Proposal) -> None:
        if self._pending is not None:
            question, seen = self._pending
            if seen == proposal.view:
                proposal.ask(question)
            else:
                self._pending = None

    def _doubts(self, thing: TrackedCard, was: Card | None) -> bool:
        """Return whether the table must be asked about a card; remember what it is about."""
        if (thing.number, thing.card) in self._confirmed:
            return False
        self._doubt = (was, thing.card)
        return True

    def _play_one_of(
        self, proposal: Proposal, seat: int, ways: Sequence[tuple[Event, ...]]
    ) -> None:
        """Play the only thing that the rules allow of what looks alike; of several, ask."""
        legal = [way for way in ways if proposal.refusal_of(way) is None]
        if len(legal) == 1:
            proposal.play_all(legal[0])
        elif legal:
            self._options_offered = {way[0].kind: way for way in legal}
            words = {
                SwapHand.kind: Message("Swaps hands"),
                Renew.kind: Message("New cards from the stock"),
            }
            choices = [Choice(kind, words.get(kind, kind)) for kind in self._options_offered]
            proposal.ask(say.which_move(proposal.name(seat), seat, choices))
        elif ways:
            proposal.play_all(ways[0])
        else:
            proposal.add_notice(say.unclear_middle())

    def _ask_source(
        self, proposal: Proposal, seat: int, top: Card, ways: Sequence[tuple[Event, ...]]
    ) -> None:
        self._options_offered = dict(zip((say.STOCK, say.TAKEN), ways, strict=True))
        proposal.ask(say.drawn_from(proposal.name(seat), seat, top))

    def _settle_deal(self, yes: bool, thing: TrackedCard | None, proposal: Proposal) -> None:
        """Take the dealer's word that all have their cards, seen or not (rule SC-3)."""
        self._pending = None
        if not yes:
            if thing is not None:
                thing.refused = True
            return
        while proposal.view.phase is Phase.DEAL and proposal.view.middle is not None:
            due = proposal.view.middle.deal_to
            event: Event | None = None
            if not due and proposal.view.deal_to is not None:
                event = Deal(proposal.view.deal_to[0], None)
            elif due and Pile.TABLE not in due:
                pile = Pile(due[0])
                event = DealTo(
                    pile, None, seat=proposal.view.dealer if pile is Pile.SECOND else None
                )
            if event is None or not proposal.play(event):
                return  # the open cards of Stop the bus must be read

    def _settle_choice(self, question: Question, button: Button, proposal: Proposal) -> bool:
        """Handle an answer in words; return whether it was one."""
        if not any(isinstance(each, Choice) for each in question.candidates):
            return False
        self._pending = None
        chosen = question.candidates[question.selected] if button is Button.HAVE else None
        key = chosen.key if isinstance(chosen, Choice) else None
        if question.kind is QuestionKind.RESTART:
            self._settle_restart(key, proposal)
        elif question.kind is QuestionKind.WHICH_MOVE:
            if key is None:
                self._ignored_signature = self._signature(proposal.view)
            else:
                proposal.play_all(self._options_offered[key])
        else:
            thing = next((t for t in self.memory.cards if t.number == question.thing), None)
            if thing is not None:
                self._settle_doubt(key, thing, proposal)
        return True

    def _settle_restart(self, key: str | None, proposal: Proposal) -> None:
        if key is None:
            if proposal.play(Undo()):
                self._on_undo(proposal)
        elif key == say.ACCEPT:
            proposal.play(Accept())
        else:
            proposal.play(Restart(int(key)))

    def _settle_doubt(self, key: str | None, thing: TrackedCard, proposal: Proposal) -> None:
        was, now = self._doubt
        if key in (say.NEW, say.AGAIN):
            self._confirmed.add((thing.number, thing.card))
        elif key == say.MISREAD:
            proposal.play(Correct(was, now))
        elif key == say.STILL and was is not None:
            thing.name(was)
        elif key == say.STAYED:
            if proposal.play(Undo()):
                super()._on_undo(proposal)
        else:
            self._ignored_signature = self._signature(proposal.view)
