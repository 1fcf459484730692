"""The great moments: each comes once, with the event that brings it, and says whom it is about."""

import random
from collections import Counter

import pytest

from engine import TABLE, Card, Deal, Facing, Phase, Player, apply, new_table, view
from engine.bots import Driver, player
from engine.core.events import Knock, NextHand, Undo
from engine.games import catalog
from engine.games.moments import MomentKind, moment_of


def step(state, event):
    """Return the state after *event*, and the moment that it brings."""
    before, after = view(state, TABLE), apply(state, event)
    return after, moment_of(event, before, view(after, TABLE))


def dealt(thirds, preset=None, **options):
    """Deal three cards to each; return the last moment."""
    players = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    state = new_table("bone-ace", players, dealer=2, preset=preset, options=options)
    moment = None
    for seat in (0, 1, 2, 0, 1, 2):
        state, moment = step(state, Deal(seat, None))
        assert moment is None
    for seat, code in enumerate(thirds.split()):
        state, moment = step(state, Deal(seat, Card.parse(code), Facing.UP))
    return state, moment


@pytest.mark.parametrize(
    ("thirds", "ace", "kind", "holder"),
    [
        ("KC AH 9C", "AH", MomentKind.BONE_ACE, "Bess"),
        ("KC AD 9C", "AD", MomentKind.BONE_ACE, "Bess"),
        ("KC AH 9C", "AD", MomentKind.BONE, "Ann"),
        ("KC 7H 9C", "AH", MomentKind.BONE, "Ann"),
    ],
)
def test_the_bone_and_the_bone_ace_of_the_preset(thirds, ace, kind, holder):
    _state, moment = dealt(thirds, bone_ace=ace, upcard_ace="low")
    assert moment.kind is kind
    assert str(moment.detail) == f"{holder} takes the Bone"
    assert holder in str(moment.call)
    assert moment.card == Card.parse("KC" if holder == "Ann" else ace)


def played(game, preset, seed, hands=30):
    """Yield each event, and the views before and after it."""
    rules = catalog.find(game)
    players = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    state = new_table(game, players, dealer=None if rules.cuts_for_deal else 0, preset=preset)
    driver = Driver(state, [player(style, game) for style in ("bold", "cautious", "bold")],
                    random.Random(seed))  # fmt: skip
    done = 0
    while done < hands and not driver.state.round.standing.over:
        before = view(driver.state, TABLE)
        if driver.state.phase is Phase.DONE:
            done += 1
            event = driver.do(NextHand())
            driver.shuffle()
        else:
            event = driver.go_on()
        yield event, before, view(driver.state, TABLE)


@pytest.mark.parametrize(
    ("game", "preset", "kinds"),
    [
        ("bone-ace", "willughby", {"thirty-one", "bone", "bone-ace", "over"}),
        ("one-and-thirty", "willughby", {"thirty-one", "over"}),
        ("knucklebones", "west-kingdom", {"over", "bank"}),
        ("scat", "california-quick", {"match", "knock", "last-life"}),
    ],
)
def test_whole_evenings_have_their_moments(game, preset, kinds):
    found = Counter()
    for seed in range(12):
        for event, before, after in played(game, preset, seed):
            moment = moment_of(event, before, after)
            if moment is None:
                continue
            found[moment.kind.value] += 1
            assert any(seat.name in str(moment.call) for seat in after.seats)
            if moment.kind is MomentKind.OVER and "Too many" in str(moment.call):
                totals = {seat.total for seat in after.seats}
                assert int(str(moment.title).split(":")[0]) in totals
            if moment.kind is MomentKind.KNOCK:
                assert isinstance(event, Knock)
    assert kinds <= set(found)


def test_who_is_over_is_told_by_how_many():
    told = {
        (str(found.title), str(found.call))
        for event, before, after in played("knucklebones", "west-kingdom", 3)
        if (found := moment_of(event, before, after)) and found.kind is MomentKind.OVER
    }
    assert ("22: over!", "Ann: 22. Too many by 1!") in told


def test_a_thirty_one_that_pays_double_says_so():
    told = {
        str(found.call)
        for seed in range(12)
        for event, before, after in played("bone-ace", "willughby", seed)
        if (found := moment_of(event, before, after)) and found.kind is MomentKind.THIRTY_ONE
    }
    assert "Thirty-one on the nose! Ann is paid double." in told


def test_the_next_hand_and_what_is_taken_back_are_no_moments():
    state, moment = dealt("KC AH 9C", bone_ace="AH")
    assert moment is not None
    state, moment = step(state, Undo())
    assert moment is None
