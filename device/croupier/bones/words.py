"""What is asked and said at a game with knucklebones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from device.croupier import questions as ask
from device.croupier.assumptions import Assumption
from device.croupier.bones.moves import At, no_more, wanting
from device.croupier.explain import explain, name_of
from device.croupier.legal import refusal_of, state_after
from device.croupier.looks import Look, Looks
from device.croupier.messages import dialled
from device.croupier.questions import Candidate, Choice, Notice, Question, QuestionKind
from device.ports import Button, Press
from engine.core.bones import Face
from engine.core.events import Choose, Claim, Declare, Event, Roll, Stake
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import count
from engine.core.refusals import Refusal
from engine.core.views import Phase, Stage
from engine.games.knucklebones.play import BonesPlay

NOT_READ = frozenset({Assumption.FACE_UNREAD, Assumption.FACE_UNSEEN})
"""How a throw is marked of which one bone was not read."""


class BoneWords:
    """Questions and notices of such a game."""

    forgotten = frozenset[str]()
    decided = frozenset[str]()

    # --- what divides the histories -----------------------------------------------------------

    def answers(self, at: At, look: Look) -> dict[str, Hashable]:
        """Return what the history answers to each question that may divide the set."""
        play = at.state.live_play
        if not isinstance(play, BonesPlay):
            return {}
        found: dict[str, Hashable] = {}
        rolls = [event for event in at.events if isinstance(event, Roll)]
        for place, roll in enumerate(rolls):
            found[f"whose:{place}"] = roll.seat
        for event, assumed in at.steps:
            if isinstance(event, Roll) and not NOT_READ.isdisjoint(assumed):
                # How one bone lay is asked of histories in which as many were thrown.
                found[f"face:{rolls.index(event)}-{len(event.faces)}"] = event.faces
        for hand in play.hands:
            if hand.stuck or hand.out:
                found[f"number:{hand.seat}"] = hand.extra
        if rolls:
            last = rolls[-1]
            found[f"number:{last.seat}"] = play.hand(last.seat).extra
            found[f"bumped:{len(rolls) - 1}-{last.faces}"] = play.hand(last.seat).throws[-1]
        for hand in play.hands:
            found[f"out:{hand.seat}"] = hand.thrown_in
        if rolls:
            found["whose:last"] = rolls[-1].seat
        return found

    def question(self, about: str, answers: Sequence[Hashable], at: At, look: Look) -> Question:
        """Put the question *about*, with its answers, the likeliest first, into words."""
        kind, number = about.split(":")
        if kind == "bumped":
            return self._bumped(answers, at)
        if kind == "face":
            return self._taken_up(int(number.split("-")[0]), answers, at)
        numbers = [int(each) for each in answers if isinstance(each, int)]
        if kind == "whose":
            choices = [Choice(str(seat), name_of(at.state, seat)) for seat in numbers]
            return ask.divides(QuestionKind.WHOSE, _which_throw(number, at, look), choices)
        seat = int(number)
        if kind == "out":
            choices = [ask.YES if each else ask.NO for each in numbers]
            text = Message("Is {name} out?", name=name_of(at.state, seat))
            return ask.divides(QuestionKind.OUT, text, choices, seat)
        return ask.how_many(name_of(at.state, seat), seat, numbers)

    def _bumped(self, answers: Sequence[Hashable], at: At) -> Question:
        """Ask which points of a bone count: those counted, or those it shows now (KB-20)."""
        roll = next(event for event in reversed(at.events) if isinstance(event, Roll))
        throws = [each for each in answers if isinstance(each, tuple)]
        other = next(each for each in throws if each != roll.faces)
        was, now = next(pair for pair in zip(roll.faces, other, strict=True) if pair[0] != pair[1])
        keys = ["old" if each == roll.faces else "new" for each in throws]
        return ask.bone_changed(name_of(at.state, roll.seat), roll.seat, was, now, keys)

    def _taken_up(self, number: int, answers: Sequence[Hashable], at: At) -> Question:
        """Ask how a bone lay that was not read, and is taken up, in throw *number* from 0."""
        rolls = [event for event in at.events if isinstance(event, Roll)]
        throws = [each for each in answers if isinstance(each, tuple)]
        place = next(n for n, points in enumerate(zip(*throws, strict=True)) if len({*points}) > 1)
        faces = tuple(Face.from_points(throw[place]) for throw in throws)
        seat = rolls[number].seat
        text = Message("How did {name}'s bone lie?", name=name_of(at.state, seat))
        return replace(ask.divides(QuestionKind.FACE, text, faces, seat), hints=ask.OR_LEAVE)

    def tell(self, at: At, since: int) -> Value:
        """Tell what happened from event number *since* on in one short sentence."""
        for event in at.events[since:]:
            name = name_of(at.state, getattr(event, "seat", None))
            if isinstance(event, Choose):
                return Message("{name}: {bones} more", name=name, bones=count(event.n, "bone"))
            if isinstance(event, Roll):
                points = str(sum(event.faces))
                return Message("{name} throws {points}.", name=name, points=points)
        return Message("Nothing else happened.")

    def waiting(self, about: str, at: At, look: Look) -> Notice:
        """Say what was seen while the answer to the question *about* may still show."""
        bones = count(len(look.bones), "bone")
        return Notice(Message("I see {bones}.", bones=bones), urgent=False)

    def ignored(self, at: At, look: Look, numbers: frozenset[int]) -> Notice:
        """Say that bones do not count until they are taken up."""
        if any(bone.off_mat for bone in look.bones if bone.number in numbers):
            return _off_the_mat(name_of(at.state, at.state.turn))
        return Notice(Message("As they lie, the bones do not count. Take them up."), urgent=False)

    # --- presses and names --------------------------------------------------------------------

    def dial(self, at: At) -> tuple[int, ...]:
        """Return the numbers that can be dialled now with the knob (rule KB-5).

        It may be said after it was thrown too. Before the first throw the knob chooses whose stake
        HAVE and STICK change: seats (rule KB-2).
        """
        play = at.state.live_play
        if not isinstance(play, BonesPlay) or play.turn is None:
            return ()
        if not play.has_begun:
            return tuple(seat for seat, _ in play.stakes)
        if play.one_at_a_time:
            return (0, 1) if play.stage is Stage.ONE else ()
        return tuple(range(int(play.options.max_extra) + 1))

    def dialled(self, at: At, number: int) -> Notice:
        """Show what the knob stands at."""
        play = at.state.live_play
        assert isinstance(play, BonesPlay)
        if play.has_begun:
            return dialled(number)
        name, stake = name_of(at.state, number), dict(play.stakes)[number]
        keys = (KeyHint("have", Message("one more")), KeyHint("stick", Message("one less")))
        return Notice(Message("{name}'s stake: {n}", name=name, n=stake), keys=keys)

    def refused(self, at: At, press: Press) -> tuple[Notice, ...]:
        """Say why a press means nothing now."""
        play = at.state.live_play
        seat = press.seat
        if seat is None and play is not None:
            seat = play.turn
        if seat is None:
            return (Notice(Message("Nobody is asked just now.")),)
        refusal = refusal_of(at.state, _meant(play, press, seat))
        throws = isinstance(play, BonesPlay) and seat == play.turn and not play.one_at_a_time
        seated = any(player.seat == seat for player in at.state.players)
        if refusal is not None and refusal.code == Refusal.UNKNOWN_SEAT and seated:
            return (Notice(Message("The bank lays no stake.")),)
        if refusal is not None and (press.button is Button.OUT or not throws):
            return (Notice(explain(at.state, refusal)),)
        return (
            Notice(
                Message("The bones speak now."),
                Message("Throw as many more as you want, or press STICK for none."),
            ),
        )

    def rename(self, looks: Looks, event: Event) -> None:
        """Name the bone that a correction is about: what was thrown before lies there no more."""

    def named(self, question: Question, chosen: Candidate | None) -> Event | None:
        """Return no correction: a bone is named before it is counted."""
        return None

    def silence(self, question: Question, at: At) -> Event | None:
        """Return what it means that a question needs no answer any more: the bank stands.

        A banker who beats everybody who is still in can gain nothing by another bone.
        """
        play = at.state.live_play
        if question.kind is not QuestionKind.NUMBER or not isinstance(play, BonesPlay):
            return None
        none = no_more(play, play.dealer)
        state = state_after(at.state, none) if play.turn == play.dealer else None
        after = None if state is None else state.outcome
        return none if after is not None and not after.winners else None

    # --- the mat ------------------------------------------------------------------------------

    def left(self, at: At, look: Look) -> Notice | None:
        """Return nothing: bones that lie there are lifted to be thrown."""
        return None

    def unread(self, at: At, look: Look) -> Question | None:
        """Return the question for what must be known before the game can go on.

        It is a bone that is not read, or lies beside the mat, or the number of the last player's
        bones: nobody throws after that one.
        """
        play = at.state.live_play
        if not isinstance(play, BonesPlay) or play.turn is None:
            return None
        name = name_of(at.state, play.turn)
        for bone in at.mat.lying:
            if bone.number not in at.mat.loose:
                continue
            if bone.off_mat and not bone.allowed:
                about = ask.off_the_mat(name, play.turn)
                return replace(about, thing=bone.number, place=bone.centre)
            if bone.face is None and bone.candidates and not bone.unread:
                about = ask.which_face(name, play.turn, bone.candidates)
                return replace(about, thing=bone.number, place=bone.centre)
        asks = play.stage in (Stage.CHOOSE, Stage.ONE)
        if asks and not at.mat.loose and _is_last(play, play.turn):
            numbers = [
                n for n in self.dial(at) if not refusal_of(at.state, wanting(play, play.turn, n))
            ]
            # One by one HAVE is the first answer and STICK the second, as they are in the game.
            if play.one_at_a_time:
                numbers.reverse()
            asked = ask.how_many(name, play.turn, numbers)
            may_think = at.mat.lying and not asked.is_direct
            return replace(asked, hints=ask.SAID) if may_think else asked
        return None

    def remarks(self, at: At, look: Look, explained: bool, *, doubted: bool) -> Sequence[Notice]:
        """Say what the table should know or do."""
        return tuple(self._remarks(at, look))

    def _remarks(self, at: At, look: Look) -> Iterator[Notice]:
        play = at.state.live_play
        if not isinstance(play, BonesPlay):
            return
        is_void = any(bone.number in at.mat.void for bone in look.bones)
        if play.turn is None or play.phase is Phase.DONE:
            if is_void:
                counts = Message("Press NEXT: this throw counts.")
                yield Notice(Message("The round is over."), counts)
            return
        name = name_of(at.state, play.turn)
        if is_void:
            throws = Message("{name} throws.", name=name)
            yield Notice(Message("This throw does not count."), throws)
        new = [bone for bone in at.mat.lying if bone.number in at.mat.loose]
        if any(bone.off_mat for bone in new):
            yield _off_the_mat(name)
        elif any(bone.face is None for bone in new):
            yield Notice(
                Message("A bone of {name} leans or stands on end.", name=name),
                Message("Throw that bone again, and leave the others where they lie."),
            )
        elif new and play.bones_due and len(new) < play.bones_due:
            yield Notice(
                Message(
                    "I see {bones} of {due}.", bones=count(len(new), "bone"), due=play.bones_due
                ),
                Message(
                    "A bone off the mat is thrown again; bones that hide each other, moved apart."
                ),
                urgent=False,
            )
        elif new and play.bones_due and len(new) > play.bones_due:
            bones = count(len(new), "bone")
            yield Notice(
                Message("I see {bones}, and {due} are thrown.", bones=bones, due=play.bones_due),
                Message("Take the others off the mat."),
            )


def _which_throw(number: str, at: At, look: Look) -> Message:
    """Ask whose a throw is, by number from 0: of one that lies there no more by its points."""
    rolls = [event for event in at.events if isinstance(event, Roll)]
    if number.isdecimal() and int(number) < len(rolls):
        points = sorted(rolls[int(number)].faces)
        lying = Counter(bone.face.points for bone in look.bones if bone.face is not None)
        if Counter(points) - lying:
            return Message("Who threw {points}?", points=", ".join(map(str, points)))
    return Message("Whose throw is this?")


def _off_the_mat(name: Value) -> Notice:
    return Notice(
        Message("A bone of {name} lies off the mat.", name=name),
        Message("Throw that bone again, and leave the others where they lie."),
    )


def _meant(play: object, press: Press, seat: int) -> Event:
    """Return what a press would mean if the rules allowed it now."""
    if press.button is Button.OUT:
        return Declare(seat, Claim.OUT)
    if isinstance(play, BonesPlay) and not play.has_begun:
        return Stake(seat, 1)
    if isinstance(play, BonesPlay):
        return wanting(play, seat, int(press.button is Button.HAVE and play.one_at_a_time))
    return Choose(seat, 0)


def _is_last(play: BonesPlay, turn: int) -> bool:
    """Return whether the round is over when *turn* wants no more bones."""
    others = (hand for hand in play.hands if hand.seat != turn)
    return all(hand.out or hand.stuck for hand in others)
