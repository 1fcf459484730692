"""What a booth says to people who have never seen it: what to do now, and with which button.

Who plays at home knows his buttons; here each moment names them, and a finger may touch the names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from device.croupier.questions import Question, QuestionKind
from display import Prompt, PromptKind
from display.controls import BUTTON_WORDS, KeyHint
from display.i18n.translate import N_, _
from engine.core.views import Phase, View
from vision.readings import Place, Reading, ZoneKind

FIRST_CARDS = 3
"""So many cards each has at his first decision in the games in which one asks for more."""

_MARKED = (("have", N_("the one marked")), ("stick", N_("the next one")))

_ANSWERS: Mapping[QuestionKind, tuple[tuple[str, str], ...]] = {
    # Translators: what a button does, beside its name: short.
    QuestionKind.CARD: (*_MARKED, ("undo", N_("none of these"))),
    QuestionKind.CHANGED: (*_MARKED, ("undo", N_("none of these"))),
    QuestionKind.FACE: (*_MARKED, ("undo", N_("throw it again"))),
    QuestionKind.EXPOSED: (
        ("have", N_("play on with it")),
        ("stick", N_("take it back")),
        ("menu", N_("misdeal")),
    ),
    QuestionKind.UNASKED: (("have", N_("yes")), ("stick", N_("no, take it back"))),
    QuestionKind.OFF_MAT: (("have", N_("it counts")), ("stick", N_("throw it again"))),
    QuestionKind.HOW_MANY: (
        ("have", N_("that many")),
        ("stick", N_("the next one")),
        ("undo", N_("wrong throw")),
    ),
    QuestionKind.MISDEAL: (("have", N_("yes: the hand is void")), ("stick", N_("no, play on"))),
    QuestionKind.DEALT: (("have", N_("yes, all of them")), ("stick", N_("no, not yet"))),
}
"""What the buttons do while a question is open; the others choose among answers."""

KEPT_DETAIL = (QuestionKind.BUMPED,)
"""Questions whose smaller sentence says more than which button is which."""


def with_key_hints(
    prompt: Prompt, ordinary: Prompt, view: View, question: Question | None
) -> Prompt:
    """Return *prompt* with the keys of the moment, and words for who has never played.

    Args:
        prompt: what the croupier says.
        ordinary: what it would say if there were nothing particular: only its words are changed.
        view: the table.
        question: what is asked.

    Returns:
        The prompt; a trouble keeps its words, for they say what to do.
    """
    if prompt.kind is PromptKind.QUESTION and question is not None:
        detail = prompt.detail if question.kind in KEPT_DETAIL else ""
        return replace(prompt, detail=detail, keys=_hints(_ANSWERS.get(question.kind, _MARKED)))
    if prompt.kind is PromptKind.TROUBLE:
        # Where the camera is gone nothing can be taken back that would help.
        undo = _(BUTTON_WORDS["undo"]) in prompt.detail
        keys = (("undo", N_("take it back")), ("menu", "")) if undo else (("menu", ""),)
        return replace(prompt, keys=_hints(keys))
    detail = prompt.detail
    if prompt.title != ordinary.title and view.phase is not Phase.DONE:
        # Something particular was said: what is to be done now must still be there.
        detail = " ".join(part for part in (prompt.detail, ordinary.title) if part)
    elif prompt.detail == ordinary.detail:
        detail = _detail(view, prompt.detail)
    return replace(prompt, detail=detail, keys=_hints((*_keys(view), ("menu", ""))))


def idle_prompt(prompt: Prompt) -> Prompt:
    """Return what is said over the game that the booth plays with itself: how to take part."""
    return Prompt(_("Press any button to play"), prompt.title, kind=PromptKind.TURN)


def reading_signature(reading: Reading) -> object:
    """Return something that differs when people have moved something, and not when it trembles."""
    up = Counter((str(each.card), each.place.zone) for each in reading.cards)
    others = Counter(place.zone for place in _unread(reading))
    bones = Counter(each.face for each in reading.bones)
    return (up, others, bones, len(reading.unsure_bones))


def count_leftovers(reading: Reading) -> int:
    """Return how many cards at the seats, and bones anywhere, a new game would take for its own."""
    places = [*(each.place for each in reading.cards), *_unread(reading)]
    at_seats = sum(place.zone is not None and place.zone.kind is ZoneKind.SEAT for place in places)
    return at_seats + len(reading.bones) + len(reading.unsure_bones)


def _unread(reading: Reading) -> list[Place]:
    """Return where cards lie whose faces are not known."""
    return [*(back.place for back in reading.backs), *(card.place for card in reading.unsure)]


def _hints(keys: tuple[tuple[str, str], ...]) -> tuple[KeyHint, ...]:
    return tuple(KeyHint(button, _(words) if words else "") for button, words in keys)


def _keys(view: View) -> tuple[tuple[str, str], ...]:
    """Return which buttons mean something now, and what."""
    if view.phase is Phase.DONE:
        over = view.match is not None and view.match.over
        return (("next", N_("the end") if over else N_("next hand")),)
    if view.phase is Phase.RESTART:
        return (("have", N_("begin anew")), ("stick", N_("no")))
    if view.phase is Phase.DEAL and view.is_of("scat"):
        return (("next", N_("all have three")),)
    if view.phase is not Phase.PLAY or view.card_asked:
        return ()
    if view.is_of("scat"):
        middle = view.middle
        if middle is None or middle.drawn is not None:
            return ()
        if middle.may_knock or middle.stopper is not None:
            return (("stick", N_("knock or pass") if middle.may_stand else N_("knock")),)
        return (("stick", N_("stand")),) if middle.may_stand else ()
    if view.bones_due:
        return ()
    if view.stage is not None:
        return (("have", N_("one more bone")), ("stick", N_("no more")))
    return (("have", N_("one more card")), ("stick", N_("no more")))


def _detail(view: View, ordinary: str) -> str:
    """Return what to do with one's hands; *ordinary* is what is said to who knows the game."""
    match view.phase:
        case Phase.CUT:
            return _("Lay one card face up before you. The lowest deals the cards.")
        case Phase.DEAL:
            if view.is_of("scat"):
                ordinary = _("One card at a time, three to each.")
            if any(seat.cards for seat in view.seats):
                return ordinary
            taken_up = _("Take your cards up again; shuffle.") if view.cuts else _("Shuffle.")
            return f"{taken_up} {ordinary}"
        case Phase.PLAY if view.stage == "first" and not any(seat.throws for seat in view.seats):
            return _("Throw them on the mat. First you may stake more: HAVE at your seat.")
        case Phase.PLAY if _comes_near_31(view) and not view.card_asked:
            return _of_a_hand(view)
        case Phase.PLAY if view.is_of("scat"):
            # What STICK does is on its key.
            for said in (_("STICK: knock."), _("STICK: knock or pass."), _("STICK: stand.")):
                ordinary = ordinary.replace(said, "").strip()
            return ordinary
        case Phase.DONE:
            # What NEXT does is on its key.
            return ordinary.replace(_("NEXT: go on."), _("Clear the mat for the next hand."))
        case _:
            return ordinary


def _of_a_hand(view: View) -> str:
    cards = 0 if view.turn is None else len(view.seat(view.turn).cards)
    if cards <= FIRST_CARDS:
        return _("Look at your cards: as near to 31 as you can, not over it.")
    return _("Just 31, or over? Then turn all your cards face up.")


def _comes_near_31(view: View) -> bool:
    return view.is_of("one-and-thirty") or view.is_of("bone-ace")
