"""A small storm of ``make storm``: what is killed loses nothing, and nothing counts twice."""

import pytest

from tests.acceptance.hall.storm import storm
from tests.support.mosquitto import needs_mosquitto

pytestmark = [pytest.mark.slow, needs_mosquitto]


def test_the_halls_ledger_equals_the_journals_though_all_are_killed(tmp_path):
    wrong, figures = storm(
        tmp_path, tables=2, hands=2, pace_s=0.05, seed=5, broker=5, hall=2, table=3
    )
    assert wrong == []
    assert figures["killed"] == {"broker": 5, "hall": 2, "publishers": 2, "table": 3}
    assert figures["events"] > 100
