"""What people may have done at a game with knucklebones (rules KB-4 to KB-23)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from device.croupier.assumptions import Assumption
from device.croupier.history import History
from device.croupier.looks import Look, LyingBone, Said
from device.croupier.moves import Move
from device.ports import Button
from engine import State
from engine.core.cards import Card
from engine.core.events import Choose, Claim, CorrectBone, Declare, Event, Have, Roll, Stake, Stick
from engine.core.views import Stage
from engine.games.knucklebones.play import BonesPlay
from engine.table.state import payments_of

UNTOUCHED_MM = 2.0
"""A bone that nobody touched is found again so near."""


@dataclass(frozen=True, slots=True)
class BoneMat:
    """What a history believes of the mat.

    Attributes:
        counted: the bones that belong to a throw that is known, or to nobody's.
        throw: the bones of the last throw, in its order, with their points and places.
        lying: the bones that lay there at the last rest.
    """

    counted: frozenset[int] = frozenset()
    throw: tuple[tuple[int, int, tuple[float, float]], ...] = ()
    lying: frozenset[int] = frozenset()


At = History[BoneMat]


class BoneMoves:
    """The moves of such a game, and what a look must show after them."""

    def start(self, state: State, look: Look) -> BoneMat:
        """Return what is believed when a round begins, or goes on without its looks."""
        numbers = frozenset(bone.number for bone in look.bones)
        return BoneMat(numbers, (), numbers)

    def at_rest(self, at: At, look: Look) -> BoneMat | None:
        """Return the mat with what lies now, where *at* explains all of it."""
        play = _play(at)
        if play is None or play.turn is None:
            return replace(at.mat, counted=at.mat.counted | _numbers(look), lying=_numbers(look))
        if self.new_bones(at, look) or any(self.changed(at, look)):
            return None
        return replace(at.mat, lying=_numbers(look))

    def new_bones(self, at: At, look: Look) -> list[LyingBone]:
        """Return the bones that no throw explains; those beside the mat only if they count."""
        return [
            bone
            for bone in look.bones
            if bone.number not in at.mat.counted and (not bone.off_mat or bone.allowed)
        ]

    def changed(self, at: At, look: Look) -> Iterator[tuple[int, LyingBone, int]]:
        """Yield each bone of the last throw that lies there with another face, and its points."""
        lying = {bone.number: bone for bone in look.bones}
        for place, (number, points, _) in enumerate(at.mat.throw):
            bone = lying.get(number)
            if bone is not None and bone.face is not None and bone.face.points != points:
                yield place, bone, points

    # --- what may have happened ---------------------------------------------------------------

    def moves(self, at: At, look: Look) -> Iterator[Move[BoneMat]]:
        """Offer what may have happened next on the way to what *look* shows."""
        play = _play(at)
        if play is None or play.turn is None:
            return
        for _, said in at.said:
            yield from self._word(at, play, said)
        yield from self._bumped(at, look, play)
        new = self.new_bones(at, look)
        if new:
            yield from self._throws(at, look, play, play.turn, new)
        elif play.stage in (Stage.CHOOSE, Stage.ONE) and _others_speak(at, play.turn):
            yield self._no_more(at, play, leaves_trace=False)

    def _word(self, at: At, play: BonesPlay, said: Said) -> Iterator[Move[BoneMat]]:
        """Offer what a press may mean: a stake, a number, have or stick, out (KB-2 to KB-23)."""
        press, turn = said.press, play.turn
        if press is None or turn is None:
            return
        seat = turn if press.seat is None else press.seat
        event: Event | None = None
        if press.button is Button.OUT:
            event = Declare(seat, Claim.OUT)
        elif not play.has_begun and press.seat is not None:
            laid = dict(play.stakes).get(seat, 0)
            more = 1 if press.button is Button.HAVE else -1
            event = Stake(seat, max(1, laid + more))
        elif said.number is not None:
            event = Choose(seat, said.number)
        elif play.stage is Stage.ONE or play.one_at_a_time:
            event = Have(seat) if press.button is Button.HAVE else Stick(seat)
        elif press.button is Button.STICK:
            event = Choose(seat, 0)
        if event is not None:
            yield Move((event,), at.mat, said=said)
        if isinstance(event, Choose) and _chosen(at, seat) == event.n:
            # It was thrown before it was said.
            yield Move((), at.mat, (Assumption.LATE_WORD,), said)

    def _throws(
        self, at: At, look: Look, play: BonesPlay, turn: int, new: Sequence[LyingBone]
    ) -> Iterator[Move[BoneMat]]:
        """Offer the new bones as a throw of whose turn it is, or of the next (KB-4, KB-6)."""
        if any(bone.face is None for bone in look.bones if not bone.off_mat):
            return  # it must be named, or thrown again
        if play.bones_due:
            for thrown, assumed in self._thrown(at, look, new, play.bones_due):
                yield self._roll(at, look, (), turn, thrown, assumed)
            return
        for number in range(1, len(look.bones) + 1):
            for thrown, assumed in self._thrown(at, look, new, number):
                silent = (Assumption.SILENT_NUMBER, *assumed)
                if number >= int(play.options.bones_first):
                    silent = (*silent, Assumption.ALL_AGAIN)
                before = self._asks(play, turn, number)
                if before is not None:
                    yield self._roll(at, look, before, turn, thrown, silent)
        yield self._no_more(at, play, leaves_trace=False)

    def _asks(self, play: BonesPlay, turn: int, number: int) -> tuple[Event, ...] | None:
        """Return the words before a throw of *number* more bones."""
        if play.stage is Stage.ONE:
            return (Have(turn),) if number == 1 else None
        return (Choose(turn, number),)

    def _no_more(self, at: At, play: BonesPlay, *, leaves_trace: bool) -> Move[BoneMat]:
        """Return the move that whose turn it is wants no more bones, unsaid."""
        assert play.turn is not None
        event: Event = Choose(play.turn, 0)
        if play.stage is Stage.ONE:
            event = Stick(play.turn)
        return Move((event,), at.mat, (Assumption.NEXT_PLAYER,), leaves_trace=leaves_trace)

    def _thrown(
        self, at: At, look: Look, new: Sequence[LyingBone], due: int
    ) -> Iterator[tuple[Sequence[LyingBone], tuple[Assumption, ...]]]:
        """Yield the bones that may be a throw of *due* bones, the others having stayed."""
        inside = [bone for bone in look.bones if not bone.off_mat or bone.allowed]
        if len(new) == due:
            yield new, ()
        elif len(inside) == due and at.mat.lying - _numbers(look):
            # All were lifted and thrown; some fell where others had lain.
            yield inside, (Assumption.SAME_SPOT,)

    def _roll(
        self,
        at: At,
        look: Look,
        before: tuple[Event, ...],
        seat: int,
        thrown: Sequence[LyingBone],
        assumed: tuple[Assumption, ...],
    ) -> Move[BoneMat]:
        bones = [(bone, bone.face) for bone in thrown if bone.face is not None]
        event = Roll(seat, tuple(face.points for _, face in bones))
        throw = tuple((bone.number, face.points, bone.centre) for bone, face in bones)
        counted = at.mat.counted | _numbers(look)
        after = BoneMat(counted, throw, at.mat.lying)
        about = frozenset(bone.number for bone, _ in bones)
        return Move((*before, event), after, assumed, hand=seat, about=about)

    def _bumped(self, at: At, look: Look, play: BonesPlay) -> Iterator[Move[BoneMat]]:
        """Offer a bone of the last throw that was pushed, or was read wrongly (KB-20)."""
        due = (Assumption.BUMPED_WHEN_DUE,) if play.bones_due else (Assumption.BUMPED,)
        for place, bone, points in self.changed(at, look):
            kept = _with(at.mat, place, bone, points if bone.face is None else bone.face.points)
            yield Move((), kept, due, about=frozenset((bone.number,)))
            last = _last_throw(at.state)
            moved = math.dist(bone.centre, at.mat.throw[place][2]) > UNTOUCHED_MM
            if last is not None and bone.face is not None and not moved:
                seat, roll = last
                event = CorrectBone(seat, roll, place, bone.face.points)
                yield Move(
                    (event,), kept, (Assumption.FACE_MISREAD,), about=frozenset((bone.number,))
                )
            return
        lying = _numbers(look)
        gone = [
            (place, points)
            for place, (number, points, _) in enumerate(at.mat.throw)
            if number in at.mat.lying and number not in lying
        ]
        new = self.new_bones(at, look)
        if len(gone) == len(new) == 1:
            ((place, points),), (bone,) = gone, new
            mat = _with(at.mat, place, bone, points if bone.face is None else bone.face.points)
            about = frozenset((bone.number,))
            yield Move((), replace(mat, counted=mat.counted | about), due, about=about)

    # --- what histories have in common --------------------------------------------------------

    def key(self, at: At, watched: frozenset[Card]) -> Hashable:
        """Return what decides the future of a history."""
        play = _play(at)
        throws = () if play is None else tuple((hand.seat, hand.throws) for hand in play.hands)
        return (self.frame(at.state), self.money(at.state), throws, at.mat)

    def frame(self, state: State) -> Hashable:
        """Return who may do what next."""
        play = state.live_play
        if not isinstance(play, BonesPlay):
            return (state.phase, state.dealer, state.round.misdeal)
        hands = tuple((h.seat, len(h.throws), h.out, h.stuck, h.thrown_in) for h in play.hands)
        return (play.phase, state.dealer, play.turn, play.stage, play.wanted, play.stakes, hands)

    def money(self, state: State) -> Hashable:
        """Return all that is paid, who has the bank next, and what was thrown for it."""
        over = state.outcome
        return (payments_of(state), over and (over.settlement, state.round.due))

    def suspects(self, at: At, look: Look) -> frozenset[Card]:
        """Return no cards: there are none."""
        return frozenset()

    def corrected(self, at: At, event: Event) -> BoneMat:
        """Return the mat after people corrected: the bone shows what it showed."""
        return at.mat


def _play(at: At) -> BonesPlay | None:
    play = at.state.live_play
    return play if isinstance(play, BonesPlay) else None


def _numbers(look: Look) -> frozenset[int]:
    return frozenset(bone.number for bone in look.bones)


def _with(mat: BoneMat, place: int, bone: LyingBone, points: int) -> BoneMat:
    """Return the mat with another bone, or face, at one place of the last throw."""
    throw = list(mat.throw)
    throw[place] = (bone.number, points, bone.centre)
    return replace(mat, throw=tuple(throw))


def _last_throw(state: State) -> tuple[int, int] | None:
    """Return the seat of the last throw of the round, and which of that seat's throws it is."""
    for event in reversed(state.log):
        if isinstance(event, Roll):
            count = sum(isinstance(e, Roll) and e.seat == event.seat for e in state.log)
            return event.seat, count - 1
    return None


def _chosen(at: At, seat: int) -> int | None:
    """Return the number of bones that *seat* chose in the last move, without a word."""
    for event, mark in zip(reversed(at.state.log), reversed(at.marks), strict=False):
        if isinstance(event, Choose) and event.seat == seat:
            return event.n if Assumption.LATE_WORD not in mark else None
    return None


def _others_speak(at: At, turn: int) -> bool:
    return any(s.press is not None and s.press.seat not in (None, turn) for _, s in at.said)
