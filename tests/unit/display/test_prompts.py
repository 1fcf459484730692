"""What the croupier says at each moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from display import PromptKind, PromptText, bone_prompt, prompt_for
from engine import TABLE as AUDIENCE
from engine import Player, new_table
from engine import view as engine_view
from engine.core.cards import Card
from engine.core.outcome import Bone
from engine.core.views import Phase, ResultView, SeatStatus, SeatView, View
from engine.games.prompts import bone_line, is_bone_moment, payment_lines

At = Callable[[int, str], tuple[View, PromptText | None]]

SEATS = (
    SeatView(0, "Ann", cards=(None, None, Card.parse("9S"))),
    SeatView(1, "Bess", cards=(None, None, Card.parse("AH"))),
    SeatView(2, "Tom", is_dealer=True, cards=(None, None, Card.parse("KD"))),
)
TABLE = View("bone-ace", "willughby", Phase.PLAY, 1, 2, SEATS, dealer=2)
BONE = Bone(1, Card.parse("AH"), ((0, -2), (1, 4), (2, -2)))


def done(end: str, *winners: int, next_dealer: int | None = 0) -> View:
    result = ResultView(end, winners, (), (), next_dealer)
    seats = tuple(replace(seat, total=20 + seat.seat) for seat in SEATS)
    return replace(TABLE, phase=Phase.DONE, seats=seats, result=result)


@pytest.mark.parametrize(
    ("view", "title", "detail"),
    [
        pytest.param(
            replace(TABLE, phase=Phase.CUT, dealer=None, to_cut=(0, 1)),
            "Cut for the deal",
            "The lowest card deals.",
            id="G-2-cut",
        ),
        pytest.param(
            replace(TABLE, phase=Phase.CUT, dealer=None, to_cut=(1,)),
            "Bess: cut for the deal",
            "The lowest card deals.",
            id="G-2-one-left-to-cut",
        ),
        pytest.param(
            replace(TABLE, phase=Phase.DEAL, deal_to=(0, False)),
            "Ann: next card face down",
            "Tom deals.",
            id="OT-3-face-down",
        ),
        pytest.param(
            replace(TABLE, phase=Phase.DEAL, deal_to=(1, True)),
            "Bess: next card face up",
            "Tom deals.",
            id="BA-1-face-up",
        ),
        pytest.param(
            replace(TABLE, phase=Phase.DEAL),
            "Deal three cards to each player",
            "Tom deals.",
            id="OT-3-any-order",
        ),
        pytest.param(
            replace(TABLE, turn=1), "Bess: stick, or have it?", "3 cards in hand.", id="OT-6"
        ),
        pytest.param(
            replace(TABLE, turn=1, bone=BONE),
            "Bess: stick, or have it?",
            "Everyone pays 2 tokens to Bess for the Bone.",
            id="BA-3-before-the-first-answer",
        ),
        pytest.param(
            replace(TABLE, turn=1, card_asked=True),
            "A card for Bess",
            "Tom deals one card.",
            id="OT-7",
        ),
        pytest.param(
            replace(TABLE, turn=2, card_asked=True),
            "A card for Tom",
            "Tom, the dealer, takes one card.",
            id="OT-7-dealer",
        ),
        pytest.param(
            replace(TABLE, phase=Phase.SHOWDOWN, to_reveal=(0,)),
            "Ann: show your cards",
            "Turn every card face up.",
            id="OT-18-one",
        ),
        pytest.param(
            replace(TABLE, phase=Phase.SHOWDOWN, to_reveal=(0, 1, 2)),
            "Show your cards",
            "Ann, Bess and Tom: turn every card face up.",
            id="OT-18-all",
        ),
        pytest.param(
            done("thirty-one", 1), "Bess has 31 and wins", "Ann deals next. NEXT: go on.", id="OT-9"
        ),
        pytest.param(
            done("dealer-wins", 2),
            "Tom, the dealer, wins",
            "All the others are out. Ann deals next. NEXT: go on.",
            id="OT-11",
        ),
        pytest.param(
            done("sole-survivor", 0),
            "Ann wins",
            "All the others are out. Ann deals next. NEXT: go on.",
            id="OT-22",
        ),
        pytest.param(
            done("showdown", 1), "Bess wins with 21", "Ann deals next. NEXT: go on.", id="OT-12"
        ),
        pytest.param(
            done("showdown", 0, 1),
            "Ann and Bess share the win",
            "Ann deals next. NEXT: go on.",
            id="OT-14",
        ),
        pytest.param(
            done("all-out", next_dealer=None),
            "Everyone is out: nobody wins",
            "Cut for the next deal. NEXT: go on.",
            id="OT-18-nobody",
        ),
        pytest.param(
            done("misdeal", next_dealer=2),
            "Misdeal: the hand is void",
            "Tom deals again; everything paid goes back. NEXT: go on.",
            id="G-13",
        ),
        pytest.param(
            done("thirty-one", 1, next_dealer=5),
            "Bess has 31 and wins",
            "Seat 6 deals next. NEXT: go on.",
            id="G-16-next-dealer-gone",
        ),
    ],
)
def test_sentence_of_the_moment(view: View, title: str, detail: str) -> None:
    prompt = prompt_for(view)
    assert (prompt.title, prompt.detail) == (title, detail)


@pytest.mark.parametrize(
    ("preset", "detail"),
    [
        pytest.param(
            "handout", "The lowest card deals; the ace of hearts is the highest.", id="S2"
        ),
        pytest.param("willughby", "The lowest card deals.", id="S1"),
    ],
)
def test_the_cut_says_which_ace_is_high(preset: str, detail: str) -> None:
    """Rule G-3: in the handout the Bone-Ace is the highest card of the cut."""
    players = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess"))]
    seen = engine_view(new_table("bone-ace", players, dealer=None, preset=preset), AUDIENCE)
    assert prompt_for(seen).detail == detail
    assert ("cœur" in prompt_for(seen, "fr").detail) == (preset == "handout")


def test_every_moment_has_a_sentence(moment: tuple[View, PromptText | None]) -> None:
    assert prompt_for(moment[0]).title


def test_only_a_moment_that_waits_for_somebody_is_a_turn(at: At) -> None:
    for name in ("cut", "deal-up", "turn", "asked", "showdown"):
        assert prompt_for(at(4, name)[0]).kind is PromptKind.TURN
    assert prompt_for(at(4, "won-31")[0]).kind is PromptKind.INFO


def test_bone_moment_ends_with_the_first_answer() -> None:
    """BA-2: the Bone is decided before play."""
    start = replace(TABLE, turn=0, bone=BONE)
    assert is_bone_moment(start)
    assert not is_bone_moment(replace(start, card_asked=True))
    assert not is_bone_moment(replace(start, bone=None))
    stuck = (replace(SEATS[0], status=SeatStatus.STUCK), *SEATS[1:])
    assert not is_bone_moment(replace(start, seats=stuck, turn=1))
    drew = (replace(SEATS[0], cards=(*SEATS[0].cards, None)), *SEATS[1:])
    assert not is_bone_moment(replace(start, seats=drew))


def test_bone_prompt_names_holder_and_payment() -> None:
    prompt = bone_prompt(replace(TABLE, bone=BONE))
    assert (prompt.title, prompt.detail) == (
        "Bess takes the Bone",
        "Everyone pays 2 tokens to Bess.",
    )


def test_bone_prompt_without_a_bone_is_refused() -> None:
    with pytest.raises(ValueError, match=r"only when view\.bone is set"):
        bone_prompt(TABLE)


@pytest.mark.parametrize(
    ("payments", "sentence"),
    [
        pytest.param(
            ((0, -1), (1, 2), (2, -1)), "Everyone pays 1 token to Bess for the Bone.", id="BA-3"
        ),
        pytest.param(
            ((0, 0), (1, 7), (2, 0)), "Bess takes 7 tokens for the Bone.", id="BA-6-half-pot"
        ),
        pytest.param(((0, 0), (1, 0), (2, 0)), "Bess holds the Bone.", id="BA-8-first-turn"),
        pytest.param(((0, -1), (1, 1), (2, 0)), "Ann pays 1 token to Bess.", id="one-payer"),
    ],
)
def test_bone_sentence(payments: tuple[tuple[int, int], ...], sentence: str) -> None:
    assert str(bone_line(replace(TABLE, bone=replace(BONE, payments=payments)))) == sentence


def test_payments_are_told_together_where_they_are_alike() -> None:
    result = ResultView("showdown", (0, 1), (), ((2, 0, 3), (1, 0, 3), (2, 1, 1), (0, 1, 0)), 0)
    view = replace(TABLE, phase=Phase.DONE, result=result)
    assert tuple(map(str, payment_lines(view))) == (
        "Everyone pays 3 tokens to Ann.",
        "Tom pays 1 token to Bess.",
    )
    assert payment_lines(TABLE) == ()


def test_some_payers_are_named() -> None:
    seats = (*SEATS, SeatView(3, "Joan"))
    result = ResultView("showdown", (0,), (), ((1, 0, 1), (3, 0, 1)), 0)
    view = replace(TABLE, phase=Phase.DONE, seats=seats, result=result)
    assert tuple(map(str, payment_lines(view))) == ("Bess and Joan pay 1 token each to Ann.",)


def test_braces_in_a_name_are_only_a_name() -> None:
    seats = (replace(SEATS[0], name="{name}"), *SEATS[1:])
    assert prompt_for(replace(TABLE, seats=seats, turn=0)).title == "{name}: stick, or have it?"


def test_who_ties_at_the_cut_is_named(at: At) -> None:
    view, _none = at(3, "cut")
    cuts = tuple(
        (seat.seat, Card.parse(f"{rank}C")) for seat, rank in zip(view.seats, "229", strict=True)
    )
    tied = replace(view, cuts=cuts, to_cut=(0, 1), dealer=None)
    names = [seat.name for seat in view.seats]
    assert prompt_for(tied).title == f"A tie: {names[0]} and {names[1]} cut again"
    assert prompt_for(replace(tied, to_cut=(1,))).title == f"{names[1]}: cut for the deal"
    assert "tie" not in prompt_for(replace(tied, to_cut=(0, 1, 2), cuts=())).title
