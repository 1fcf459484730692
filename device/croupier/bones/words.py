"""What is asked and said at a game with knucklebones."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from device.croupier import questions as ask
from device.croupier.bones.moves import At, BoneMoves
from device.croupier.explain import explain, name_of
from device.croupier.looks import Look, Looks, LyingBone
from device.croupier.questions import Candidate, Choice, Notice, Question, QuestionKind
from device.ports import Button, Press
from engine import IllegalActionError, State, apply
from engine.core.events import Choose, Claim, CorrectBone, Declare, Event, Have, Roll, Stick
from engine.core.messages.message import Message, Value
from engine.core.messages.words import count
from engine.core.views import Phase, Stage
from engine.games.knucklebones.play import BonesPlay


class BoneWords:
    """Questions and notices of such a game."""

    def __init__(self, moves: BoneMoves) -> None:
        """*moves* knows what lies where."""
        self._moves = moves

    # --- what divides the histories -----------------------------------------------------------

    def answers(self, at: At, look: Look) -> dict[str, Hashable]:
        """Return what the history answers to each question that may divide the set."""
        play = at.state.live_play
        if not isinstance(play, BonesPlay):
            return {}
        found: dict[str, Hashable] = {}
        rolls = [event for event in at.events if isinstance(event, Roll)]
        if rolls:
            found["whose:0"] = rolls[-1].seat
            place = len(rolls) - 1
            found[f"bumped:{place}"] = sum(isinstance(e, CorrectBone) for e in at.events)
        for hand in play.hands:
            found[f"number:{hand.seat}"] = hand.extra
            found[f"out:{hand.seat}"] = hand.thrown_in
        return found

    def question(self, about: str, answers: Sequence[Hashable], at: At, look: Look) -> Question:
        """Put the question *about*, with its answers, the likeliest first, into words."""
        kind, number = about.split(":")
        numbers = [int(each) if isinstance(each, int) else 0 for each in answers]
        if kind == "whose":
            choices = [Choice(str(seat), name_of(at.state, seat)) for seat in numbers]
            return ask.divides(QuestionKind.WHOSE, Message("Whose throw is this?"), choices)
        if kind == "bumped":
            words = {False: Choice("old", Message("the old face")), True: NEW_FACE}
            choices = [words[each == max(numbers)] for each in numbers]
            text = Message("A bone shows another face than before. Which counts?")
            return ask.divides(QuestionKind.BUMPED, text, choices)
        name = name_of(at.state, int(number))
        if kind == "out":
            choices = [ask.YES if each else ask.NO for each in numbers]
            text = Message("Is {name} out?", name=name)
            return ask.divides(QuestionKind.OUT, text, choices, int(number))
        text = Message("How many more bones did {name} throw?", name=name)
        return ask.divides(QuestionKind.NUMBER, text, numbers, int(number))

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
        return Notice(Message("As they lie, the bones do not count. Take them up."), urgent=False)

    # --- presses and names --------------------------------------------------------------------

    def dial(self, at: At) -> tuple[int, ...]:
        """Return the numbers that can be dialled now with the knob (rule KB-5)."""
        play = at.state.live_play
        if not isinstance(play, BonesPlay) or play.stage is not Stage.CHOOSE or play.turn is None:
            return ()
        most = int(play.options.max_extra)
        return tuple(n for n in range(most + 1) if _refusal(at.state, Choose(play.turn, n)) is None)

    def refused(self, at: At, press: Press) -> tuple[Notice, ...]:
        """Say why a press means nothing now."""
        play = at.state.live_play
        seat = press.seat
        if seat is None and play is not None:
            seat = play.turn
        if seat is None:
            return (Notice(Message("Nobody is asked just now.")),)
        if press.button is Button.OUT:
            refusal = _refusal(at.state, Declare(seat, Claim.OUT))
            return () if refusal is None else (Notice(explain(at.state, refusal)),)
        if isinstance(play, BonesPlay) and play.stage is Stage.ONE:
            event: Event = Have(seat) if press.button is Button.HAVE else Stick(seat)
            refusal = _refusal(at.state, event)
            return () if refusal is None else (Notice(explain(at.state, refusal)),)
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

    # --- the mat ------------------------------------------------------------------------------

    def left(self, at: At, look: Look) -> Notice | None:
        """Return nothing: bones that lie there are lifted to be thrown."""
        return None

    def unread(self, at: At, look: Look) -> Question | None:
        """Return the question for a bone that must be named before the game can go on."""
        play = at.state.live_play
        if not isinstance(play, BonesPlay) or play.turn is None:
            return None
        name = name_of(at.state, play.turn)
        for bone in look.bones:
            if bone.number in at.mat.counted:
                continue
            if bone.off_mat and not bone.allowed and self._is_missing(at, look):
                about = ask.off_the_mat(name, play.turn)
                return replace(about, thing=bone.number, place=bone.centre)
            if bone.face is None and bone.candidates and not bone.unread and not bone.off_mat:
                about = ask.which_face(name, play.turn, bone.candidates)
                return replace(about, thing=bone.number, place=bone.centre)
        return None

    def _is_missing(self, at: At, look: Look) -> bool:
        """Return whether just the bones beside the mat are missing on it."""
        play = at.state.live_play
        assert isinstance(play, BonesPlay)
        new = self._moves.new_bones(at, look)
        off = [b for b in look.bones if b.off_mat and b.number not in at.mat.counted]
        return bool(play.bones_due) and len(new) + len(off) == play.bones_due

    def remarks(self, at: At, look: Look, explained: bool) -> Sequence[Notice]:
        """Say what the table should know or do."""
        return tuple(self._remarks(at, look))

    def _remarks(self, at: At, look: Look) -> Iterator[Notice]:
        play = at.state.live_play
        if not isinstance(play, BonesPlay) or play.turn is None or play.phase is Phase.DONE:
            return
        name = name_of(at.state, play.turn)
        new = self._moves.new_bones(at, look)
        if any(_leans(bone) for bone in new):
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


NEW_FACE = Choice("new", Message("the new face"))


def _leans(bone: LyingBone) -> bool:
    return bone.face is None and (bone.unread or not bone.candidates)


def _refusal(state: State, event: Event) -> IllegalActionError | None:
    try:
        apply(state, event)
    except IllegalActionError as refusal:
        return refusal
    return None
