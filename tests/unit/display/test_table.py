"""The table screen: every moment fits, nothing lies on anything else, and only views are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import pygame
import pytest

from display import PromptKind, PromptText, TableScreen, Theme, prompt_for
from display.drawing.screen import ScreenSizeError
from display.drawing.shapes import card_face
from display.drawing.text import SurfaceCache, Written
from display.drawing.theme import theme_of
from display.table.layout import lay_out
from engine.core.cards import Card, Suit
from engine.core.messages.prompt import KeyHint
from engine.core.views import Phase, SeatStatus, SeatView, View

Moment = tuple[View, PromptText | None]
At = Callable[[int, str], Moment]


@lru_cache
def screen_of(size: tuple[int, int]) -> TableScreen:
    """One screen a size: its pictures are kept, which makes the tests quick."""
    return TableScreen(size)


def drawn(
    view: View,
    prompt: PromptText | None = None,
    size: tuple[int, int] = (800, 480),
    screen: TableScreen | None = None,
    time_s: float = 0.0,
) -> tuple[bytes, tuple[Written, ...]]:
    surface = pygame.Surface(size)
    surface.fill((255, 0, 255))
    written = (screen or screen_of(size)).draw(surface, view, prompt, time_s=time_s)
    return pygame.image.tobytes(surface, "RGB"), written


def words(written: tuple[Written, ...]) -> list[str]:
    return [piece.text for piece in written]


def test_every_text_fits_its_box_and_touches_no_other(
    moment: Moment, size: tuple[int, int]
) -> None:
    _pixels, written = drawn(*moment, size)
    whole = pygame.Rect((0, 0), size)
    for piece in written:
        assert piece.box.contains(piece.ink), f"{piece.text!r} leaves its box"
        assert whole.contains(piece.box), f"{piece.text!r} leaves the screen"
    for one, other in combinations(written, 2):
        assert not one.ink.colliderect(other.ink), f"{one.text!r} lies on {other.text!r}"


REFUSED = "Nobody is asked just now. Press HAVE IT or STICK when it is your turn."
TOLD = "Ann leads with 3 tokens. Pot: 6 tokens."
KEYS = (KeyHint("have", "one more card"), KeyHint("stick", "no more"), KeyHint("menu", ""))


HINT = "One more card: over 31 in 20 of 100."


@pytest.mark.parametrize(
    "beside",
    [{"keys": ()}, {"keys": KEYS}, {"keys": KEYS, "detail": REFUSED, "hint": HINT}],
    ids=["plain", "keys", "much"],
)
def test_a_refused_press_moves_nothing(
    moment: Moment, size: tuple[int, int], beside: dict[str, Any]
) -> None:
    """It may stand in the place of the detail or of the hint, of nothing else."""
    view, prompt = moment
    prompt = replace(prompt or prompt_for(view), **beside)
    why = REFUSED.upper()
    (_, plain), (_, written) = (
        drawn(view, replace(prompt, refused=text), size) for text in ("", why)
    )
    (line,) = [piece for piece in written if piece.text == why]
    gone = [piece.text for piece in plain if piece not in written]
    assert all(text.rstrip("…") in f"{prompt.detail}|{prompt.hint}" for text in gone)
    assert [piece.text for piece in written if piece not in plain] == [why]
    places = lay_out(size, len(view.seats))
    assert not any(line.box.colliderect(box) for box in (*places.plates, places.sheet))
    for piece in written:
        assert piece.box.contains(piece.ink), f"{piece.text!r} leaves its box"
    for one, other in combinations(written, 2):
        assert not one.ink.colliderect(other.ink), f"{one.text!r} lies on {other.text!r}"


def test_what_somebody_asked_for_is_written_where_a_refused_press_is(at: At) -> None:
    view, _none = at(4, "turn")
    prompt = replace(prompt_for(view), keys=KEYS, told=TOLD)
    (_, hidden), (_, shown), (_, refused) = (
        drawn(view, replace(prompt, **more))
        for more in ({}, {"shows_told": True}, {"shows_told": True, "refused": REFUSED})
    )
    assert TOLD not in words(hidden)
    (line,) = [piece for piece in shown if piece.text == TOLD]
    (why,) = [piece for piece in refused if piece.text == REFUSED]
    assert TOLD not in words(refused)
    assert line.box == why.box


def test_keys_are_touched_where_they_are_drawn_below_a_refused_press(at: At) -> None:
    view, _none = at(4, "turn")
    prompt = replace(prompt_for(view), keys=KEYS, refused=REFUSED)
    _pixels, written = drawn(view, prompt)
    every = screen_of((800, 480)).touches(view, prompt)
    touched = [touch for touch in every if touch.choice is None]  # the others are cards
    assert [touch.button for touch in touched] == ["have", "stick", "menu"]
    for touch, name in zip(touched, ("HAVE IT", "STICK", "MENU"), strict=True):
        (key,) = [piece for piece in written if piece.text == name]
        assert touch.area.contains(key.ink)


@pytest.mark.parametrize("panel", [(480, 270), (640, 480), (1024, 600), (480, 800), (2560, 1080)])
@pytest.mark.parametrize("name", ["turn", "bone", "won-31", "shared", "question-words", "yes-no"])
@pytest.mark.parametrize("count", [2, 6, 8, 10])
def test_other_panels_hold_their_texts_too(
    at: At, count: int, name: str, panel: tuple[int, int]
) -> None:
    view, prompt = at(count, name)
    refused = replace(prompt or prompt_for(view), refused=REFUSED)
    for said in (prompt, refused):
        _pixels, written = drawn(view, said, panel, TableScreen(panel))
        assert written
        assert all(piece.box.contains(piece.ink) for piece in written)
    assert REFUSED in words(written)


@pytest.mark.parametrize("count", range(1, 13))
def test_seats_stand_apart_and_clear_of_centre_and_bar(count: int, size: tuple[int, int]) -> None:
    places = lay_out(size, count)
    assert len(places.plates) == count
    boxes = [*places.plates, places.centre, places.prompt_bar]
    whole = pygame.Rect((0, 0), size)
    assert all(whole.contains(box) and box.w > 0 and box.h > 0 for box in boxes)
    for one, other in combinations(boxes, 2):
        assert not one.colliderect(other)


@pytest.mark.parametrize("count", range(3, 11))
def test_seats_run_clockwise_from_the_near_left(count: int) -> None:
    places = lay_out((800, 480), count)
    middle = pygame.Vector2(places.centre.center)
    # On a screen, y down, growing angles run clockwise.
    angles = [
        pygame.Vector2(1, 0).angle_to(pygame.Vector2(plate.center) - middle) % 360
        for plate in places.plates
    ]
    turns = [(angle - angles[0]) % 360 for angle in angles]
    assert turns == sorted(turns)
    assert places.plates[0].left == min(p.left for p in places.plates if p.y > middle.y)


def test_the_question_and_the_totals_are_read_from_afar(at: At, size: tuple[int, int]) -> None:
    view, _none = at(8, "turn")
    named = replace(view, seats=tuple(replace(s, name="Bess") for s in view.seats))
    _pixels, written = drawn(named, None, size)
    caps = {piece.text: piece.cap / size[1] for piece in written}
    question = caps.pop("Bess: stick, or have it?")
    assert question >= 0.075
    assert max(caps.values()) < question, "it is the largest thing on the screen"
    assert caps["34"] >= 0.064
    assert caps["Bess"] >= 0.035


def test_a_name_of_twenty_letters_is_shown_whole_at_eight_seats(at: At) -> None:
    _pixels, written = drawn(*at(8, "turn"))
    assert "Bartholomew Whitcomb" in words(written)


def test_a_name_too_wide_ends_in_an_ellipsis(at: At) -> None:
    _pixels, written = drawn(*at(10, "turn"))
    (short,) = [text for text in words(written) if text.startswith("WWW")]
    assert short.endswith("…")
    assert len(short) > 8


def test_only_a_view_may_be_drawn(at: At) -> None:
    """The engine's own state knows hidden cards, so drawing must refuse it (rule G-7)."""

    class Sly(View):
        hidden = "AS"

    view, _none = at(4, "turn")
    sly = Sly(**{name: getattr(view, name) for name in View.__dataclass_fields__})
    surface = pygame.Surface((800, 480))
    for other in (sly, {"seats": ()}, None, view.seats):
        with pytest.raises(TypeError, match="only a View may be drawn"):
            screen_of((800, 480)).draw(surface, other)  # type: ignore[arg-type]


def test_nothing_but_what_the_view_says_is_written(at: At) -> None:
    """A total is shown only when the view has one: the screen never adds up cards (rule G-7)."""
    view, _none = at(4, "turn")
    quiet = replace(view, seats=tuple(replace(seat, total=None) for seat in view.seats))
    assert "34" in words(drawn(view)[1])
    assert "34" not in words(drawn(quiet)[1])


@pytest.mark.parametrize("name", ["bone", "turn", "won-31", "question"])
def test_the_same_arguments_give_the_same_pixels(at: At, name: str) -> None:
    warm = TableScreen((800, 480))
    drawn(*at(6, "trouble"), screen=warm)
    first = drawn(*at(6, name), screen=warm, time_s=1.5)
    again = drawn(*at(6, name), screen=warm, time_s=1.5)
    cold = drawn(*at(6, name), screen=TableScreen((800, 480)), time_s=1.5)
    assert first == again == cold


def test_time_moves_the_bone_moment_and_the_pointer(at: At) -> None:
    assert drawn(*at(6, "bone"), time_s=0.0)[0] != drawn(*at(6, "bone"), time_s=2.5)[0]
    assert drawn(*at(6, "won-31"), time_s=0.0)[0] == drawn(*at(6, "won-31"), time_s=2.5)[0]


def test_all_of_the_surface_is_painted(moment: Moment) -> None:
    surface = pygame.Surface((800, 480))
    pictures = []
    for ground in ((255, 0, 255), (0, 255, 255)):
        surface.fill(ground)
        screen_of((800, 480)).draw(surface, *moment)
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cut", "To cut"),
        ("deal-up", "Next card"),
        ("turn", "To play"),
        ("asked", "Have it"),
        ("showdown", "Show"),
        ("won-31", "Wins with 31"),
        ("turn", "Sticks"),
        ("turn", "Out"),
        ("turn", "Left"),
        ("misdeal", "Misdeal"),
        ("all-out", "Nobody wins"),
    ],
)
def test_what_colour_says_a_word_says_too(at: At, name: str, expected: str) -> None:
    assert expected in words(drawn(*at(6, name))[1])


@pytest.mark.parametrize("status", list(SeatStatus))
def test_every_status_looks_different_from_waiting(
    view_of: Callable[..., View], status: SeatStatus
) -> None:
    waiting = view_of(3, Phase.PLAY, turn=0)
    changed = view_of(3, Phase.PLAY, lambda n: {"status": status} if n == 1 else {}, turn=0)
    same = drawn(waiting)[0] == drawn(changed)[0]
    assert same == (status is SeatStatus.WAITING)


def test_the_result_shows_what_each_seat_won_or_lost(at: At) -> None:
    said = words(drawn(*at(6, "won-31"))[1])
    assert "+10" in said
    assert said.count("\u22122") == 5
    assert "Everyone pays 2 tokens to Margaret." in said


def test_dealer_and_bone_holder_are_marked(view_of: Callable[..., View]) -> None:
    plain = view_of(4, Phase.PLAY, lambda n: {"is_dealer": False}, turn=0)
    assert "D" not in words(drawn(plain)[1])
    assert words(drawn(view_of(4, Phase.PLAY, turn=0))[1]).count("D") == 1
    holder = view_of(4, Phase.PLAY, lambda n: {"is_bone_holder": n == 2}, turn=0)
    assert drawn(holder)[0] != drawn(view_of(4, Phase.PLAY, turn=0))[0]


def test_the_marked_answer_differs_from_the_others(at: At) -> None:
    view, question = at(6, "question")
    assert question is not None
    pictures = {drawn(view, replace(question, selected=n))[0] for n in range(3)}
    assert len(pictures) == 3
    words_view, asked = at(6, "question-words")
    assert asked is not None
    assert len({drawn(words_view, replace(asked, selected=n))[0] for n in range(4)}) == 4


@pytest.mark.parametrize("count", [1, 2, 6, 13])
def test_any_number_of_candidates_can_be_asked(at: At, count: int) -> None:
    view, _none = at(4, "turn")
    codes = [Card.parse(f"{rank}S") for rank in "A23456789TJQK"[:count]]
    prompt = PromptText("Which card?", card_choices=tuple(codes), kind=PromptKind.QUESTION)
    assert "Which card?" in words(drawn(view, prompt)[1])


def test_suits_differ_in_shape_alone() -> None:
    ink = (20, 20, 20)
    theme = Theme(spades=ink, hearts=ink, diamonds=ink, clubs=ink)
    for large in (False, True):
        faces = {
            pygame.image.tobytes(
                card_face(SurfaceCache(), theme, Card.parse(f"7{suit}"), 60, large=large), "RGBA"
            )
            for suit in Suit
        }
        assert len(faces) == 4


def test_two_colours_are_a_choice() -> None:
    two, four = theme_of("felt"), theme_of("felt", four_colours=True)
    assert two.suit(Suit.DIAMONDS) == two.suit(Suit.HEARTS) != two.suit(Suit.SPADES)
    assert len({four.suit(suit) for suit in Suit}) == 4


@pytest.mark.parametrize("name", ["contrast", "large"])
def test_looks_for_people_who_see_less_have_four_colours(name: str) -> None:
    assert len({theme_of(name).suit(suit) for suit in Suit}) == 4
    assert theme_of(name, four_colours=False).four_colours is False


def test_an_empty_table_can_be_drawn() -> None:
    empty = View("one-and-thirty", "willughby", Phase.CUT, 1, 2, ())
    assert "One-and-Thirty" in words(drawn(empty)[1])


def test_seats_with_gaps_in_their_numbers_can_be_drawn() -> None:
    seats = (SeatView(1, "Ann"), SeatView(4, "Bess", is_turn=True), SeatView(7, "Tom"))
    view = View("bone-ace", "willughby", Phase.PLAY, 1, 1, seats, dealer=7, turn=4)
    assert "Bess: stick, or have it?" in words(drawn(view)[1])


def test_a_screen_nobody_can_read_is_refused() -> None:
    with pytest.raises(ScreenSizeError, match="better 800x480"):
        TableScreen((100, 60))


def test_a_surface_of_another_size_is_refused(at: At) -> None:
    view, _none = at(2, "turn")
    with pytest.raises(ScreenSizeError, match="make a TableScreen for it"):
        screen_of((800, 480)).draw(pygame.Surface((640, 480)), view)


def test_many_different_payments_are_left_to_the_plates(at: At) -> None:
    said = " ".join(words(drawn(*at(8, "shared"), size=(1920, 1080))[1]))
    assert "Each plate shows what its player won or lost." in said
    assert "Everyone pays 1 token to Bess for the Bone." in said


def test_a_face_up_card_is_not_hidden_by_the_backs_after_it(
    view_of: Callable[..., View],
) -> None:
    """Nine cards on a narrow plate overlap, yet the third, face up, keeps its whole face."""

    def hand(upcard: str) -> View:
        many = (None, None, Card.parse(upcard), *[None] * 6)
        return view_of(10, Phase.PLAY, lambda n: {"cards": many} if n == 2 else {}, turn=0)

    plate = lay_out((800, 480), 10).plates[2]
    differing = []
    for upcard in ("AS", "TD"):
        surface = pygame.Surface((800, 480))
        screen_of((800, 480)).draw(surface, hand(upcard))
        differing.append(surface.subsurface(plate).copy())
    columns = [
        x
        for x in range(plate.w)
        if any(differing[0].get_at((x, y)) != differing[1].get_at((x, y)) for y in range(plate.h))
    ]
    assert max(columns) - min(columns) >= 20


def test_a_long_detail_is_written_smaller_before_it_is_cut_off(at: At) -> None:
    view, _none = at(4, "turn")
    detail = "Ann, Bess and Cecil each pay two tokens to Doll, for the Bone and for the best hand."
    _pixels, written = drawn(view, replace(prompt_for(view), detail=detail, keys=()))
    assert detail in words(written)
