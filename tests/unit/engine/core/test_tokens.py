"""Whole tokens, zero sum (rule G-18)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.tokens import Ledger, LedgerError, flows, share


def test_a_settlement_must_sum_to_zero():
    with pytest.raises(LedgerError, match=r"sums to \+1"):
        Ledger().add({0: 2, 1: -1})
    with pytest.raises(LedgerError, match="whole tokens"):
        Ledger().add({0: 0.5, 1: -0.5})


def test_hands_add_up_by_seat():
    ledger = Ledger().add({0: 2, 1: -2}).add({1: 3, 4: -3})
    assert dict(ledger.entries) == {0: 2, 1: 1, 4: -3}
    assert ledger.of(9) == 0


@given(st.integers(0, 99), st.permutations(range(5)))
def test_the_eldest_sharer_gets_the_rest(amount, sharers):
    parts = share(amount, sharers)
    assert sum(parts.values()) == amount
    assert {parts[seat] for seat in sharers[1:]} == {amount // 5}
    assert parts[sharers[0]] == amount // 5 + amount % 5


@given(st.lists(st.integers(-9, 9), max_size=6))
def test_who_pays_whom_adds_up_to_the_settlement(amounts):
    net = dict(enumerate([*amounts, -sum(amounts)]))
    for payer, payee, tokens in flows(net):
        assert tokens > 0
        net[payer] += tokens
        net[payee] -= tokens
    assert set(net.values()) == {0}
