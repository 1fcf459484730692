"""A table of the fair for some minutes: phones, a blind player, a power cut and an upgrade."""

import contextlib
import math

from device.storage.copies.table_name import rename_table
from tests.acceptance.evening.test_evening_short import SMALL, knowing_eyes
from tests.acceptance.fair.table import FairEvening


def test_a_table_of_the_fair_plays_on_through_a_power_cut_and_an_upgrade(tmp_path, capsys):
    rename_table(tmp_path, "fair-1")
    evening = FairEvening(
        tmp_path, seed=3, seconds=120, eyes=knowing_eyes, size=SMALL, screen=(480, 320), pace=0.2,
        every_s=math.inf,
    )  # fmt: skip
    with contextlib.closing(evening):
        evening.sitting("one-and-thirty", "willughby", 2)
        evening.meters.sample(evening)
    found = evening.meters.told(evening)
    assert (found["wrong"], found["failures"], evening.misheard) == ([], [], [])
    assert found["compared"] == 2
    assert found["mishaps"]["the power is cut"] == 1
    assert found["mishaps"]["the program is begun anew"] == 1
    assert evening.heard > 3
    assert evening.machine.pressed["by phone"] > 3
    assert not evening.machine.refused["no answer"]
