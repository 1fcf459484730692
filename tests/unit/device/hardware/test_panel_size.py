"""The size of a panel, as its EDID tells it."""

import pytest

from device.hardware.panel_size import BLOCK, HEAD, inches_of, panel_inches


def edid(width_mm=0, height_mm=0, *, width_cm=0, height_cm=0, clock=0):
    data = bytearray(BLOCK)
    data[: len(HEAD)] = HEAD
    data[21:23] = width_cm, height_cm
    data[54:56] = clock.to_bytes(2, "little")
    data[66:69] = width_mm & 255, height_mm & 255, (width_mm >> 8) << 4 | height_mm >> 8
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "inches"),
    [
        (edid(531, 299, width_cm=53, height_cm=30, clock=14850), 24.0),
        (edid(width_cm=15, height_cm=9), 6.9),
        (edid(154, 86, width_cm=15, height_cm=9), 6.9),  # no clock: that is no timing
        (edid(), 0.0),  # a projector
        (b"\x00" * BLOCK, 0.0),
        (edid(531, 299)[:-1], 0.0),
    ],
)
def test_the_diagonal_is_read(data, inches):
    assert inches_of(data) == pytest.approx(inches, abs=0.05)


def test_the_first_panel_that_tells_its_size_counts(tmp_path):
    for name, data in (("card0-A", b""), ("card0-B", edid(width_cm=15, height_cm=9))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "edid").write_bytes(data)
    (tmp_path / "card0-A" / "modes").write_text("")
    assert panel_inches(tmp_path) == pytest.approx(6.9, abs=0.05)
    assert panel_inches(tmp_path / "nothing") == 0.0
