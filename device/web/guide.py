"""What a phone says for people who have never played: what to do now, and what a word of it means.

Nothing is said here anew: the words are those of the game's own prompts and of its page of rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from device.croupier.by_hand import GIVE_BACK, may_close
from display.i18n.languages import ENGLISH
from display.i18n.translate import Translator
from display.pages.rules import rule_words
from display.table.seats import is_turn
from engine.core.messages.message import Message, Value, as_sentence
from engine.core.messages.prompt import KeyHint, Prompt
from engine.core.messages.words import has_cards
from engine.core.outcome import End
from engine.core.text.rules_page import Section
from engine.core.views import Phase, SeatStatus, TableKind, View
from engine.games import catalog
from engine.games.knucklebones.stakes import LEAST_STAKE
from engine.games.one_and_thirty.prompts import FIRST_CARDS
from engine.games.prompts import bone_line, cut, dealt, is_bone_moment
from engine.games.scat.prompts import worth_of

TO_CUT, KNOCKED, THEN, ADDED = ("G-2",), ("SC-5",), ("SC-6",), ("KB-5", "KB-17")
TIES = ("OT-13", "OT-14", "OT-15", "SC-8", "BK-6", "NE-3", "KB-8", "KB-16")
"""Where the rules say what a cut is, a knock, how many bones are thrown, and who wins on a tie."""

ANTE, BUY_IN = ("BK-1",), ("DB-3",)
"""Where they say what goes into the pot before each hand, and before the first."""

FACES = Message(
    "The broad sides are concave (hollow) and convex (bulging), the narrow ones flat and twisted."
)


AIM = (
    ("The aim", ("OT-12", "OT-4", "SC-2", "KB-1"), 2),
    ("The Bone", ("BA-2",), 1),
    ("The showdown", ("SC-7",), 1),
)
"""Where the rules say what a game is about and what counts, and in how many sentences."""

GIVES_UP = {
    TableKind.SEATS: Message("over 31, or I give up"),
    TableKind.MIDDLE: Message("I give up this hand"),
    TableKind.BONES: Message("I give up my stake"),
}
"""What OUT says."""

BACK = Message("take back my last step")


def aim(rules: Sequence[Section]) -> list[Value]:
    """Return what the game is about and what counts, by the rules in force."""
    return [each for heading, ids, most in AIM for each in _of(rules, heading, ids, most)]


def extra_keys(view: View, prompt: Mapping[str, Any], seat: int) -> tuple[KeyHint, ...]:
    """Return what the buttons of *seat* do whatever is asked: stakes, OUT, UNDO, and MENU."""
    stakes: tuple[KeyHint, ...] = ()
    if seat in prompt["stakes"]:
        is_least = _stakes_least(view, seat)
        less = Message("at least one token") if is_least else Message("one token less")
        stakes = (KeyHint("have", Message("one token more")), KeyHint("stick", less))
    more = (KeyHint("menu", _by_menu(view, prompt, seat)),) if prompt["entered"] else ()
    words = GIVES_UP[view.table]
    if view.table is TableKind.BONES and seat == view.dealer:
        words = Message("I give up, and pay everybody")
    gives_up = () if view.phase is Phase.DONE else (KeyHint("out", words),)
    return (*stakes, *gives_up, KeyHint("undo", BACK), *more)


def _stakes_least(view: View, seat: int) -> bool:
    return view.seat(seat).stake_laid == LEAST_STAKE


def _by_menu(view: View, prompt: Mapping[str, Any], seat: int) -> Value:
    """Return what a player may say by MENU, or that it closes what they have opened."""
    if has_opened_menu(view, prompt, seat):
        return Message("close")
    if view.table is TableKind.BONES:
        return Message("a throw was wrong")
    mine = next((each for each in view.seats if each.seat == seat), None)
    may_be_31 = view.phase is Phase.PLAY and mine is not None and mine.status is SeatStatus.WAITING
    if view.middle is None:  # who is asked no more has said what there is to say
        may_be_31 &= view.turn == seat and mine is not None and len(mine.cards) > FIRST_CARDS
    else:  # after a knock 31 is only the best hand; a drawn card is laid off before
        holds = view.turn != seat or view.middle.drawn is None
        may_be_31 &= holds and view.middle.knocker is None
    if may_be_31 or seat in view.may_reveal:
        return Message("I have 31, or a card was wrong")
    return Message("a card was wrong")


def idle(view: View, prompt: Mapping[str, Any], seat: int) -> tuple[str, ...]:
    """Return the buttons of *seat* that do nothing now."""
    plays = any(each.seat == seat and each.status is not SeatStatus.OUT for each in view.seats)
    if view.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.RESTART) or not plays:
        return ("have", "stick", "out")
    if seat in prompt.get("stakes", ()):
        return ("stick",) if _stakes_least(view, seat) else ()
    is_asked = prompt.get("kind") == "question" and prompt.get("whose") is None
    if is_asked or (is_my_turn(view, prompt, seat) and view.phase is not Phase.SHOWDOWN):
        return ()
    stops = view.middle is not None and view.middle.stopper == seat
    return ("have",) if stops else ("have", "stick")


def has_opened_menu(view: View, prompt: Mapping[str, Any], seat: int) -> bool:
    """Return whether *seat* is asked what it has opened by MENU."""
    is_mine = prompt.get("whose") == seat
    return is_mine and prompt["detail"]["en"] == _english(may_close(view.seat(seat).name))


def is_my_turn(view: View, prompt: Mapping[str, Any], seat: int) -> bool:
    """Return whether the table waits for *seat*: it is asked, or else to act."""
    if prompt.get("whose") is not None:
        return bool(prompt["whose"] == seat)
    mine = next((each for each in view.seats if each.seat == seat), None)
    acts = mine is not None and (is_turn(view, mine) or seat in view.to_cut)
    return acts and view.phase is not Phase.DEAL


def guided(
    view: View, prompt: Mapping[str, Any], rules: Sequence[Section], seat: int
) -> tuple[list[Value], tuple[KeyHint, ...]]:
    """Return what stands below the title of *prompt* on the phone of *seat*, and what its keys do.

    Nothing where the table itself says something particular: a trouble, or what it doubts.

    Args:
        view: what the whole table may see.
        prompt: what the table says, as the feed has it.
        rules: those in force.
        seat: whose phone it is.
    """
    game, middle = catalog.find(view.game), view.middle if prompt["entered"] else None
    if middle is not None:  # what nobody saw no camera will see
        view = replace(view, middle=replace(middle, top_is_unread=False))
    ordinary, beginners = game.prompt(view), game.prompt(view, guided=True)
    is_entered = any(key["button"] == "undo" for key in prompt["keys"])
    is_asked = prompt["kind"] == "question"
    said = prompt["detail"]["en"]
    deals: list[Value] = [each for each in (dealt(view), GIVE_BACK) if said == _english(each)]
    as_usual = ("", _english(ordinary.detail), _english(cut(view)))
    if is_asked != is_entered or (said not in as_usual and not deals):
        return [], ()
    is_mine = is_my_turn(view, prompt, seat)
    is_guided = is_mine or middle is not None or view.phase in (Phase.CUT, Phase.DEAL)
    for_me = beginners if is_guided else ordinary
    if prompt["entered"] and view.phase is Phase.PLAY:
        for_me = _by_hand(view, for_me, lays_stakes=bool(prompt["stakes"]))
    if not is_mine:
        for_me = _told_of_others(view, for_me)
    if prompt["stakes"] and seat == view.dealer:
        ordinary = for_me = replace(for_me, detail="")  # who has the bank stakes nothing
    if prompt["entered"] and not deals:
        deals = _one_more(view)
    lines = [*deals, *_what_to_do(view, prompt, ordinary, for_me)]
    lines += _explained(view, rules, is_mine=is_mine, is_asked=is_asked)
    if prompt["entered"] and seat in view.may_reveal:
        lines.append(Message("Who had 31 before that says so by MENU."))
    if is_mine and middle is not None and middle.drawn is not None and middle.knocker is None:
        lines.append(Message("With 31, lay a card first; then say it by MENU."))
    is_mine = is_mine or view.phase is Phase.DONE
    return lines, beginners.keys if is_mine and not is_asked else ()


def _by_hand(view: View, said: Prompt, *, lays_stakes: bool) -> Prompt:
    """Return *said* without what only a camera sees, or a knob turns."""
    if view.card_asked or (view.table is TableKind.BONES and not lays_stakes):
        return replace(said, detail="")  # who deals the card is told besides
    cards = 0 if view.turn is None else len(view.seat(view.turn).cards)
    if view.table is TableKind.SEATS and cards > FIRST_CARDS:
        return replace(said, detail=Message("With 31 press MENU, over 31 press OUT."))
    return said


def _told_of_others(view: View, said: Prompt) -> Prompt:
    """Return *said* with how many cards somebody else has: by name, for each has a phone."""
    if view.phase is not Phase.PLAY or view.table is not TableKind.SEATS or view.turn is None:
        return said
    if view.card_asked or is_bone_moment(view):
        return said
    seat = view.seat(view.turn)
    return replace(said, detail=has_cards(seat.name, len(seat.cards)))


def _one_more(view: View) -> list[Value]:
    """Return who deals the card that is due or was asked for, where nobody sees it dealt.

    What is dealt face down is never waited for.
    """
    if view.table is not TableKind.SEATS or view.dealer is None:
        return []
    is_due = view.deal_to is not None or view.card_asked
    cards = () if view.turn is None else view.seat(view.turn).cards
    if not is_due and (view.phase is not Phase.PLAY or len(cards) <= FIRST_CARDS):
        return []
    name = view.seat(view.dealer).name
    if is_due or cards[-1] is not None:
        return [Message("{name} deals one card, face up.", name=name)]
    return [Message("{name} deals one card, face down.", name=name)]


def _english(value: Value) -> str:
    return Translator.of(ENGLISH).render(value)


def _what_to_do(
    view: View, prompt: Mapping[str, Any], ordinary: Prompt, said: Prompt
) -> Iterator[Value]:
    if prompt["title"]["en"] != _english(ordinary.title):
        yield as_sentence(ordinary.title)
    if is_bone_moment(view) and said.detail != ordinary.detail:
        yield bone_line(view)
    if said.detail and (view.phase is not Phase.DEAL or said.detail != ordinary.detail):
        yield said.detail  # who deals stands on every phone


def _explained(
    view: View, rules: Sequence[Section], *, is_mine: bool, is_asked: bool
) -> Iterator[Value]:
    """Yield the sentences of the rules that say what is meant by a word of this moment."""
    if view.phase is Phase.CUT:
        yield from _of(rules, "The deal", TO_CUT, 1)
    if view.phase in (Phase.DEAL, Phase.TURN_UP):
        paid_in = (*ANTE, *BUY_IN) if view.hand_number == 1 else ANTE
        yield from _of(rules, "The deal", paid_in)
    if view.phase is Phase.SHOWDOWN or (view.phase is Phase.DONE and _is_tied(view)):
        yield from _of(rules, "Who wins", TIES, 1)
        yield from _of(rules, "The showdown", TIES, 1)
    if view.result is not None and view.result.end is End.THIRTY_ONE:
        yield from _of(rules, "Who wins", ("OT-9",), 1)
    losses = None if view.result is None else view.result.losses
    if losses is not None and any(lives > 1 for _seat, lives in losses.lost):
        yield from _of(rules, "The showdown", ("SC-10",), 1)
    if not is_mine or view.phase is not Phase.PLAY:
        return
    if view.middle is not None and view.middle.may_knock:
        yield from _of(rules, "The knock", KNOCKED, 1)
        yield from _of(rules, "The knock", THEN)
    cards = () if view.turn is None else view.seat(view.turn).cards
    if view.table is TableKind.SEATS and len(cards) > FIRST_CARDS:
        yield from _of(rules, "Who wins", ("OT-9",), 1)
    if view.table is TableKind.BONES and is_asked:
        yield from [FACES] if view.bones_due else _of(rules, "A turn", ADDED, 1)


def _is_tied(view: View) -> bool:
    """Return whether a hand that decides has its equal: a winner's, the bank's, a lost one."""
    result = view.result
    if result is None:
        return False
    decides: Sequence[int] = result.winners
    if view.table is TableKind.BONES and view.dealer is not None:
        decides = (view.dealer,)
    elif result.losses is not None:
        decides = [seat for seat, _lives in result.losses.lost]
    worth = {each.seat: worth_of(each) for each in view.seats if each.status is not SeatStatus.OUT}
    shown = [each for each in worth.values() if each]
    return any(shown.count(worth.get(seat, "")) > 1 for seat in decides)


def _of(
    rules: Sequence[Section], heading: str, ids: Sequence[str], most: int | None = None
) -> Sequence[Value]:
    """Return sentences of the section under *heading* that tell one of *ids*."""
    found = [each for section in rules if section.heading == heading for each in section.rules]
    return [rule_words(each) for each in found if set(ids) & set(each.ids)][:most]
