"""What is asked and said at a table of Thirty-one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.explain import does_not_count, explain, name_of, story
from device.croupier.legal import refusal_of
from device.croupier.looks import Look, Looks, LyingCard
from device.croupier.questions import Candidate, Choice, Notice, Question, QuestionKind
from device.croupier.scat import exchanges, on_mat
from device.croupier.scat import messages as say
from device.croupier.scat.mat import HAND, At, play_of
from device.ports import Button, Press
from engine import State, apply
from engine.core.cards import Card
from engine.core.events import (
    Claim,
    Correct,
    Cut,
    Declare,
    Discard,
    Draw,
    Event,
    Knock,
    Renew,
    Source,
    Stand,
    SwapHand,
    TurnUp,
)
from engine.core.messages.message import Message, Value, sentences
from engine.core.messages.words import the_card
from engine.core.views import Phase
from engine.games.scat.play import ScatPlay
from vision.readings import ZoneKind

TOLD = 2
"""So many sentences at most tell two histories apart."""


class ScatWords:
    """Questions and notices of Thirty-one."""

    forgotten = frozenset({"turn", "source"})
    decided = frozenset({"restart"})

    # --- what divides the histories -----------------------------------------------------------

    def answers(self, at: At, look: Look) -> dict[str, Hashable]:
        """Return what the history answers to each question that may divide the set."""
        play = play_of(at.state)
        if play is None:
            return {}
        restarter = -1 if play.restarter is None else play.restarter
        found: dict[str, Hashable] = {"restart": restarter}
        last = at.events[-1] if at.events else None
        if isinstance(last, Knock | Stand | Renew | SwapHand):
            found[f"move:{last.seat}"] = last.kind
        found["knocker"] = -1 if play.knocker is None else play.knocker
        for hand in play.hands:
            if not (isinstance(last, Knock) and last.seat == hand.seat):  # else it is the move
                found[f"knocked:{hand.seat}"] = play.knocker == hand.seat
            found[f"out:{hand.seat}"] = hand.out
        found["turn"] = -1 if play.turn is None else play.turn
        drawn: Draw | None = None
        for event in at.events:
            if isinstance(event, Draw):
                drawn = event
            elif isinstance(event, Discard) and drawn is not None:
                found[f"source:{event.seat}:{event.card}"] = str(drawn.source)
        return found

    def question(self, about: str, answers: Sequence[Hashable], at: At, look: Look) -> Question:
        """Put the question *about*, with its answers, the likeliest first, into words."""
        kind, *more = about.split(":")
        state = at.state
        if kind == "restart":
            return self._restart(answers, state)
        if kind == "turn":
            choices = _players(state, answers, Message("Nobody's"))
            return ask.divides(QuestionKind.WHOSE, Message("Whose turn is it?"), choices)
        if kind == "knocker":
            choices = _players(state, answers, Message("Nobody"))
            asked = ask.divides(QuestionKind.KNOCKER, Message("Who knocked?"), choices)
            # With many names there is no room to say that it can be left; money hangs on it anyway.
            return asked if len(choices) == 2 else replace(asked, hints=ask.MARKED)
        seat = int(more[0])
        name = name_of(state, seat)
        if kind == "knocked":
            text = Message("Did {name} knock?", name=name)
            return ask.divides(QuestionKind.KNOCKED, text, _yes_no(answers), seat)
        if kind == "out":
            text = Message("Is {name} out?", name=name)
            return ask.divides(QuestionKind.OUT, text, _yes_no(answers), seat)
        if kind == "move":
            choices = [Choice(str(each), _MOVES[str(each)]) for each in answers]
            text = Message("{name}: what do you do?", name=name)
            return ask.divides(QuestionKind.MOVE, text, choices, seat)
        return self._source(at, seat, more[1], answers)

    def _source(self, at: At, seat: int, laid: str, answers: Sequence[Hashable]) -> Question:
        """Ask where a player drew from before they laid a card."""
        top = _top_before(at, seat, laid)
        name = name_of(at.state, seat)
        texts = {
            str(Source.STOCK): Message("From the stock"),
            str(Source.DISCARD): Message("From the pile"),
        }
        text = Message("Where did {name} draw from?", name=name)
        if top is not None:
            text = Message("Did {name} take {card} from the pile?", name=name, card=the_card(top))
            texts = {str(Source.STOCK): Message("no"), str(Source.DISCARD): Message("yes")}
        choices = [Choice(str(each), texts[str(each)]) for each in answers]
        return replace(ask.divides(QuestionKind.SOURCE, text, choices, seat), was=top)

    def _restart(self, answers: Sequence[Hashable], state: State) -> Question:
        seats = [each for each in answers if isinstance(each, int)]
        named = say.restart([(seat, name_of(state, seat)) for seat in seats if seat >= 0])
        words = {each.key: each for each in named.candidates if isinstance(each, Choice)}
        choices = [words[str(seat) if seat >= 0 else say.ACCEPT] for seat in seats]
        owner = next((seat for seat in seats if seat >= 0), None) if len(seats) == 2 else None
        return replace(named, candidates=tuple(choices), seat=owner)

    def tell(self, at: At, since: int) -> Value:
        """Tell what happened from event number *since* on, from 0, in one or two sentences."""
        told = list(chain.from_iterable(islice(story(at.state), since, None)))
        return sentences(*told[:TOLD]) if told else Message("Nothing else happened.")

    def waiting(self, about: str, at: At, look: Look) -> Notice:
        """Say what was seen while the answer to the question *about* may still show."""
        play = play_of(at.state)
        if play is None or play.top is None or play.turn is None:
            return Notice(Message("I wait for the next move."), urgent=False)
        text = Message("On the discard lies {card}.", card=the_card(play.top.card))
        return Notice(text, Message("The next move will show whose turn it was."), urgent=False)

    def ignored(self, at: At, look: Look, numbers: frozenset[int]) -> Notice:
        """Say which cards do not count until they are taken up."""
        card = next((each for each in look.cards if each.number in numbers), None)
        if card is None or card.seat is None:
            return say.does_not_count()
        return does_not_count(at.state, card.seat)

    # --- presses and names --------------------------------------------------------------------

    def refused(self, at: At, press: Press) -> tuple[Notice, ...]:
        """Say why a press means nothing now."""
        state, play = at.state, play_of(at.state)
        if play is None:
            return (messages.nobody_asked(),)
        if play.phase is Phase.SHOWDOWN and press.button is not Button.OUT:
            return (say.lay_open(),)
        seat = play.turn if press.seat is None else press.seat
        if seat is None:
            return (messages.nobody_asked(),)
        if press.button is Button.HAVE:
            if play.phase is Phase.PLAY and not play.options.has_discard:
                return (say.just_exchange(),)
            events: tuple[Event, ...] = (Draw(seat, Source.STOCK),)
        elif press.button is Button.OUT:
            events = (Declare(seat, Claim.OUT),)
        else:
            events = (Knock(seat), Stand(seat))[:: 1 if play.knocker is None else -1]
        refusal = refusal_of(state, events[0])
        return () if refusal is None else (Notice(explain(state, refusal)),)

    def dial(self, at: At) -> tuple[int, ...]:
        """Return no numbers: none are said in these games."""
        return ()

    def dialled(self, at: At, number: int) -> Notice:
        """Show a number that was dialled."""
        return messages.dialled(number)

    def silence(self, question: Question, at: At) -> Event | None:
        """Return nothing: every question of these games is put."""
        return None

    def rename(self, looks: Looks, event: Event) -> None:
        """Name the card that a correction is about, where it lies on the mat."""
        if isinstance(event, Correct) and event.card is not None:
            for card in sorted(looks.last.cards, key=lambda each: each.seat != event.seat):
                if card.card is not None and card.card == event.was:
                    looks.name(card.number, event.card)
                    return

    def named(self, question: Question, chosen: Candidate | None) -> Event | None:
        """Return the correction that an answer makes where the game has it otherwise."""
        return ask.renamed(question, chosen)

    # --- the mat ------------------------------------------------------------------------------

    def left(self, at: At, look: Look) -> Notice | None:
        """Say what is to be gathered before the next hand; ``None`` when the mat is clear."""
        play = play_of(at.state)
        kept: set[Card | None] = set()
        if play is not None and play.restarter is not None:
            kept.update(play.hand(play.restarter).cards)  # it lies open in the next hand (SW-8)
        left = [
            card
            for card in look.cards
            if card.number not in at.mat.spent
            and card.zone is not ZoneKind.STOCK
            and (card.card is None or card.card not in kept)
        ]
        return messages.gather(len(left)) if left else None

    def unread(self, at: At, look: Look) -> Question | None:
        """Return the question for a card that must be named before the game can go on."""
        for card, seat in self._unread(at, look):
            if card.unread:
                continue
            found = (c for c in card.candidates if self._may_be(at, look, card, c))
            candidates = tuple(found) or card.candidates  # what was believed of another is wrong
            if seat is None:
                on_discard = card.zone is ZoneKind.DISCARD
                asked = say.which_middle_card(
                    candidates, card.number, card.centre, on_discard=on_discard
                )
                # Play goes on over a discard that nobody has read (rule SC-28).
                return replace(asked, later=on_discard and at.state.phase is Phase.PLAY)
            name = name_of(at.state, seat)
            return ask.which_card(name, seat, candidates, card.number, card.centre)
        return self._changed(at, look)

    def _changed(self, at: At, look: Look) -> Question | None:
        """Ask about a card of a shown hand that no longer looks as it was read (rule G-10)."""
        play = play_of(at.state)
        for hand in () if play is None else play.hands:
            lying = on_mat.hand_shown(at, look, hand.seat)
            new = [card for card in lying if card.card not in hand.cards]
            gone = {*hand.cards} - {card.card for card in lying}
            if not hand.shown or hand.out or not len(new) == len(gone) == len(lying) - 2 == 1:
                continue
            (was,), (card,) = gone, new
            if was is not None and card.card is not None:
                name = name_of(at.state, hand.seat)
                asked = ask.changed(name, hand.seat, was, card.card, card.number, card.centre)
                return replace(asked, later=True)
        return None

    def _unread(self, at: At, look: Look) -> Iterator[tuple[LyingCard, int | None]]:
        """Yield the cards that wait for a name, and at whose place they lie."""
        state, play = at.state, play_of(at.state)
        if state.phase is Phase.CUT:
            for seat in state.round.to_cut:
                for card in on_mat.cards_cut(at, look, seat)[:1]:
                    if card.card is None:
                        yield card, seat
        if play is None or play.phase is Phase.DONE:
            return
        if play.phase in (Phase.TURN_UP, Phase.CHOOSE, Phase.DEAL):
            lying = on_mat.on_discard(at, look)[:1] if play.options.has_discard else []
            if play.phase is not Phase.TURN_UP:
                lying += [c for c in on_mat.middle_cards(at, look) if c.is_up]
            yield from ((card, None) for card in lying if card.card is None)
            return
        yield from ((card, None) for card in self._unread_middle(at, look, play))
        for hand in play.hands:
            lying = on_mat.hand_shown(at, look, hand.seat)
            if hand.has_unread and len(lying) == HAND and not hand.out:
                yield from ((card, hand.seat) for card in lying if card.card is None)

    def _unread_middle(self, at: At, look: Look, play: ScatPlay) -> Iterator[LyingCard]:
        """Yield the cards on the pile and in the middle that wait for a name."""
        fit = on_mat.fit(at, look)
        top = fit.shown.get(len(play.discards) - 1)
        if fit.unread is not None:
            yield fit.unread
        elif top is not None and top.card is None and play.discards[-1].card is None:
            yield top
        if play.options.table in exchanges.TABLES:
            ties = exchanges.tie(at.mat.ties, play, on_mat.middle_cards(at, look))
            for change in exchanges.unread(ties, look, play):
                yield change.card

    def _may_be(self, at: At, look: Look, card: LyingCard, named: Card) -> bool:
        """Return whether an unread card may be *named*: no other card that lies in sight is."""
        play = play_of(at.state)
        if play is None:
            return True
        if play.phase is Phase.TURN_UP and card.zone is ZoneKind.DISCARD:
            return refusal_of(at.state, TurnUp(named)) is None
        if at.state.phase is Phase.CUT and card.seat is not None:
            return refusal_of(at.state, Cut(card.seat, named)) is None
        if play.options.decks > 1:
            return True
        others = {each.card for each in look.cards if each.number != card.number}
        pile = {thrown.card for thrown in play.discards[:-2]}
        # The top of the pile may have been taken, and so may the one under it be seen anew.
        return named not in others | pile

    def remarks(self, at: At, look: Look, explained: bool, *, doubted: bool) -> Sequence[Notice]:
        """Say what the table should know or do; where *explained* is false: why it waits."""
        return tuple(dict.fromkeys(self._remarks(at, look, explained)))

    def _remarks(self, at: At, look: Look, explained: bool) -> Iterator[Notice]:
        state, play = at.state, play_of(at.state)
        if state.phase is Phase.CUT:
            yield from self._cut_remarks(at, look)
            return
        if play is None or play.phase is Phase.DONE:
            return
        if play.phase in (Phase.DEAL, Phase.TURN_UP, Phase.CHOOSE):
            yield from self._deal_remarks(at, look, play)
        else:
            yield from self._middle_turn_remarks(at, look, play, explained)
            yield from self._pile_remarks(at, look, play, explained)
            yield from self._hand_remarks(at, look, play, explained)
        taken = {hand.seat for hand in play.hands}
        for card in look.cards:
            if card.zone is ZoneKind.SEAT and card.seat not in taken:
                if play.options.table == "none" and card.number not in at.mat.spent:
                    names = [str(name_of(state, hand.seat)) for hand in play.hands]
                    yield messages.nobody_there(card.seat or 0, names)
            elif (
                card.zone in (None, ZoneKind.DEALER)
                and card.is_up
                and card.number not in dict(at.mat.afar)
                and play.options.table == "none"
            ):
                yield messages.between_places()
        for card, seat in self._unread(at, look):
            if card.unread or not card.candidates:
                cannot = say.cannot_read_middle()
                yield cannot if seat is None else messages.cannot_read(name_of(state, seat))

    def _cut_remarks(self, at: At, look: Look) -> Iterator[Notice]:
        for seat in at.state.round.to_cut:
            cards = look.at_seat(seat)
            name = name_of(at.state, seat)
            if any(c.number in at.mat.spent for c in cards) and at.state.round.last_cuts:
                yield messages.cut_again(name)
            elif any(not card.is_up for card in cards):
                yield messages.cut_face_up(name)

    def _deal_remarks(self, at: At, look: Look, play: ScatPlay) -> Iterator[Notice]:
        lying = [c for c in look.in_zone(ZoneKind.DISCARD) if c.number not in at.mat.spent]
        if play.phase is Phase.TURN_UP and lying and not any(card.is_up for card in lying):
            yield say.turn_discard_up()
        if play.phase is Phase.CHOOSE and any(c.is_up for c in on_mat.middle_cards(at, look)):
            yield say.three_open()
        if play.phase is not Phase.DEAL:
            return
        for hand in play.hands:
            cards = [c for c in look.at_seat(hand.seat) if c.number not in at.mat.spent]
            most = 2 * HAND if play.options.table == "switch" and hand.seat == play.dealer else HAND
            if len(cards) > most:
                text = Message(
                    "{name} has more than three cards.", name=name_of(at.state, hand.seat)
                )
                yield Notice(text, Message("Take one back, or press MENU for a misdeal."))
            if most > HAND and any(card.is_up for card in cards[HAND:]):
                yield say.turn_down()
        yield from self._middle_remarks(at, look, play)

    def _middle_remarks(self, at: At, look: Look, play: ScatPlay) -> Iterator[Notice]:
        for card in on_mat.middle_cards(at, look):
            if card.number in at.mat.dealt or card.zone is ZoneKind.DEALER:
                continue
            if play.options.table in ("widow", "switch") and card.is_up:
                yield say.turn_down()
            elif play.options.table == "bus" and not card.is_up:
                yield say.turn_table_up()

    def _middle_turn_remarks(
        self, at: At, look: Look, play: ScatPlay, explained: bool
    ) -> Iterator[Notice]:
        if play.options.table in exchanges.TABLES and not explained:
            ties = exchanges.tie(at.mat.ties, play, on_mat.middle_cards(at, look))
            if exchanges.is_open(ties, look, play):
                yield say.unclear_middle()

    def _pile_remarks(
        self, at: At, look: Look, play: ScatPlay, explained: bool
    ) -> Iterator[Notice]:
        if not play.options.has_discard:
            return
        if on_mat.two_lie(at, look):
            yield say.one_discard()
            return
        fit = on_mat.fit(at, look)
        below = play.discards[-2] if len(play.discards) > 1 else None
        if below is not None and below.card is None and play.discards[-1].card is not None:
            top = the_card(play.discards[-1].card)
            yield Notice(
                Message("Lift {card}, please: what lies under it?", card=top), urgent=False
            )
        lying = [c for c in look.in_zone(ZoneKind.DISCARD) if c.number not in at.mat.spent]
        if fit.hidden and lying:
            yield say.turn_discard_up()
        elif fit.hidden:
            yield say.no_discard()
        elif explained:
            return
        elif fit.new and play.turn is not None:
            yield self._why_not(at, play, play.turn, fit.new[0])
        elif not fit.top_shows and play.top is not None and play.top.card is not None:
            yield self._why_not_taken(at, play.turn) or say.disturbed(play.top.card)

    def _why_not_taken(self, at: At, turn: int | None) -> Notice | None:
        """Say why the card on top cannot have been taken, where the rules forbid it."""
        refusal = None if turn is None else refusal_of(at.state, Draw(turn, Source.DISCARD))
        return None if refusal is None else messages.read_again(explain(at.state, refusal))

    def _why_not(self, at: At, play: ScatPlay, turn: int, card: LyingCard) -> Notice:
        """Say why a card on the pile cannot have been laid there."""
        events: list[Event] = [Discard(turn, card.card)]
        if play.drawn is None:
            events.insert(0, Draw(turn, Source.STOCK))
        state = at.state
        for event in events:
            refusal = refusal_of(state, event)
            if refusal is not None:
                return messages.read_again(explain(state, refusal))
            state = apply(state, event)
        return say.one_discard()

    def _hand_remarks(
        self, at: At, look: Look, play: ScatPlay, explained: bool
    ) -> Iterator[Notice]:
        for hand in play.hands:
            if hand.out or not hand.has_unread:
                continue
            name = name_of(at.state, hand.seat)
            cards = [card.card for card in on_mat.hand_shown(at, look, hand.seat)]
            if not cards:
                continue
            if hand.seat in play.to_reveal() and len(cards) < HAND:
                yield say.show_all(name, len(cards))
            elif play.phase is Phase.SHOWDOWN and len(cards) > HAND:
                yield say.show_three(name, len(cards))
            elif len(cards) != HAND or None in cards:
                continue
            elif play.phase is Phase.SHOWDOWN:
                if not explained:
                    yield messages.another_card(name)
            else:
                call = refusal_of(at.state, Declare(hand.seat, Claim.THIRTY_ONE, tuple(cards)))
                if call is not None:
                    yield say.hand_laid(explain(at.state, call))


_MOVES = {
    Knock.kind: Message("Knock"),
    Stand.kind: Message("Stand"),
    SwapHand.kind: Message("Swaps hands"),
    Renew.kind: Message("New cards from the stock"),
}


def _players(state: State, answers: Sequence[Hashable], nobody: Message) -> list[Choice]:
    """Return seats as answers in words; one below zero is *nobody*."""
    seats = (each for each in answers if isinstance(each, int))
    return [Choice(str(s), name_of(state, s) if s >= 0 else nobody) for s in seats]


def _yes_no(answers: Sequence[Hashable]) -> list[Choice]:
    return [ask.YES if each else ask.NO for each in answers]


def _top_before(at: At, seat: int, laid: str) -> Card | None:
    """Return what lay on the pile before the turn in which *seat* laid a card."""
    pile: list[Card | None] = []
    top: Card | None = None
    for event in at.events:
        if isinstance(event, TurnUp):
            pile.append(event.card)
        elif isinstance(event, Draw):
            top = pile[-1] if pile else None
            if event.source is Source.DISCARD and pile:
                pile.pop()
        elif isinstance(event, Discard):
            if event.seat == seat and str(event.card) == laid:
                return top
            pile.append(event.card)
    return top
