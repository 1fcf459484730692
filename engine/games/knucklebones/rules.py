"""One-and-Twenty with knucklebones, as at West Kingdom Twelfth Night (rules KB-1 to KB-23)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from engine.core.cards import Card
from engine.core.events import (
    Choose,
    Claim,
    CorrectBone,
    Declare,
    Event,
    Facing,
    Have,
    Roll,
    Stake,
    Stick,
)
from engine.core.fast_replace import replace
from engine.core.messages.message import N_
from engine.core.options import Preset
from engine.core.outcome import NO_MATCH, End, MatchState, Outcome, Result
from engine.core.payments import net_tokens, transfers
from engine.core.players import Player, clockwise
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import check_zero_sum
from engine.core.views import Phase, Stage, TableKind
from engine.games.base import Action, Game, with_hand
from engine.games.hand_views import HandViews
from engine.games.knucklebones import background, prompts, rulebook
from engine.games.knucklebones.play import (
    BankStanding,
    BonesPlay,
    KnucklebonesOptions,
    Thrower,
    check_faces,
)
from engine.games.knucklebones.stakes import (
    LEAST_STAKE,
    BankMatch,
    against_the_bank,
    as_tokens,
    check_stake,
    payments,
)
from engine.games.knucklebones.story import KnucklebonesStory
from engine.games.match_rules import MatchRules
from engine.games.story import Story

BANKER_STANDS_ON = 17
"""With ``stand17`` the banker stops here, and not before (rule KB-18)."""


class BonesViews(HandViews):
    """Throws, stakes, and what is asked of the player whose turn it is."""

    def throws(self, play: BonesPlay, seat: int) -> tuple[tuple[int, ...], ...]:
        """Return what *seat* threw."""
        return play.hand(seat).throws

    def is_dead(self, play: BonesPlay, seat: int) -> bool:
        """Return whether *seat* has thrown in (rule KB-23)."""
        return play.hand(seat).thrown_in

    def stake_laid(self, play: BonesPlay, seat: int) -> int:
        """Return what *seat* staked against the bank; the banker stakes nothing (rule KB-2)."""
        return dict(play.stakes).get(seat, 0)

    def asked_of_turn(self, play: BonesPlay) -> tuple[Stage | None, int]:
        """Return the stage of the turn, and how many bones are to be thrown now."""
        return play.stage, play.bones_due

    def hand_record(self, outcome: Outcome) -> dict[str, Any]:
        """Return a finished round in the words of the case format: a banker, not a dealer."""
        record = super().hand_record(outcome)
        banker, after = record.pop("dealer"), record.pop("next_dealer")
        return {"banker": banker, "next_banker": after, **record}

    def state_record(self, play: BonesPlay) -> dict[str, Any]:
        """Return banker, stage and totals in the words of the case format."""
        hands = sorted(play.hands, key=lambda hand: hand.seat)
        return {
            "banker": play.dealer,
            "stage": None if play.stage is None else str(play.stage),
            "totals": {str(hand.seat): hand.points for hand in hands},
        }


class Knucklebones(Game):
    """The whole game; everything in it is public, so there are no views to guard."""

    name: ClassVar[str] = "knucklebones"
    aliases: ClassVar[tuple[str, ...]] = ("One and Twenty with Knucklebones",)
    title: ClassVar[str] = "One-and-Twenty"
    about: ClassVar[str] = "Throw knucklebones against the bank, up to 21."
    table: ClassVar[TableKind] = TableKind.BONES
    strategist: ClassVar[str] = "engine.games.knucklebones.strategy:BonesPlayer"
    teacher: ClassVar[str] = "engine.games.knucklebones.hints:BonesHints"
    chances: ClassVar[str] = "engine.games.knucklebones.chances:BonesChances"
    story: ClassVar[Story] = KnucklebonesStory()
    options_type: ClassVar[type[Any]] = KnucklebonesOptions
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset(
            "west-kingdom",
            "S4",
            tells=N_("Five bones against the bank: near to 21, not over."),
            says=N_(
                "An unsigned post of 2001: people at a Twelfth Night of the West Kingdom "
                "tried out rules for five sheep's bones, liked these best, and had fun with "
                "them. The writer claims no old source for them."
            ),
        ),
    )
    cuts_for_deal: ClassVar[bool] = False
    lays_stakes: ClassVar[bool] = True
    match_type: ClassVar[type[MatchRules[Any]]] = BankMatch
    views_type: ClassVar[type[HandViews]] = BonesViews

    payments = staticmethod(payments)
    prompt = staticmethod(prompts.prompt)
    background = staticmethod(background.knucklebones)
    rules = staticmethod(rulebook.knucklebones)

    # --- the round --------------------------------------------------------------------------

    def begin(
        self,
        options: Any,
        players: Sequence[Player],
        dealer: int,
        order: tuple[int, ...] = (),
        standing: MatchState = NO_MATCH,
    ) -> BonesPlay:
        """Begin with the player on the banker's left, the banker last (rules KB-2, KB-3).

        Stakes lie as in the last round; who has laid none yet plays for the least there is.
        """
        seats = clockwise((player.seat for player in players), after=dealer)
        standing = standing if isinstance(standing, BankStanding) else BankStanding()
        laid = dict(standing.stakes)
        stakes = {seat: laid.get(seat, LEAST_STAKE) for seat in seats if seat != dealer}
        return BonesPlay(
            options=options,
            dealer=dealer,
            players=tuple(players),
            eldest=seats,
            hands=tuple(Thrower(seat) for seat in seats),
            phase=Phase.PLAY,
            order=order or seats,
            turn=(order or seats)[0],
            standing=standing,
            stakes=as_tokens(stakes),
        )

    def step(self, play: BonesPlay, event: Event) -> BonesPlay:
        """Apply one event; seat known, then phase, seat out, turn, the rest.

        Raises:
            IllegalActionError: the event is not possible now.
        """
        match event:
            case Stake() if event.seat == play.dealer:
                raise IllegalActionError(
                    Refusal.UNKNOWN_SEAT,
                    f"seat {event.seat} holds the bank and lays no stake; take the tokens back",
                )
            case Stake() if play.phase is Phase.PLAY:
                return _stake(play, event)
            case Roll() if play.phase is Phase.PLAY:
                return _roll(play, event)
            case Declare(what=Claim.OUT) if play.phase is Phase.PLAY:
                return _throw_in(play, event)
            case Choose(n=bones) if play.phase is Phase.PLAY and not play.one_at_a_time:
                return _answer(play, event.seat, bones)
            case Have() | Stick() if play.phase is Phase.PLAY and play.one_at_a_time:
                return _answer(play, event.seat, int(isinstance(event, Have)))
        raise IllegalActionError(Refusal.WRONG_PHASE, _not_now(play, event))

    def leave(self, play: BonesPlay, seat: int) -> BonesPlay:
        """Count a player who goes away as out; without its banker a round is void (G-17, KB-21).

        Raises:
            IllegalActionError: ``SEAT_OUT``: they have left already.
        """
        hand = play.hand(seat)
        if hand.left:
            raise IllegalActionError(
                Refusal.SEAT_OUT, f"seat {seat} has left already; go on without"
            )
        play = with_hand(play, replace(hand, out=True, left=True))
        if seat == play.dealer:
            return replace(play, phase=Phase.DONE, turn=None, wanted=0, end=End.MISDEAL)
        return _advance(play)

    def stick_for(self, play: BonesPlay, seat: int) -> BonesPlay | None:
        """Let the player whose turn it is count as having chosen 0 (rules G-11, KB-20)."""
        hand = play.hand(seat)
        if play.turn != seat or not hand.throws:
            return None
        return _advance(with_hand(play, replace(hand, acted=True, stuck=True)))

    def patch_bone(
        self, raw: tuple[Event, ...], places: Sequence[int], event: CorrectBone
    ) -> tuple[Event, ...]:
        """Put one bone of one throw right (rules KB-20, G-10).

        Raises:
            IllegalActionError: ``BAD_CORRECTION``: that bone was not thrown; or ``BAD_FACE``.
        """
        thrown = []
        for place in places:
            one = raw[place]
            if isinstance(one, Roll) and one.seat == event.seat:
                thrown.append((place, one))
        if not 0 <= event.roll < len(thrown):
            raise IllegalActionError(
                Refusal.BAD_CORRECTION,
                f"seat {event.seat} has made {_number(len(thrown), 'throw')} in this round, so "
                f"there is no throw {event.roll + 1}; look which throw was misread",
            )
        place, roll = thrown[event.roll]
        if not 0 <= event.pos < len(roll.faces):
            raise IllegalActionError(
                Refusal.BAD_CORRECTION,
                f"throw {event.roll + 1} of seat {event.seat} had "
                f"{_number(len(roll.faces), 'bone')}, so there is no bone {event.pos + 1}; "
                "look which bone was misread",
            )
        check_faces((event.face,))
        faces = (*roll.faces[: event.pos], event.face, *roll.faces[event.pos + 1 :])
        return (*raw[:place], replace(roll, faces=faces), *raw[place + 1 :])

    # --- the payment ------------------------------------------------------------------------

    def result(self, play: BonesPlay) -> Result:
        """Return how the round ended, each player against the bank (rules KB-8 to KB-10, G-18)."""
        if play.end is None:
            raise ValueError("the round is not over; ask again after its last event")
        paid = payments(play)
        net = net_tokens(paid, sorted(play.eldest))
        check_zero_sum(net)
        hands = sorted(play.hands, key=lambda hand: hand.seat)
        return Result(
            end=play.end,
            winners=play.winners,
            totals=tuple((hand.seat, hand.points) for hand in hands),
            out=tuple(hand.seat for hand in hands if hand.out),
            settlement=tuple(net.items()),
            payments=transfers(paid),
        )

    def next_dealer(self, play: BonesPlay) -> int | None:
        """Return who takes the bank as the best winner, where it passes so (KB-11, KB-19, KB-22).

        ``None``: it stays (KB-12), or goes on to the left.
        """
        passes = play.options.bank_passes
        if passes == "banker_over":
            lost = play.hand(play.dealer).out
        elif play.options.banker_loses == "net":
            lost = net_tokens(payments(play), play.eldest)[play.dealer] < 0
        else:
            lost = True  # to each of the winners, if there are any
        return self.stand_in(play, play.eldest) if lost else None

    def stand_in(self, play: BonesPlay, staying: Sequence[int]) -> int | None:
        """Return the best winner among those *staying*, of equals who threw first (G-16, KB-11)."""
        if play.options.bank_passes in ("left", "never"):
            return None
        winners = [seat for seat in play.winners if seat in staying]
        return max(winners, key=lambda seat: play.hand(seat).total, default=None)

    # --- what may come next -----------------------------------------------------------------

    def actions(self, play: BonesPlay) -> tuple[Action, ...]:
        """List what the rules allow next."""
        if play.turn is None:
            return ()
        turn, found = play.turn, []
        bound = _must_throw(play, play.hand(turn))
        if play.bones_due:
            found.append(Action("roll", turn, bones=play.bones_due))
        elif play.stage is Stage.CHOOSE:
            most = int(play.options.max_extra)
            found.append(Action("choose", turn, least=1 if bound else 0, most=most))
        else:
            found.append(Action("have", turn))
            if not bound:
                found.append(Action("stick", turn))
        if not play.has_begun:
            staking = (hand for hand in play.players_in if hand.seat != play.dealer)
            found.extend(Action("stake", hand.seat, least=LEAST_STAKE) for hand in staking)
        for hand in play.hands:
            if not hand.out and hand.seat in (turn, *(each.seat for each in play.players_in)):
                found.append(Action("declare", hand.seat, what=Claim.OUT))
        return tuple(found)

    def corrections(self, play: BonesPlay) -> tuple[Action, ...]:
        """Return the seats whose bones could be put right, by throw and place (rule KB-20)."""
        thrown = (hand.seat for hand in play.hands if hand.throws)
        return tuple(Action("correct", seat, bones=1) for seat in thrown)

    def total(self, play: BonesPlay, cards: Sequence[Card | None]) -> None:
        """Return nothing: no cards are used; the points lie in the throws."""

    def next_to_deal(self, play: BonesPlay) -> tuple[int, Facing] | None:
        """Return nothing: no cards are dealt."""
        return None

    def stake(self, options: Any) -> int:
        """Return 0: every player stakes as they please (rule KB-2)."""
        return 0

    def decks(self, options: Any) -> int:
        """Return 0: no cards are used."""
        return 0

    def deal_mode(self, options: Any) -> str:
        """Return where the bank goes unless a winner takes it: nowhere, or left (KB-12, KB-22)."""
        return "left" if options.bank_passes == "left" else "same"


# --- a turn -------------------------------------------------------------------------------------


def _stake(play: BonesPlay, event: Stake) -> BonesPlay:
    """Lay a stake of the player's choice before the first throw, not after (rule KB-2)."""
    if play.has_begun:
        raise IllegalActionError(
            Refusal.WRONG_PHASE,
            "bones have been thrown, so the stakes lie; change yours before the next round",
        )
    _check_not_out(play.hand(event.seat))
    check_stake(event.seat, event.amount)
    return replace(play, stakes=as_tokens({**dict(play.stakes), event.seat: event.amount}))


def _roll(play: BonesPlay, event: Roll) -> BonesPlay:
    """Count a throw of the right number of bones (rules KB-4, KB-6, KB-7, KB-14, KB-15)."""
    hand = _own_turn(play, event.seat)
    if not play.bones_due:
        raise IllegalActionError(Refusal.CHOOSE_FIRST, _choose_first(play, hand))
    check_faces(event.faces)
    if len(event.faces) != play.bones_due:
        raise IllegalActionError(
            Refusal.BONE_COUNT,
            f"{_number(len(event.faces), 'bone')} in view, but seat {event.seat} throws "
            f"{play.bones_due}; see to the number and throw again",
        )
    hand = replace(hand, throws=(*hand.throws, event.faces), acted=True)
    play = replace(with_hand(play, hand), wanted=0)
    if hand.total > play.options.target:  # 21 exactly is nothing special
        return _advance(with_hand(play, replace(hand, out=True)))
    decided = len(hand.throws) > 1 and not play.one_at_a_time
    must_stand = _is_bound(play, hand) and hand.total >= BANKER_STANDS_ON
    if decided or hand.extra >= play.options.max_extra or must_stand:
        return _advance(with_hand(play, replace(hand, stuck=True)))
    return play


def _answer(play: BonesPlay, seat: int, bones: int) -> BonesPlay:
    """Have so many more bones thrown, or end the turn with none (rules KB-5, KB-17, KB-18)."""
    hand, most = _own_turn(play, seat), play.options.max_extra
    if play.stage not in (Stage.CHOOSE, Stage.ONE):
        raise IllegalActionError(
            Refusal.WRONG_PHASE,
            f"seat {seat} has a throw to make; throw {_number(play.bones_due, 'bone')} first",
        )
    if not 0 <= bones <= most:
        raise IllegalActionError(
            Refusal.BAD_CHOICE, f"seat {seat} cannot throw {bones} more; choose 0 to {most}"
        )
    if bones:
        return replace(with_hand(play, replace(hand, acted=True)), wanted=bones)
    if _must_throw(play, hand):
        raise IllegalActionError(
            Refusal.BANKER_MUST_ROLL,
            f"the banker has {hand.points} and may not stand below {BANKER_STANDS_ON}; "
            "throw at least one more bone",
        )
    return _advance(with_hand(play, replace(hand, acted=True, stuck=True)))


def _throw_in(play: BonesPlay, event: Declare) -> BonesPlay:
    """Let a player be out who says so: the stake is the bank's, a banker has gone over (KB-23)."""
    hand = play.hand(event.seat)
    _check_not_out(hand)
    if hand.seat == play.dealer and hand.seat != play.turn:
        raise IllegalActionError(
            Refusal.NOT_YOUR_TURN,
            f"seat {hand.seat} holds the bank and may throw in when its turn comes; "
            f"wait for seat {play.turn}",
        )
    if event.cards:
        raise IllegalActionError(
            Refusal.MISMATCH, f"seat {hand.seat} holds no cards in {Knucklebones.title}; name none"
        )
    return _advance(with_hand(play, replace(hand, acted=True, out=True, thrown_in=True)))


def _advance(play: BonesPlay) -> BonesPlay:
    """Find whose turn it is, or end the round (rules KB-3, KB-9, KB-13)."""
    waiting = [hand for hand in map(play.hand, play.order) if not (hand.out or hand.stuck)]
    nobody_in = not play.players_in
    if waiting and not (nobody_in and not play.options.banker_must_roll):
        turn = waiting[0].seat
        return replace(play, turn=turn, wanted=play.wanted if turn == play.turn else 0)
    end = End.ALL_BUST if nobody_in else End.COMPARED
    play = replace(play, phase=Phase.DONE, turn=None, wanted=0, end=end)
    winners = tuple(hand.seat for hand in play.players_in if against_the_bank(play, hand)[0] > 0)
    return replace(play, winners=winners)


def _is_bound(play: BonesPlay, hand: Thrower) -> bool:
    return hand.seat == play.dealer and play.options.banker_rule == "stand17"


def _must_throw(play: BonesPlay, hand: Thrower) -> bool:
    """Return whether a bound banker must throw another bone (rule KB-18)."""
    return _is_bound(play, hand) and hand.total < BANKER_STANDS_ON


# --- refusals -----------------------------------------------------------------------------------


def _own_turn(play: BonesPlay, seat: int) -> Thrower:
    hand = play.hand(seat)
    _check_not_out(hand)
    if seat != play.turn:
        raise IllegalActionError(
            Refusal.NOT_YOUR_TURN, f"it is not the turn of seat {seat}; wait for seat {play.turn}"
        )
    return hand


def _check_not_out(hand: Thrower) -> None:
    if hand.left:
        raise IllegalActionError(Refusal.SEAT_OUT, f"seat {hand.seat} has left; go on without")
    if hand.thrown_in:
        raise IllegalActionError(
            Refusal.SEAT_OUT, f"seat {hand.seat} has thrown in and is out of this round; go on"
        )
    if hand.out:
        raise IllegalActionError(
            Refusal.SEAT_OUT,
            f"seat {hand.seat} went over with {hand.points} and is out of this round; go on",
        )


def _number(count: int, thing: str) -> str:
    return f"1 {thing}" if count == 1 else f"{count} {thing}s"


def _choose_first(play: BonesPlay, hand: Thrower) -> str:
    if play.stage is Stage.ONE:
        return f"seat {hand.seat} has {hand.points}; first ask them: have it, or stick?"
    most = play.options.max_extra
    return f"seat {hand.seat} has {hand.points}; first ask them how many more bones, 0 to {most}"


def _not_now(play: BonesPlay, event: Event) -> str:
    if play.phase is Phase.DONE:
        return f"no {event.kind!r} now: the round is over; begin the next one first"
    if isinstance(event, Choose):
        return "no 'choose' in this game: bones come one at a time; say have it, or stick"
    if isinstance(event, Have | Stick):
        return f"no {event.kind!r} in this game: choose once how many more bones to throw"
    return f"no {event.kind!r} in {Knucklebones.title}: no cards are used; throw the bones"
