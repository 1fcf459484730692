"""The orders that a hand which was taken up may have been dealt in (rule G-20)."""

from __future__ import annotations

from device.croupier.seats.orders import orders
from engine import Card


def cards_of(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


def orders_of(codes: str, last: Card | None = None) -> list[tuple[tuple[Card, ...], int]]:
    """Return the orders of a hand of which no card was read but *last*."""
    cards = cards_of(codes)
    fixed = [*[None] * (len(cards) - 1), last]
    return orders(cards, fixed, 3, lambda held: sum(card.rank.points for card in held), 31)


def test_g20_orders_that_differ_in_money_are_asked_for():
    # 34 in all: with the 3 last it was 31 before, with another card last it was not.
    (first, made), (second, over) = sorted(orders_of("KH 9D 5C 7C 3S"), key=lambda way: way[1])
    assert (made, over) == (3, 4)
    three = Card.parse("3S")
    assert first[-1] == three != second[-1]
    # The last card was read when it was dealt, so only one of them is left.
    assert [order[-1] for order, _ in orders_of("3S KH 9D 5C 7C", three)] == [three]


def test_g20_an_order_that_decides_nothing_is_not_asked_for():
    ((only, place),) = orders_of("2H 9D 5C 7C")
    assert (sorted(map(str, only)), place) == (["2H", "5C", "7C", "9D"], 4)
    assert orders_of("2H 9D 5C 7C", Card.parse("KH")) == []
