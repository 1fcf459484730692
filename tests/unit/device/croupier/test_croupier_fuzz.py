"""Whatever lies on the mat and whatever is pressed: no exception, and no event refused."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.ports import Button
from engine import Phase, deck
from tests.support.mat_readings import Bench
from tests.support.paper_players import PaperPeople
from vision.readings import ZoneKind

CODES = [str(card) for card in deck()]
WHATS = st.one_of(
    st.just("back"),
    st.sampled_from(CODES),
    st.just("?"),
    st.tuples(st.sampled_from(CODES), st.sampled_from(CODES)).map("?".join),
)
ACTS = st.one_of(
    st.tuples(st.just("lay"), st.integers(0, 3), WHATS),
    st.tuples(st.just("lay"), st.integers(0, 2), st.just("back")),
    st.tuples(st.just("change"), st.integers(0, 30), WHATS),
    st.tuples(st.just("lift"), st.integers(0, 30), st.none()),
    st.tuples(st.just("shift"), st.integers(0, 30), st.integers(0, 90)),
    st.tuples(st.just("stray"), st.integers(4, 9), WHATS),
    st.tuples(st.just("clear"), st.none(), st.none()),
    st.tuples(st.just("blind"), st.none(), st.none()),
    st.tuples(
        st.just("press"),
        st.sampled_from([button for button in Button if button is not Button.QUIT]),
        st.one_of(st.none(), st.integers(0, 3)),
    ),
)


def do(bench, act, where, what):
    mat = bench.mat
    mat.seats = 4
    keys = sorted(mat.cards)
    if act == "press":
        bench.press(where, what)
        return
    if act == "lay":
        mat.lay(where, what)
    elif act == "stray":
        mat.lay(where, what, zone=(None, ZoneKind.STOCK, ZoneKind.DISCARD)[where % 3])
    elif act == "clear":
        mat.clear()
    elif act == "blind":
        mat.seats = None
    elif keys:
        key = keys[where % len(keys)]
        if act == "change":
            mat.cards[key] = what
        elif act == "lift":
            mat.lift(*key)
        else:
            mat.shift(*key, by=(float(what), 0.0))
    bench.look()


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["bone-ace", "one-and-thirty"]),
    st.sampled_from([-1, 0, 2]),
    st.integers(0, 25),
    st.lists(ACTS, max_size=20),
)
def test_no_table_is_too_odd(game, dealer, played, acts):
    bench = Bench(3, game=game, dealer=dealer)
    if dealer >= 0:
        people = PaperPeople(3)
        people.mat = bench.mat
        for _ in range(played):
            for press in people.act(bench.view):
                bench.press(press.button, press.seat)
            bench.look()
    bench.look()
    for act in acts:
        before = len(bench.events)
        do(bench, *act)
        assert len(bench.events) - before < 50
    assert bench.question is None or bench.question.text
    assert all(notice.text for notice in bench.advice.notices)


@pytest.mark.parametrize("seed", range(40))
def test_a_restless_table_comes_to_the_same_result(seed):
    """Cards are nudged, and now and then one is overlooked; nothing of it changes the game."""
    chance = random.Random(seed)
    players = chance.randint(2, 5)
    calm, restless = Bench(players), Bench(players)
    for bench in (calm, restless):
        people = PaperPeople(players, seed)
        people.mat = bench.mat
        for _ in range(100):
            if bench.view.phase is Phase.DONE:
                break
            for press in people.act(bench.view):
                bench.press(press.button, press.seat)
            if bench is restless and chance.random() < 0.4:
                seat, slot = chance.choice(sorted(bench.mat.cards))
                if chance.random() < 0.5:
                    bench.mat.shift(seat, slot, (chance.uniform(-8, 8), chance.uniform(-8, 8)))
                else:
                    what = bench.mat.cards.pop((seat, slot))
                    bench.look()
                    bench.mat.cards[seat, slot] = what
            bench.look()
        assert bench.question is None
    assert restless.events == calm.events
