"""Thirty-one on the screen: every moment fits, and says in words what shape and colour say."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import pygame
import pytest

from display import TableScreen, prompt_for
from display.drawing.text import ELLIPSIS, Written
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.table.scat_centre import cards_between
from display.table.scat_seats import held_cards, scat_badge
from engine.core.cards import Card
from engine.core.views import MiddleView, Phase, PlayerMatchView, View
from engine.games.scat.brag import Kind
from engine.games.scat.prompts import HAND_NAMES, worth_of
from tests.support.scat_moments import BACKS, SWITCH, lives_of, scat_moments, scat_view

COUNTS = range(2, 10)
NAMES = tuple(scat_moments(2))


@lru_cache
def screen_of(size: tuple[int, int], language: str = "en") -> TableScreen:
    return TableScreen(size, language=language)


def drawn(view: View, size: tuple[int, int] = (800, 480)) -> tuple[bytes, tuple[Written, ...]]:
    surface = pygame.Surface(size)
    written = screen_of(size).draw(surface, view)
    return pygame.image.tobytes(surface, "RGB"), written


def words(view: View, size: tuple[int, int] = (1920, 1080)) -> str:
    return " / ".join(piece.text for piece in drawn(view, size)[1])


@pytest.mark.parametrize("name", NAMES)
def test_every_text_fits_its_box_and_touches_no_other(name: str, size: tuple[int, int]) -> None:
    whole = pygame.Rect((0, 0), size)
    for count in COUNTS:
        _pixels, written = drawn(scat_moments(count)[name], size)
        for piece in written:
            assert piece.box.contains(piece.ink), f"{count}: {piece.text!r} leaves its box"
            assert whole.contains(piece.box), f"{count}: {piece.text!r} leaves the screen"
            long = "WWW" in piece.text or "Barth" in piece.text
            assert long or ELLIPSIS not in piece.text, f"{count}: {piece.text!r} is cut"
        for one, other in combinations(written, 2):
            assert not one.ink.colliderect(other.ink), f"{one.text!r} lies on {other.text!r}"


@pytest.mark.parametrize("language", ["de", "es", "fr", "nl"])
def test_what_the_croupier_says_fits_in_every_language(language: str) -> None:
    size = (800, 480)
    surface = pygame.Surface(size)
    for name, view in scat_moments(5).items():
        prompt = prompt_for(view, language)
        written = screen_of(size, language).draw(surface, view, prompt)
        for piece in written:
            assert piece.box.contains(piece.ink), (name, piece.text)
            assert ELLIPSIS not in piece.text, (name, piece.text)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("deal", "Ann: next card face down"),
        ("deal-widow", "Widow: next card face down"),
        ("deal-second", "Joan Éclairée: three more cards for yourself"),
        ("deal-table", "Three cards face up in the middle"),
        ("turn-up", "Turn the first discard up"),
        ("choose", "Joan Éclairée: keep one of your two hands"),
        ("draw", "Joan Éclairée: draw, or knock?"),
        ("discard", "Joan Éclairée: discard a card"),
        ("last-turn", "Ann: your last turn"),
        ("widow", "Ann: draw, or knock?"),
        ("switch", "Joan Éclairée: exchange, or knock?"),
        ("switch-go-on", "Ann: go on"),
        ("bus", "Ann: swap, or knock?"),
        ("bus-stopper", "Ann: swap one card or three"),
        ("restart", "Ann and Joan Éclairée: start again?"),
        ("lost", "Bess loses 2 lives"),
        ("lost-many", "Ann, Bess and Joan Éclairée lose lives"),
        ("void", "All would be out: nobody loses a life"),
        ("blitz", "Ann: thirty-one!"),
        ("drawn", "The stock is empty: a draw"),
        ("anew", "Joan Éclairée starts again"),
        ("walkover", "Ann is the last one in play"),
        ("points", "Ann and Joan Éclairée score 4 points each"),
        ("pot", "Ann takes the pot"),
        ("match-over", "Ann wins the match"),
    ],
)
def test_every_moment_has_its_sentence(name: str, title: str) -> None:
    assert prompt_for(scat_moments(4)[name]).title == title


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("draw", "Stock 37"),
        ("draw", "Pot: 12 tokens"),
        ("draw", "Free ride"),
        ("draw", "Out of the match"),
        ("discard", "To discard"),
        ("last-turn", "Bess has knocked"),
        ("last-turn", "Knocked"),
        ("last-turn", "Last turn"),
        ("widow", "Widow"),
        ("switch", "Hand B"),
        ("bus", "On the table"),
        ("choose", "To choose"),
        ("restart", "Start again?"),
        ("showdown-brag", "Running flush"),
        ("lost", "Loses 2 lives"),
        ("lost", "30½"),
        ("points", "4 points more"),
        ("blitz", "Thirty-one"),
        ("match-over", "Wins the match"),
        ("gate", "Out of the gate"),
    ],
)
def test_what_is_drawn_a_word_says_too(name: str, expected: str) -> None:
    assert expected in words(scat_moments(4)[name])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("discard", {"Joan Éclairée": "To discard"}),
        ("last-turn", {"Ann": "Last turn", "Bess": "Knocked"}),
        ("choose", {"Joan Éclairée": "To choose"}),
        ("restart", {"Ann": "Start again?", "Joan Éclairée": "Start again?"}),
    ],
)
def test_a_badge_stands_only_at_the_player_it_is_about(name, expected) -> None:
    view = scat_moments(4)[name]
    badges = {seat.name: scat_badge(view, seat) for seat in view.seats}
    told = {who: str(badge.word) for who, badge in badges.items() if badge is not None}
    assert told == {**expected, "Tom": "Out of the match"}


def test_a_hand_with_a_name_is_told_by_it_in_the_result_too() -> None:
    view = scat_moments(4)["brag"]
    badges = [scat_badge(view, seat) for seat in view.seats]
    words = [badge and str(badge.word) for badge in badges]
    assert words == ["Pair", "Loses 1 life", "Prial", "Run"]


def test_the_sentence_tells_where_a_card_was_drawn_and_who_may_still_stop() -> None:
    moments = scat_moments(3)
    assert "from the stock" in prompt_for(moments["discard"]).detail
    assert "from the discard" in prompt_for(moments["no-discard"]).detail
    assert prompt_for(moments["bus-stopper"]).detail == "Tom may still knock: STICK."
    assert "STICK: stand." in prompt_for(moments["last-turn"]).detail
    assert "Bess is out of the match." in prompt_for(moments["match-over"]).detail
    assert "brings 6 tokens" in prompt_for(moments["match-over"]).detail


def test_lives_are_coins_that_can_be_counted() -> None:
    pictures = set()
    for lives in range(5):
        match = PlayerMatchView(lives=lives, on_county=lives == 0)
        view = scat_view(
            3, Phase.PLAY, MiddleView(30), lambda n, m=match: {"match": m} if n == 0 else {}, turn=1
        )
        pictures.add(drawn(view)[0])
    assert len(pictures) == 5


def test_cards_that_everybody_knows_are_shown_before_the_backs() -> None:
    view = scat_moments(3)["draw"]
    first = view.seat(0)
    assert held_cards(first) == (*first.known, None)
    quiet = replace(view, seats=tuple(replace(seat, known=()) for seat in view.seats))
    assert held_cards(quiet.seat(0)) == BACKS
    assert drawn(view)[0] != drawn(quiet)[0]


def test_a_card_in_the_middle_is_seen() -> None:
    one = scat_moments(3)["switch"]
    middle = one.middle
    assert middle is not None
    other = replace(one, middle=replace(middle, piles=(SWITCH[0],)))
    assert drawn(one)[0] != drawn(other)[0]
    nine, ten = (
        replace(scat_moments(3)["draw"], middle=MiddleView(30, card, discards=(card,)))
        for card in map(Card.parse, ("9H", "TH"))
    )
    assert drawn(nine)[0] != drawn(ten)[0]
    none, unread = (
        replace(nine, middle=MiddleView(30, top_is_unread=unread)) for unread in (False, True)
    )
    assert drawn(none)[0] != drawn(unread)[0]  # a back lies there (SC-28)


def test_no_worth_is_written_that_the_view_does_not_have() -> None:
    """The screen adds up no cards: what is not public is not in the view (rule G-7)."""
    view = scat_moments(3)["lost"]
    blind = tuple(replace(seat, total=None, value=None) for seat in view.seats)
    assert "20" in words(view).split(" / ")
    assert "20" not in words(replace(view, seats=blind)).split(" / ")
    assert [worth_of(seat) for seat in blind] == ["", "", ""]


def test_every_brag_hand_has_a_name() -> None:
    assert set(HAND_NAMES) == {kind.words for kind in Kind}


def test_the_fixtures_show_every_standing() -> None:
    standings = {lives_of(n) for n in range(9)}
    assert any(each.eliminated for each in standings)
    assert any(each.on_county for each in standings)


@pytest.mark.parametrize("panel", [(800, 480), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("language", languages())
def test_large_words_leave_the_cards_in_the_middle_large_enough_to_be_read(language, panel):
    screen = TableScreen(panel, theme=THEMES["large"], language=language)
    for name in ("draw", "widow", "bus", "switch"):
        seen = scat_moments(5)[name]
        places = screen._places(screen._canvas(None), seen, prompt_for(seen, language))
        between = cards_between(screen._canvas(None), seen.middle, places.centre)
        high = min(place.h for _card, place in between)
        least = 0.06 if name == "switch" else 0.08  # seven cards, and a question of two lines
        assert high >= least * panel[1], name
