"""The fewest payments that square an evening."""

import itertools
import random

import pytest

from engine.core.settle_up import MOST_EXACT, settle_up


def squared(nets):
    left = dict(nets)
    for payment in settle_up(nets):
        assert payment.tokens > 0
        left[payment.payer] += payment.tokens
        left[payment.payee] -= payment.tokens
    return not any(left.values())


def most_groups(nets):
    """The most groups that sum to zero, by trying every way to divide them."""
    if not nets:
        return 0
    first, *others = nets
    best = 0
    for number in range(len(others) + 1):
        for chosen in itertools.combinations(range(len(others)), number):
            if first + sum(others[i] for i in chosen) == 0:
                rest = [net for i, net in enumerate(others) if i not in chosen]
                best = max(best, 1 + most_groups(rest))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_no_fewer_payments_square_everybody(seed):
    rng = random.Random(seed)
    nets = [rng.randrange(-4, 5) for _ in range(rng.randrange(1, 7))]
    nets.append(-sum(nets))
    by_name = {f"P{number}": net for number, net in enumerate(nets)}
    owing = [net for net in nets if net]
    assert squared(by_name)
    assert len(settle_up(by_name)) == len(owing) - most_groups(owing)


def test_nobody_pays_where_nobody_owes():
    assert settle_up({"Ann": 0, "Bess": 0}) == ()
    assert settle_up({}) == ()


def test_many_people_are_squared_too():
    nets = {f"P{number}": number - 15 for number in range(31)}
    assert len(nets) > MOST_EXACT
    assert squared(nets)
    assert len(settle_up(nets)) <= 29


def test_tokens_that_are_missing_are_refused():
    with pytest.raises(ValueError, match="sum to"):
        settle_up({"Ann": 3, "Bess": -2})
