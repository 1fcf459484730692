"""Backs that lie where none should at Thirty-one: whose they may be, and whose not."""

from engine.core.events import Draw, Source
from engine.core.views import SeatStatus
from tests.support.scat_bench import ScatBench


def test_who_has_left_the_cards_where_they_were_dealt_has_not_thrown_in():
    bench = _ann_has_played()
    bench.lay_middle("back", "back", "back")
    bench.wait()
    asked_about = None if bench.question is None else bench.question.seat
    assert asked_about in (0, None)
    assert all(seat.status is not SeatStatus.OUT for seat in bench.view.seats[1:])


def test_backs_that_lie_far_from_each_other_are_asked_about_before_anybody_is_out():
    bench = _ann_has_played()
    bench.mat.lay(1, slot=4)
    bench.mat.lay(3, slot=4)
    bench.look()
    bench.hands = ()
    bench.wait()
    assert bench.question.seat == 0
    bench.answer("no")
    assert bench.question is None
    assert bench.view.turn == 1
    assert bench.press("have", 1) == [Draw(1, Source.STOCK)]


def _ann_has_played():
    """Four players: only Ann has taken her cards up; somebody else's hand comes next."""
    bench = ScatBench(4)
    bench.hands = ()
    for seat in range(4):
        for _ in range(3):
            bench.mat.lay(seat)
    bench.look()
    bench.hands = (3,)
    bench.throw("9H")
    bench.hands = (0,)
    for slot in range(3):
        bench.mat.lift(0, slot)
    bench.look()
    bench.throw("2D")
    bench.hands = (None,)
    return bench
