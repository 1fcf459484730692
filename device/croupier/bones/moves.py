"""What people may have done at a game with knucklebones (rules KB-4 to KB-23).

A throw is what came to rest together: the bones that are new, the others having stayed, or all of
them. Whose it is tell the number said, the hand that was seen, and what the rules allow just then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from device.croupier.assumptions import Assumption
from device.croupier.bones.mat import (
    FINGER_MM,
    PUSHED_MM,
    SET,
    UNTOUCHED_MM,
    BoneMat,
    Changes,
    changes,
    far_mm,
    is_there,
)
from device.croupier.history import History
from device.croupier.legal import state_after
from device.croupier.looks import Look, LyingBone, Said
from device.croupier.moves import Move
from device.ports import Button
from engine import State
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.events import Choose, Claim, CorrectBone, Declare, Event, Have, Roll, Stake, Stick
from engine.core.views import Phase, Stage
from engine.games.knucklebones.play import BonesPlay
from engine.games.knucklebones.strategy import MEAN_FACE
from engine.table.state import payments_of

FOOLHARDY = 3
"""Points above the target that nobody dares to expect."""

LIKELY = (Face.CONCAVE, Face.CONVEX, Face.FLAT, Face.TWISTED)
"""How a bone lies that nobody saw, the likeliest first."""

At = History[BoneMat]
Words = tuple[Assumption, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the rules let be thrown next, after the words *before* it."""

    seat: int
    bones: int
    before: tuple[Event, ...] = ()


class BoneMoves:
    """The moves of such a game, and what a look must show after them."""

    tells_end = False
    words_wait = False

    def start(self, state: State, look: Look) -> BoneMat:
        """Return what is believed when a round begins, or goes on without its looks."""
        return BoneMat.of(look)

    def lost_track(self, at: At, look: Look) -> Iterator[Move[BoneMat]]:
        """Offer nothing: what lies there tells all that counts."""
        return iter(())

    def waits_in_vain(self, at: At, look: Look, *, best: bool) -> bool:
        """Return that nothing is told by how long the bones lie."""
        return False

    def was_swept(self, at: At) -> bool:
        """Return whether all bones were thrown anew after the end of the round."""
        return bool(at.mat.void) and at.state.phase is Phase.DONE

    def at_rest(self, at: At, look: Look) -> BoneMat | None:
        """Return the mat with what lies now, where *at* explains all of it."""
        play = play_of(at)
        if play is None:
            return BoneMat.of(look)
        change = changes(at.mat, look)
        nobody = look.hands == () and not look.blind and not at.mat.loose
        if nobody and change.is_unsteady:
            return at.mat
        return at.mat.at(look) if change.nothing else None

    # --- what may have happened ---------------------------------------------------------------

    def moves(self, at: At, look: Look) -> Iterator[Move[BoneMat]]:
        """Offer what may have happened next on the way to what *look* shows."""
        play = play_of(at)
        if play is None or (at.mat.guessed and _is_guessed_wrong(at, look)):
            return
        if play.turn is None:
            yield from self._after_the_end(at, look, play)
            return
        yield from self._not_read(at, look, play, play.turn)
        for _, said in at.said:
            yield from self._word(at, play, play.turn, said)
        change = changes(at.mat, look)
        if look.blind and change.thrown and _lies_as_thrown(at, play, look):
            yield Move((), BoneMat.of(look))
            return
        nudged = _nudged(at, look, change)
        if nudged is not None:
            yield nudged
            return
        yield from self._no_bones(at, play, change)
        yield from self._one_by_one(at, look, play, change)
        if not change.nothing:
            yield from self._bumped(at, look, play, change)
        if look.number == 1 and look.hands == () and len(change.thrown) == SET:
            # It was thrown before NEXT, and may have been for nothing.
            yield Move((), at.mat.thrown_for_nothing(look), (Assumption.THROWN_AFTER,))
        if change.thrown or _fell_beside(play, change) or _same_place(play, change):
            yield from self._throws(at, look, play, play.turn, change)
        elif not change.nothing:
            yield Move((), at.mat.at(look))  # spare bones beside the mat

    def _no_bones(self, at: At, play: BonesPlay, change: Changes) -> Iterator[Move[BoneMat]]:
        """Offer that coins, which lay there before a whole throw or are not read, are no bones."""
        if play.bones_due != SET:
            return
        lain = {bone.number: bone for bone in at.mat.pending}
        still = [b for b in change.thrown if b.number in lain and is_there(b, lain[b.number])]
        unread = [bone for bone in change.thrown if bone.face is None]
        for things in (still if len(still) == len(lain) else [], unread):
            if things and len(change.thrown) - len(things) == SET:
                about = frozenset(bone.number for bone in things)
                yield Move((), at.mat.without(things), about=about)

    def _after_the_end(self, at: At, look: Look, play: BonesPlay) -> Iterator[Move[BoneMat]]:
        """Let bones do what they like, but not become more without having been taken up."""
        change = changes(at.mat, look)
        if change.nothing:
            return
        nudged = _nudged(at, look, change)
        if nudged is not None:
            yield nudged
        elif not look.blind and len(change.thrown) == SET and not change.stayed:
            yield Move((), at.mat.thrown_for_nothing(look), (Assumption.THROWN_AFTER,))
        else:
            words = (Assumption.ADDED,) if _is_added(change) else ()
            yield Move((), replace(BoneMat.of(look), throw=at.mat.throw), words)
            yield from self._one_by_one(at, look, play, change)
        yield from self._misread(at, look, change)

    def _word(self, at: At, play: BonesPlay, turn: int, said: Said) -> Iterator[Move[BoneMat]]:
        """Offer what a press may mean: a stake, a number, have or stick, out (KB-2 to KB-23)."""
        press = said.press
        if press is None:
            return
        seat = turn if press.seat is None else press.seat
        event: Event | None = None
        if press.button is Button.OUT:
            event = Declare(seat, Claim.OUT)
        elif press.button is Button.NEXT:
            if play.stage in (Stage.CHOOSE, Stage.ONE):  # who wants the next round wants no bone
                event = no_more(play, turn)
                yield Move((event,), at.mat, (Assumption.SILENT_STICK,), said=said)
            return
        elif not play.has_begun:
            staker = said.number if press.seat is None else press.seat
            if staker is not None:
                more = 1 if press.button is Button.HAVE else -1
                event = Stake(staker, max(1, dict(play.stakes).get(staker, 0) + more))
        elif play.one_at_a_time:
            # The knob may stand at none.
            event = wanting(play, seat, int(press.button is Button.HAVE and said.number != 0))
        else:
            yield from self._number(at, play, seat, said)
        if event is not None:
            yield Move((event,), at.mat, said=said)

    def _number(self, at: At, play: BonesPlay, seat: int, said: Said) -> Iterator[Move[BoneMat]]:
        """Offer a number that was said, before it was thrown or after (KB-5)."""
        press = said.press
        assert press is not None
        number = said.number if press.button is Button.HAVE else 0
        if number is None:
            return
        own = press.seat is not None or play.stage is not Stage.CHOOSE
        if own and _was_silent(at, press.seat, number):  # it was thrown before it was said
            yield Move((), at.mat, (), said)
        elif number == 0 and _is_through(at, play, press.seat):
            yield Move((), at.mat, (Assumption.LATE_WORD,), said)
        # Who wants none has thrown none of those that are not read yet.
        more = (Assumption.ADDED,) * (number == 0 and bool(at.mat.pending))
        yield Move((Choose(seat, number),), at.mat, more, said)

    # --- throws -------------------------------------------------------------------------------

    def _throws(
        self, at: At, look: Look, play: BonesPlay, turn: int, change: Changes
    ) -> Iterator[Move[BoneMat]]:
        """Offer the bones as a throw of whose turn it is, or of the next (KB-4, KB-6)."""
        known = play.bones_due > 0
        now = [Turn(turn, play.bones_due)] if known else _silent_turns(at, play, turn)
        found = False
        for bones, assumed in _thrown(change):
            for each in now:
                if each.bones != len(bones):
                    continue
                found = True
                words = (*assumed, *self._why(at, look, play, each, change, known))
                yield self._roll(at, look, each, bones, words)
        if len(change.thrown) == SET and _hand(at, look, turn) == (Assumption.OTHER_THREW,):
            void = at.mat.thrown_for_nothing(look)
            yield Move((), void, (Assumption.OTHER_THREW,), about=look_numbers(look))
        if change.nothing or not (change.thrown or change.beside):
            return
        fell = bool(_fell_beside(play, change))
        if known or fell or change.leans:
            if not (found and known) or fell or change.leans:
                yield self._wait(at, look, change, _too_many(play, change))
        elif len(change.on_mat) < SET:
            yield from self._out_of_sight(at, look, turn, now, change)

    def _one_by_one(
        self, at: At, look: Look, play: BonesPlay, change: Changes
    ) -> Iterator[Move[BoneMat]]:
        """Offer that bones of a number that nobody has pressed were thrown one after the other."""
        *_, chosen, roll = (None, None, *at.events)
        if play.one_at_a_time or not _is_added(change):
            return
        points = [bone.face.points for bone in change.fresh if bone.face is not None]
        if not isinstance(chosen, Choose) or not isinstance(roll, Roll) or play.turn == roll.seat:
            return
        own = not at.hands or at.hands[-1] in (None, roll.seat)
        all_read = len(points) == len(change.fresh) == len(change.thrown)
        if not own or not all_read or not _was_silent(at, roll.seat, chosen.n):
            return
        about = frozenset(bone.number for bone in change.fresh)
        throw = (*at.mat.throw, *(bone.number for bone in change.fresh))
        after = replace(at.mat.at(look, about), throw=throw)
        whole = (Choose(roll.seat, chosen.n + len(points)), Roll(roll.seat, (*roll.faces, *points)))
        insert = (len(at.events) - 2, 2, whole)
        yield Move((), after, (Assumption.ONE_BY_ONE,), about=about, insert=insert)

    def _not_read(self, at: At, look: Look, play: BonesPlay, turn: int) -> Iterator[Move[BoneMat]]:
        """Offer that a throw counts of which one bone was not read, or not seen.

        People know how it lies: they take the bones up, or say what comes next.
        """
        bones, numbers = at.mat.pending, look_numbers(look)
        lifted = not any(bone.number in numbers for bone in bones)
        if not bones or look.blind or not (lifted or at.said or _is_left(bones, numbers)):
            return
        if any(bone.off_mat for bone in bones) or (lifted and len(bones) == 1):
            return  # one alone that leans is mostly thrown again
        about = frozenset(bone.number for bone in bones)
        # As the points are told: the one that was not read comes last.
        throw = tuple(b.number for b in sorted(bones, key=lambda bone: bone.face is None))
        after = replace(at.mat, throw=throw, loose=frozenset(), pending=())
        due = play.bones_due
        for each in [Turn(turn, due)] if due else _silent_turns(at, play, turn):
            for points, words in _as_thrown(bones, each.bones, seen=not due):
                events = (*each.before, Roll(each.seat, points))
                mat = after.guessing(throw, points)
                yield Move(events, mat, words, leaves_trace=False, about=about)

    def _out_of_sight(
        self, at: At, look: Look, turn: int, now: Sequence[Turn], change: Changes
    ) -> Iterator[Move[BoneMat]]:
        """Offer that some bones of a throw have fallen where nobody sees them."""
        words = (Assumption.BONE_MISSING, *_hand(at, look, turn))
        yield self._wait(at, look, change, words)
        for each in now:
            if each.seat != turn and len(change.on_mat) < each.bones and not change.stayed:
                words = (Assumption.BONE_MISSING, *_hand(at, look, each.seat))
                yield self._wait(at, look, change, words, each.before)

    def _why(
        self, at: At, look: Look, play: BonesPlay, turn: Turn, change: Changes, known: bool
    ) -> Words:
        """Return what is unusual about a throw that is *turn*'s."""
        words = list(_hand(at, look, turn.seat))
        if change.beside and not known:
            words.append(Assumption.BESIDE)
        lifted = not at.mat.loose & look_numbers(look)
        if at.mat.loose and lifted and turn.bones != len(at.mat.loose):
            words.append(Assumption.LIFTED_UNCOUNTED)
        if known:
            return tuple(words)
        if change.nothing:
            words.append(Assumption.BONE_MISSING)  # so it was believed before
        if not at.mat.loose and change.pair is not None and far_mm(*change.pair) <= PUSHED_MM:
            words.append(Assumption.FELL_NEAR)
            was, now = change.pair
            if was.face is now.face and far_mm(was, now) <= FINGER_MM:
                words.append(Assumption.SAME_SPOT)  # it looks as if a finger had pushed it
            if not at.hands or turn.seat not in at.hands:
                words.append(Assumption.NO_HAND)
        if turn.seat == play.turn and turn.bones >= int(play.options.bones_first):
            hoped = play.hand(turn.seat).total + turn.bones * MEAN_FACE
            dares = hoped <= int(play.options.target) + FOOLHARDY
            words.append(Assumption.ALL_AGAIN if dares else Assumption.FOOLHARDY)
        return tuple(words)

    def _roll(
        self, at: At, look: Look, turn: Turn, bones: Sequence[LyingBone], assumed: Words
    ) -> Move[BoneMat]:
        points = tuple(bone.face.points for bone in bones if bone.face is not None)
        about = frozenset(bone.number for bone in bones)
        throw = tuple(bone.number for bone in bones)
        after = replace(at.mat.at(look, about), throw=throw, loose=frozenset(), pending=())
        return Move((*turn.before, Roll(turn.seat, points)), after, assumed, about=about)

    def _wait(
        self,
        at: At,
        look: Look,
        change: Changes,
        assumed: Words = (),
        before: tuple[Event, ...] = (),
    ) -> Move[BoneMat]:
        """Return the move that a throw is not finished: a bone of it is thrown again."""
        play = play_of(at)
        beside = () if play is None else _fell_beside(play, change)
        loose = frozenset(bone.number for bone in (*change.thrown, *beside))
        after = replace(at.mat.at(look, loose), loose=loose, pending=(*change.thrown, *beside))
        return Move(before, after, assumed, about=loose)

    # --- bones that are pushed or misread -----------------------------------------------------

    def _bumped(
        self, at: At, look: Look, play: BonesPlay, change: Changes
    ) -> Iterator[Move[BoneMat]]:
        """Offer a bone that was pushed, and keeps its points, or was read wrongly (KB-20)."""
        pair = change.pair
        if at.mat.loose:
            return
        yield from self._misread(at, look, change)
        slid = change.is_set_aside and play.bones_due != len(change.fresh)
        # Five that are due were thrown; five that are not may be laid in a row and counted.
        is_swept = change.is_swept and (change.stayed or play.bones_due != SET)
        if is_swept or slid:
            swept = replace(at.mat.at(look), throw=())
            why = (Assumption.SWEPT, *(Assumption.PUSHED_FAR,) * _is_by_stranger(at, play))
            yield Move((), swept, why, about=look_numbers(look))
        if change.moved and change.gone and not change.fresh:
            # Who takes bones up may push those that stay.
            left = tuple(after for _, after in change.moved)
            word = Assumption.BUMPED if change.stayed else Assumption.SWEPT
            due = play.bones_due
            many = (Assumption.KEPT_IN_HAND,) if 0 < due < len(change.gone) else ()
            about = frozenset(bone.number for bone in left)
            yield Move((), at.mat.at(look), (word, *many), about=about)
        if pair is None:
            return
        before, after = pair
        words: list[Assumption] = [Assumption.BUMPED]
        if far_mm(before, after) > PUSHED_MM:
            words.append(Assumption.PUSHED_FAR)
        if at.hands and play.turn in at.hands:
            words.append(Assumption.OWN_BONE)
        mat = at.mat.renamed(before.number, after.number).at(look)
        about = frozenset((after.number,))
        yield Move((), mat, tuple(words), about=about)

    def _misread(self, at: At, look: Look, change: Changes) -> Iterator[Move[BoneMat]]:
        """Offer that bones of the last throw, which nobody has touched, were read wrongly."""
        last = _last_throw(at.state)
        if last is None or at.hands:
            return
        events = []
        for before, after in change.turned:
            same = before.number == after.number and before.number in at.mat.throw
            if not same or after.face is None:
                return
            place = at.mat.throw.index(before.number)
            events.append(CorrectBone(*last, place, after.face.points))
        if events:
            about = frozenset(after.number for _, after in change.turned)
            word = (Assumption.FACE_MISREAD,)  # one picture misleads about several
            yield Move(tuple(events), at.mat.at(look), word, about=about)

    # --- what histories have in common --------------------------------------------------------

    def key(self, at: At, watched: frozenset[Card]) -> Hashable:
        """Return what decides the future of a history."""
        play = play_of(at)
        throws = () if play is None else tuple((hand.seat, hand.throws) for hand in play.hands)
        return (self.frame(at.state), self.money(at.state), throws, at.mat)

    def frame(self, state: State) -> Hashable:
        """Return who may do what next, and what lies: bones are never hidden."""
        play = state.live_play
        if not isinstance(play, BonesPlay):
            return (state.phase, state.dealer, state.round.misdeal)
        hands = tuple(
            (h.seat, tuple(tuple(sorted(t)) for t in h.throws), h.out, h.stuck, h.thrown_in)
            for h in play.hands
        )
        return (play.phase, state.dealer, play.turn, play.stage, play.wanted, play.stakes, hands)

    def money(self, state: State) -> Hashable:
        """Return all that is paid, who has the bank next, and what was thrown for it."""
        over = state.outcome
        return (payments_of(state), over and (over.settlement, state.round.due))

    def suspects(self, at: At, look: Look) -> frozenset[Card]:
        """Return no cards: there are none."""
        return frozenset()

    def where(self, at: At, card: Card) -> None:
        """Return nothing: no card is a suspect."""

    def traces(self, event: Event) -> frozenset[Assumption]:
        """Return nothing: what is taken back here lies there, or was a word."""
        return frozenset()

    def corrected(self, at: At, event: Event) -> BoneMat:
        """Return the mat after people corrected: the bones lie as they lay."""
        return at.mat


def play_of(at: At) -> BonesPlay | None:
    """Return the round that is played in a history; ``None`` between rounds."""
    play = at.state.live_play
    return play if isinstance(play, BonesPlay) else None


def _is_guessed_wrong(at: At, look: Look) -> bool:
    """Return whether a bone that had not been read is read now, and shows another face."""
    return any(was.number in at.mat.guessed for was, _ in changes(at.mat, look).turned)


def look_numbers(look: Look) -> frozenset[int]:
    """Return the numbers of all bones of a look."""
    return frozenset(bone.number for bone in look.bones)


def wanting(play: BonesPlay, seat: int, number: int) -> Event:
    """Return that *seat* wants so many more bones; one by one it is one or none (KB-17)."""
    if not play.one_at_a_time:
        return Choose(seat, number)
    return Have(seat) if number else Stick(seat)


def no_more(play: BonesPlay, seat: int) -> Event:
    """Return that *seat* wants no more bones."""
    return wanting(play, seat, 0)


def _silent_turns(at: At, play: BonesPlay, turn: int) -> list[Turn]:
    """Return the throws that the rules allow while nobody has said a number (KB-5, KB-17)."""
    found = [Turn(turn, 1, (Have(turn),))]
    if not play.one_at_a_time:
        most = int(play.options.max_extra)
        found = [Turn(turn, n, (Choose(turn, n),)) for n in range(1, most + 1)]
    none = no_more(play, turn)
    state = state_after(at.state, none)
    after = None if state is None else state.live_play
    if isinstance(after, BonesPlay) and after.turn is not None and after.bones_due:
        found.append(Turn(after.turn, after.bones_due, (none,)))
    return found


def _fell_beside(play: BonesPlay, change: Changes) -> tuple[LyingBone, ...]:
    """Return the bones beside the mat that are of this throw, not spare ones (rule KB-15)."""
    both, due = (*change.beside, *change.spare), play.bones_due
    if not due:
        return change.beside
    if len(change.thrown) + len(both) == due:
        return both
    fits = len(change.thrown) + len(change.beside) <= due
    return change.beside if fits and change.thrown else ()


def _nudged(at: At, look: Look, change: Changes) -> Move[BoneMat] | None:
    """Return the move that bones were only touched, or seen otherwise, and keep their points."""
    may_throw = bool({at.state.turn, None} & {*(look.hands or ())})
    nudged = change.nudged(may_throw=may_throw)
    if not nudged or at.mat.loose:
        return None
    mat = at.mat
    for was, now in nudged:
        mat = mat.renamed(was.number, now.number)
    about = frozenset(now.number for _, now in nudged)
    return Move((), mat.at(look), (Assumption.BUMPED,), about=about)


def _is_added(change: Changes) -> bool:
    """Return whether bones came to those that lay there, and none was taken up."""
    return bool(change.fresh and change.stayed and not change.gone)


def _too_many(play: BonesPlay, change: Changes) -> Words:
    """Return how unusual it is that these are bones of a throw that is not finished."""
    due = play.bones_due
    if play.stage is Stage.FIRST and _is_added(change):
        return (Assumption.ADDED,)
    crowded = len(change.stayed) + (due or 1) > SET or 0 < due < len(change.thrown)
    return (Assumption.TOO_MANY,) if crowded else ()


def _same_place(play: BonesPlay, change: Changes) -> bool:
    """Return whether the bones taken up may have been thrown just to where one had lain."""
    return play.bones_due == len(change.stayed) == 1 and bool(change.gone)


def _thrown(change: Changes) -> Iterator[tuple[Sequence[LyingBone], Words]]:
    """Yield the bones that may be one throw: the new ones, or all of them."""
    part, stayed = change.thrown, change.stayed
    if not part:
        yield stayed, (Assumption.SAME_SPOT,)
        return
    # Whoever throws more beside those that lie there takes none of these away.
    takes_one = len(change.gone) == 1 == len(change.knocked_over)
    took = (Assumption.KEPT_IN_HAND,) * (2 if takes_one else 0)
    yield part, (*_spot(change), *_kept_in_hand(stayed, part), *took)
    for old in change.may_have_lain:
        bumped = stayed and not set(old) & set(change.fresh)
        word = Assumption.BUMPED if bumped else Assumption.SWEPT
        if old == change.knocked_over:
            word = Assumption.KNOCKED_OVER
        rest = tuple(bone for bone in part if bone not in old)
        yield rest, (word, *_kept_in_hand((*stayed, *old), rest))
    if len(stayed) == 1:
        yield (*part, *stayed), (Assumption.SAME_PLACE,)


def _spot(change: Changes) -> Words:
    """Return how unusual it is that bones fell where others had lain."""
    if any(far_mm(*pair) <= UNTOUCHED_MM for pair in change.moved):
        return (Assumption.SAME_PLACE if change.stayed else Assumption.SAME_SPOT,)
    return (Assumption.SAME_SPOT,) if change.moved and change.stayed else ()


def _kept_in_hand(left: Sequence[LyingBone], thrown: Sequence[LyingBone]) -> Words:
    """Return how unusual it is that these are *left* lying, and those are *thrown*."""
    in_hand = SET - len(left) - len(thrown)
    if not left or not in_hand:
        return ()
    return (Assumption.TOO_MANY if in_hand < 0 else Assumption.KEPT_IN_HAND,)


def _as_thrown(
    bones: Sequence[LyingBone], due: int, *, seen: bool
) -> Iterator[tuple[tuple[int, ...], Words]]:
    """Yield what *due* bones may show of which one was not read, or something was taken for one.

    One that nobody saw is thought of only where not all of them need be *seen*.
    """
    known = tuple(bone.face.points for bone in bones if bone.face is not None)
    unread = [bone for bone in bones if bone.face is None]
    if unread and len(known) == due:
        yield known, (Assumption.FACE_UNREAD,)
    if len(known) != due - 1 or (seen and not unread):
        return
    words: Words = (Assumption.FACE_UNREAD if unread else Assumption.FACE_UNSEEN,)
    likely = tuple(face for bone in unread for face in bone.candidates)
    for face in dict.fromkeys((*likely, *LIKELY)):  # it may be none of the candidates
        others = (Assumption.CANDIDATE,) if likely and face is not likely[0] else ()
        yield (*known, face.points), (*words, *others)


def _is_left(bones: Sequence[LyingBone], now: frozenset[int]) -> bool:
    """Return whether others are taken up than the one that is not read: that one counts."""
    there = [bone.face is None for bone in bones if bone.number in now]
    return any(there) and len(there) < len(bones)


def _hand(at: At, look: Look, seat: int) -> Words:
    """Return how unusual it is that *seat* has thrown, by the hands that were seen.

    The last one threw; the one before it has mostly taken the bones up. But another's hand may come
    over the mat after the throw, where that of *seat* was there as well. Who has thrown for a
    player goes on to do so.
    """
    if not at.hands or (look.blind and look.number > 1):
        return ()
    known = [hand for hand in at.hands if hand is not None]
    if not known or known[-1] == seat:
        return ()
    if at.hands[-1] is None or seat in known or _is_helped(at, seat):
        return (Assumption.OTHER_LIFTED,)
    return (Assumption.OTHER_THREW,)


def _is_by_stranger(at: At, play: BonesPlay) -> bool:
    """Return whether only hands were there of players who neither throw now nor next."""
    assert play.turn is not None
    players = {None, play.turn, _silent_turns(at, play, play.turn)[-1].seat}
    hands = {*(at.hands or ())}
    return bool(hands) and not players & hands


def _is_helped(at: At, seat: int) -> bool:
    """Return whether the last throw was that of *seat*, and another hand has thrown it."""
    last = at.events[-1] if at.events else None
    own = isinstance(last, Roll) and last.seat == seat
    return own and Assumption.OTHER_THREW in at.assumed[-1]


def _last_throw(state: State) -> tuple[int, int] | None:
    """Return the seat of the last throw of the round, and which of that seat's throws it is."""
    for event in reversed(state.log):
        if isinstance(event, Roll):
            count = sum(isinstance(e, Roll) and e.seat == event.seat for e in state.log)
            return event.seat, count - 1
    return None


def _lies_as_thrown(at: At, play: BonesPlay, look: Look) -> bool:
    """Return whether what lies there is the last throw, with what may have been left lying."""
    last = _last_throw(at.state)
    if last is None:
        return False
    seat, _ = last
    throws = [Counter(throw) for throw in play.hand(seat).throws]
    lying = Counter(bone.face.points for bone in look.bones if bone.face and not bone.off_mat)
    return throws[-1] <= lying <= sum(throws, Counter())


def _is_through(at: At, play: BonesPlay, seat: int | None) -> bool:
    """Return whether the last throw, of *seat* or of whoever it was, ended its player's turn."""
    last = _last_throw(at.state)
    if last is None or play.turn == last[0] or play.stage is not Stage.FIRST:
        return False
    return isinstance(at.state.log[-1], Roll) and seat in (None, last[0])


def _was_silent(at: At, seat: int | None, number: int) -> bool:
    """Return whether the last number, of *seat* or of whoever it was, was thrown, not said."""
    for event, about in zip(reversed(at.state.log), reversed(at.about), strict=False):
        if isinstance(event, Choose) and seat in (None, event.seat):
            # What was said is about a press, whose number is negative.
            return event.n == number and all(thing > 0 for thing in about)
    return False
