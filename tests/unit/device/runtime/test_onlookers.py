"""Chances that count only what lies open are not meant for who sees more."""

from dataclasses import replace

from device.runtime.hints import for_onlookers
from display.i18n.translate import Translator
from engine.core.views import Phase
from tests.support.table_moments import moments

HINT = "To go over 31: 12 of 100."


def test_a_player_with_cards_face_down_knows_more_than_the_chances():
    view = moments(4)["turn"][0]
    assert None in view.seat(view.turn).cards
    assert str(for_onlookers(HINT, view)) == f"For onlookers: {HINT}"
    said = Translator.of("de").render(for_onlookers(HINT, view))
    assert said == f"Für Zuschauer: {HINT}"


def test_open_hands_and_the_end_need_no_mark():
    view = moments(4)["turn"][0]
    shown = replace(view.seat(view.turn), cards=view.seat(view.turn).cards[-1:])
    seats = tuple(shown if seat.seat == view.turn else seat for seat in view.seats)
    assert for_onlookers(HINT, replace(view, seats=seats)) == HINT
    assert for_onlookers(HINT, replace(view, phase=Phase.DONE)) == HINT
    assert for_onlookers("", view) == ""
