import pytest

from device.hardware.buttons import Debounce


def presses(edges, settle_s=0.03):
    contact = Debounce(settle_s)
    return [at for is_down, at in edges if contact.edge(is_down, at)]


def test_first_edge_counts_at_once():
    assert presses([(True, 5.0)]) == [5.0]


def test_chatter_of_one_push_is_one_press():
    edges = [(True, 1.0), (False, 1.001), (True, 1.002), (False, 1.004), (True, 1.005)]
    assert presses(edges) == [1.0]


def test_chatter_of_the_release_is_no_press():
    edges = [(True, 1.0), (False, 1.2), (True, 1.201), (False, 1.202)]
    assert presses(edges) == [1.0]


def test_two_pushes_are_two_presses():
    edges = [(True, 1.0), (False, 1.1), (True, 1.2), (False, 1.3)]
    assert presses(edges) == [1.0, 1.2]


def test_long_chatter_is_still_one_press():
    edges = [(i % 2 == 0, 1.0 + 0.01 * i) for i in range(50)]
    assert presses(edges) == [1.0]


def test_quiet_time_is_exactly_enough():
    assert presses([(True, 0.0), (False, 1.0), (True, 1.25)], settle_s=0.25) == [0.0, 1.25]


def test_negative_settle_names_the_cure():
    with pytest.raises(ValueError, match=r"settle_s must be 0 or more.*try 0\.03"):
        Debounce(-1)
