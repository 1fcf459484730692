"""Whatever happens at a table, and is put right, undone or left: the payments add up."""

from __future__ import annotations

import pytest

from benchmarks.soak.soak import Soak
from device.reports.audit import Kind, audit
from tests.acceptance.audit.audit_sessions import PRESETS


def followed(game, preset, seed, events):
    """Random events, corrections, undos, misdeals, comings and goings; then the audit."""
    soak = Soak(game, preset, seed)
    soak.open_session()
    for _ in range(events):
        soak.go_on()
    soak.come_to_the_end()
    return audit(soak.opening, [(None, event) for event in soak.state.events])


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_random_evenings_add_up(game, preset):
    found = [followed(game, preset, f"audit {seed}", 150) for seed in range(2)]
    assert [each.problems for each in found] == [[], []]
    assert sum(each.hands for each in found) > 0
    kinds = {line.kind for each in found for line in each.lines}
    assert kinds >= {Kind.PAID, Kind.NOTE}
