"""What the table has told is kept in order, and told on in order."""

import time

from device.web.table import NOTHING, Table, Told


def test_with_a_delay_no_event_overtakes_one_before_it(tmp_path):
    table = Table(tmp_path / "feed.sock")
    now_s = time.monotonic()
    # The last one happened while those before it were asked for anew.
    for number, age_s in enumerate((9.0, 4.0, 6.0)):
        table.events.append(Told({"sitting": 1, "number": number}, now_s - age_s))
    assert [told.place for told in table.events_after(NOTHING, 5.0)] == [(1, 0)]
    assert [told.place for told in table.events_after((1, 0), 5.0)] == []
    assert [told.place for told in table.events_after((1, 0), 3.0)] == [(1, 1), (1, 2)]
    assert [told.place for told in table.events_after((1, 1))] == [(1, 2)]
