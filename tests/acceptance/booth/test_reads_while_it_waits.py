"""The real eyes on the screen that waits: a card laid on the idle table is named there."""

import pytest

from engine.core.cards import Card
from tests.acceptance.booth.full_booth import Stall

SECOND = 10
"""Pictures: an idle table is looked at ten times a second."""


@pytest.fixture
def stall(tmp_path):
    made = Stall(tmp_path, real=True)
    yield made
    made.close()


@pytest.mark.slow
def test_a_card_laid_on_the_idle_table_is_named_within_a_second(stall):
    def labels():
        return [str(each.text) for each in stall.booth.view.page.labels]

    for _ in range(5):
        stall.step()
    assert labels() == [], "the pack is nothing that anybody has laid"
    table = stall.tables.cards
    for seat, code, name in ((0, "7H", "seven of hearts"), (3, "AD", "ace of diamonds")):
        table.lay(seat, Card.parse(code), face_up=True)
        while table.is_moving:
            stall.step()
        seen = stall.eyes.looked
        while name not in labels():
            stall.step()
            assert stall.eyes.looked - seen <= SECOND, labels()
        assert name in stall.glass.texts()
    assert stall.sittings() == []
