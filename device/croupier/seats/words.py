"""What is asked and said at a game in which cards lie at the seats, or are held."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.explain import does_not_count, explain, name_of
from device.croupier.legal import refusal_of
from device.croupier.looks import Look, Looks, LyingCard
from device.croupier.questions import Candidate, Choice, Notice, Question, QuestionKind
from device.croupier.seats import dealing, on_mat, showing
from device.croupier.seats.mat import At
from device.ports import Button, Press
from engine.core.cards import Card
from engine.core.events import (
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    Event,
    Facing,
    Have,
    Reveal,
    Stick,
)
from engine.core.hands import PlayerCards
from engine.core.messages.message import Message, Value
from engine.core.refusals import Refusal
from engine.core.views import Phase
from vision.readings import ZoneKind

READ_AGAIN = (Refusal.DUPLICATE_CARD, Refusal.NOT_IN_DECK)
"""Refusals that another reading of the card may lift."""

STICKS = Choice(ask.YES.key, Message("sticks")), Choice(ask.NO.key, Message("one more card"))
"""Answers to whether somebody sticks, in the words of the buttons that give them."""

BONE = "bone:"
"""What is asked where third cards came with others: who has the Bone (rule BA-2)."""

_WHOSE_BONE = Message("Whose third card is the highest?")

WENT_OVER = Choice(ask.YES.key, Message("out"))
WAS_31 = Choice(ask.NO.key, Message("31 before"))
"""Answers to whether somebody is out whose open hand may have been 31 before its last card."""


class SeatWords:
    """Questions and notices of such a game."""

    forgotten = frozenset[str]()
    decided = frozenset({BONE})

    # --- what divides the histories -----------------------------------------------------------

    def answers(self, at: At, look: Look) -> dict[str, Hashable]:
        """Return what the history answers to each question that may divide the set."""
        play = at.state.live_play
        found: dict[str, Hashable] = {}
        if play is None:
            return found
        # Whoever has thrown in is out to people, even if somebody else had 31 before.
        thrown_in = {
            event.seat
            for event in at.events
            if isinstance(event, Declare) and event.what is Claim.OUT and not event.cards
        }
        for hand in play.hands:
            is_out = hand.out or hand.seat in thrown_in
            # Where the hand was over, who then shows nothing may be anything to people.
            if is_out or hand.shown or all(hand.up) or play.phase is not Phase.DONE:
                found[f"out:{hand.seat}"] = is_out
            found[f"stuck:{hand.seat}"] = hand.stuck
            found[f"had:{hand.seat}"] = len(hand.cards) > on_mat.cards_dealt(at.state)
        for card in look.cards:
            if card.zone is ZoneKind.SEAT:
                owner = at.mat.owner(card.number)
                if owner is not None:
                    found[f"whose:{card.number}"] = owner
        if play.bone is not None:
            found[BONE] = play.bone.holder
        return found

    def question(self, about: str, answers: Sequence[Hashable], at: At, look: Look) -> Question:
        """Put the question *about*, with its answers, the likeliest first, into words."""
        if about == BONE:
            return self._of_whom(_WHOSE_BONE, answers, at)
        kind, number = about.split(":")[:2]
        if kind == "whose":
            return self._of_whom(Message("Whose is the new card?"), answers, at)
        seat, name = int(number), name_of(at.state, int(number))
        if kind == "out" and on_mat.is_over(at, seat):
            # The hand lies open, and that it is over is plain: its order is asked for.
            text = _order(name)
            choices = [WENT_OVER if each else WAS_31 for each in answers]
            return ask.divides(QuestionKind.OUT, text, choices, seat)
        yes, no = STICKS if kind == "stuck" else (ask.YES, ask.NO)
        choices = [yes if each else no for each in answers]
        return ask.divides(QuestionKind(kind), _doubt(kind, name), choices, seat)

    def _of_whom(self, text: Message, answers: Sequence[Hashable], at: At) -> Question:
        seats = [int(_as_number(each)) for each in answers]
        choices = [Choice(str(seat), name_of(at.state, seat)) for seat in seats]
        return ask.divides(QuestionKind.WHOSE, text, choices)

    def tell(self, at: At, since: int) -> Value:
        """Tell what happened from event number *since* on in one short sentence."""
        for event in at.events[since:]:
            seat = getattr(event, "seat", None)
            name = name_of(at.state, seat)
            if isinstance(event, Stick):
                return Message("{name} sticks.", name=name)
            if isinstance(event, Have | Deal):
                return Message("{name} has another card.", name=name)
            if isinstance(event, Declare) and event.what is Claim.OUT:
                return Message("{name} is out.", name=name)
        return Message("Nothing else happened.")

    def waiting(self, about: str, at: At, look: Look) -> Notice:
        """Say what was seen while the answer to the question *about* may still show."""
        if about == BONE:
            return Notice(_WHOSE_BONE, urgent=False)
        kind, number = about.split(":")[:2]
        if kind == "out" and on_mat.is_over(at, int(number)):
            return Notice(_order(name_of(at.state, int(number))), urgent=False)
        if kind == "out" and look.in_zone(None):
            return messages.cards_in_middle()
        if kind == "whose":
            new = [look.card(int(number))]
        else:
            last = at.ends[-2][1] if len(at.ends) > 1 else 0
            noticed = frozenset().union(*at.about[last:])
            new = [card for card in look.cards if card.number in noticed]
        for card in new:
            if card is None or card.zone is not ZoneKind.SEAT:
                continue
            if card.is_up and at.state.phase in (Phase.SHOWDOWN, Phase.DONE):
                continue  # whoever shows a hand knows that it lies there
            if kind not in ("had", "out") or card.seat == int(number):
                return messages.card_lies_at(name_of(at.state, card.seat))
        if kind in ("history", "whose"):  # also of a card that lies at no place any more
            return Notice(Message("I wait for the next move."), urgent=False)
        return Notice(_doubt(kind, name_of(at.state, int(number))), urgent=False)

    def ignored(self, at: At, look: Look, numbers: frozenset[int]) -> Notice:
        """Say which cards do not count until they are taken up."""
        card = next((each for each in look.cards if each.number in numbers), None)
        return does_not_count(at.state, None if card is None else card.seat)

    # --- presses and names --------------------------------------------------------------------

    def refused(self, at: At, press: Press) -> tuple[Notice, ...]:
        """Say why a press means nothing now."""
        play = at.state.live_play
        seat = press.seat if press.seat is not None or play is None else play.turn
        if seat is None:
            return (messages.nobody_asked(),)
        events: dict[Button, Event] = {
            Button.HAVE: Have(seat),
            Button.STICK: Stick(seat),
            Button.OUT: Declare(seat, Claim.OUT),
        }
        refusal = refusal_of(at.state, events[press.button])
        return () if refusal is None else (Notice(explain(at.state, refusal)),)

    def dial(self, at: At) -> tuple[int, ...]:
        """Return no numbers: none are said in these games."""
        return ()

    def dialled(self, at: At, number: int) -> Notice:
        """Show a number that was dialled."""
        return messages.dialled(number)

    def rename(self, looks: Looks, event: Event) -> None:
        """Name the card that a correction is about, where it lies on the mat."""
        if isinstance(event, Correct) and event.card is not None:
            for card in looks.last.cards:
                if card.card == event.was and event.seat in (None, card.seat):
                    looks.name(card.number, event.card)
                    return

    def named(self, question: Question, chosen: Candidate | None) -> Event | None:
        """Return the correction that an answer makes where the game has it otherwise."""
        return ask.renamed(question, chosen)

    def silence(self, question: Question, at: At) -> Event | None:
        """Return nothing: every question of these games is put."""
        return None

    # --- the mat ------------------------------------------------------------------------------

    def left(self, at: At, look: Look) -> Notice | None:
        """Say what is to be gathered before the next hand; ``None`` when the mat is clear."""
        left = [
            card
            for card in look.cards
            if card.zone is ZoneKind.SEAT and card.number not in at.mat.spent
        ]
        return messages.gather(len(left)) if left else None

    def unread(self, at: At, look: Look) -> Question | None:
        """Return the question for a card that must be named before the game can go on."""
        for question in self._unread(at, look):
            return question
        return None

    def _unread(self, at: At, look: Look) -> Iterator[Question]:
        state, play = at.state, at.state.live_play
        if state.phase is Phase.CUT:
            yield from self._unread_cut(at, look)
            return
        if play is None:
            return
        if play.phase is Phase.DONE:
            for seat, card in showing.unread_31(at, look):
                yield from self._name(at, card, seat, None)
            if on_mat.lies_as_shown(at, look):  # then a card had been read wrongly
                for question in self._changed(at, look):
                    yield replace(question, later=True)
            return
        yield from self._changed(at, look)
        open_card = dealing.exposed(at, look)
        if open_card is not None and open_card.card is not None and open_card.seat is not None:
            yield ask.exposed(
                name_of(state, open_card.seat),
                open_card.seat,
                open_card.card,
                open_card.number,
                open_card.centre,
            )
        for seat, card in on_mat.new_cards(at, look):
            if _is_unread(card):
                asked = () if play.phase is Phase.DEAL or play.asked else (Have(seat),)
                deals = {c: (*asked, Deal(seat, c, Facing.UP)) for c in card.candidates}
                yield from self._name(at, card, seat, deals)
        yield from self._unread_hands(at, look)

    def _unread_cut(self, at: At, look: Look) -> Iterator[Question]:
        for card in on_mat.cards_cut(at, look):
            if _is_unread(card) and card.seat is not None:
                cuts = {each: (Cut(card.seat, each),) for each in card.candidates}
                yield from self._name(at, card, card.seat, cuts)

    def _unread_hands(self, at: At, look: Look) -> Iterator[Question]:
        """Ask about cards of hands that lie open whole."""
        play = at.state.live_play
        assert play is not None
        for hand in play.hands:
            lying = [c for c in look.cards if at.mat.owner(c.number) == hand.seat]
            whole = len(lying) == len(hand.cards) or play.phase is Phase.SHOWDOWN
            showing = hand.has_unread and whole
            if not hand.out and showing and all(card.is_up for card in lying):
                for card in lying:
                    if _is_unread(card):
                        yield from self._name(at, card, hand.seat, None)

    def _changed(self, at: At, look: Look) -> Iterator[Question]:
        """Ask about a card that no longer looks like the one it was read as (rule G-10)."""
        play = at.state.live_play
        assert play is not None
        out_by_sight = {
            event.seat
            for event in at.events
            if isinstance(event, Declare) and event.what is Claim.OUT and event.cards
        }
        for hand in play.hands:
            if hand.out and not hand.shown and hand.seat not in out_by_sight:
                continue
            for number, known in zip(at.mat.hand(hand.seat), hand.cards, strict=False):
                card = look.card(number)
                if known is None or card is None or card.card in (None, known):
                    continue
                assert card.card is not None
                yield ask.changed(
                    name_of(at.state, hand.seat),
                    hand.seat,
                    known,
                    card.card,
                    number,
                    card.centre,
                )

    def _name(
        self,
        at: At,
        card: LyingCard,
        seat: int,
        events: Mapping[Card, tuple[Event, ...]] | None,
    ) -> Iterator[Question]:
        """Ask what an unread card is, among the candidates that the rules can accept."""
        found = card.candidates
        if events is not None:
            found = tuple(c for c in found if refusal_of(at.state, *events[c]) is None)
        if not card.unread:
            yield ask.which_card(name_of(at.state, seat), seat, found, card.number, card.centre)

    def remarks(self, at: At, look: Look, explained: bool, *, doubted: bool) -> Sequence[Notice]:
        """Say what the table should know or do."""
        found = dict.fromkeys(self._remarks(at, look))
        if not doubted:
            found |= dict.fromkeys(self._too_many(at, look))
        return tuple(found)

    def _remarks(self, at: At, look: Look) -> Iterator[Notice]:
        state, play = at.state, at.state.live_play
        if state.phase is Phase.CUT:
            yield from self._cut_remarks(at, look)
            return
        if play is None or play.phase is Phase.DONE:
            return
        for seat, card in (*on_mat.new_cards(at, look), *at.mat.fallen_cards(look)):
            yield from self._why_not(at, seat, card)
        for hand in play.hands:
            lying = [look.card(number) for number in at.mat.hand(hand.seat)]
            if not hand.out and any(card and card.unread for card in lying):
                yield messages.cannot_read(name_of(state, hand.seat))
            yield from self._hidden(at, look, hand)
        yield from self._beside_shown(at, look)
        yield from self._claims_refused(at, look)
        taken = {hand.seat for hand in play.hands}
        for card in look.cards:
            if card.zone is ZoneKind.SEAT and card.seat not in taken:
                names = [str(name_of(state, hand.seat)) for hand in play.hands]
                yield messages.nobody_there(card.seat or 0, names)
            elif card.zone is None and card.is_up and not at.mat.knows(card.number):
                yield messages.between_places()

    def _beside_shown(self, at: At, look: Look) -> Iterator[Notice]:
        """Say that a card at the place of a hand that was shown does not count."""
        play = at.state.live_play
        for hand in () if play is None else play.hands:
            here = (card for card in look.at_seat(hand.seat) if card.is_up)
            if hand.shown and any(card.number in at.mat.spent for card in here):
                yield does_not_count(at.state, hand.seat)

    def _too_many(self, at: At, look: Look) -> Iterator[Notice]:
        """Say that a hand that lies open has a card which was never dealt."""
        play = at.state.live_play
        for hand in () if play is None else play.hands:
            here = [card for card in look.at_seat(hand.seat) if card.is_up]
            too_many = {each[:2] for each in at.mat.short if each[1] > len(hand.cards)}
            if (hand.seat, len(here)) in too_many:
                yield does_not_count(at.state, hand.seat)

    def _hidden(self, at: At, look: Look, hand: PlayerCards) -> Iterator[Notice]:
        """Say that of a hand that is laid open, as a fan or a packet, not every card shows."""
        here = [
            card
            for card in look.cards
            if at.mat.owner(card.number) == hand.seat
            or (card.seat == hand.seat and not at.mat.knows(card.number))
        ]
        seen = sum(card.is_up for card in here)
        if hand.out or not hand.has_unread or seen <= sum(hand.up):
            return
        name = name_of(at.state, hand.seat)
        shows = at.state.phase is Phase.SHOWDOWN
        if seen == len(here) < len(hand.cards) and (shows or seen > 1):
            yield messages.cards_hidden(name, seen, len(hand.cards))
        elif shows and seen < len(here) <= len(hand.cards):
            yield messages.turn_all_up(name)

    def _cut_remarks(self, at: At, look: Look) -> Iterator[Notice]:
        for seat in at.state.round.to_cut:
            cards = [card for card in look.cards if card.seat == seat]
            name = name_of(at.state, seat)
            if any(c.number in at.mat.spent for c in cards) and at.state.round.last_cuts:
                yield messages.cut_again(name)
            elif any(not card.is_up for card in cards):
                yield messages.cut_face_up(name)
            elif any(_is_unread(card) and card.unread for card in cards):
                yield messages.cannot_read(name)

    def _why_not(self, at: At, seat: int, card: LyingCard) -> Iterator[Notice]:
        """Say why a card at a place does not count."""
        name = name_of(at.state, seat)
        face = Facing.UP if card.is_up else Facing.DOWN
        refusal = refusal_of(at.state, Deal(seat, card.card, face))
        if refusal is None:
            if card.is_up and card.card is None and (card.unread or not card.candidates):
                yield messages.cannot_read(name)
            return
        if refusal.code == Refusal.UPCARD_UNREADABLE:
            if card.is_up:
                yield messages.cannot_read(name)
            else:
                play = at.state.live_play
                assert play is not None
                yield messages.turn_up(name, len(play.hand(seat).cards))
        elif refusal.code in READ_AGAIN:
            yield messages.read_again(explain(at.state, refusal))
        else:
            yield messages.not_counted(explain(at.state, refusal), name)

    def _claims_refused(self, at: At, look: Look) -> Iterator[Notice]:
        """Say why a hand that lies open is not the hand that the game knows."""
        for hand, lying in showing.open_hands(at, look):
            cards = tuple(card.card for card in lying)
            refusal = refusal_of(at.state, Reveal(hand.seat, cards))
            if refusal is not None and refusal.code in (Refusal.MISMATCH, *READ_AGAIN):
                yield messages.read_again(explain(at.state, refusal))


def _order(name: Value) -> Message:
    return Message("{name}: out, or 31 before the last card?", name=name)


def _doubt(kind: str, name: Value) -> Message:
    """Return what is not clear about a player."""
    return {
        "out": Message("Is {name} out?", name=name),
        "stuck": Message("Does {name} stick?", name=name),
        "had": Message("Did {name} have another card?", name=name),
    }[kind]


def _is_unread(card: LyingCard) -> bool:
    return card.is_up and card.card is None


def _as_number(answer: Hashable) -> float:
    return float(answer) if isinstance(answer, int) else 0.0
