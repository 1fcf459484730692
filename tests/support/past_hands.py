"""Random entries, and random events that put an earlier hand right (rules G-12, G-13, G-22)."""

from __future__ import annotations

import random

from engine import Correct, Entry, Event, Misdeal, State


def entry(rng: random.Random, state: State) -> Entry:
    """Tokens from one player at the table to another, or to the last who left."""
    seats = {player.seat for player in (*state.round.players, *state.players)}
    payer, payee = rng.sample(sorted(seats), 2)
    tokens = rng.randint(1, 9)
    return Entry(tuple(sorted([(payer, -tokens), (payee, tokens)])), "walker")


def misdeal(rng: random.Random, state: State) -> Misdeal:
    """The hand in play, or an earlier one that is not void yet."""
    numbers = [n for n, one in enumerate(state.past, start=1) if one.end != "misdeal"]
    return Misdeal("walker", rng.choice([None, *numbers]))


def correction(rng: random.Random, state: State) -> Event | None:
    """Any card of an earlier hand is another; ``None`` where there is none."""
    if not state.book.played:
        return None
    number = rng.randint(1, len(state.book.played))
    hand = state.book.played[number - 1].hand
    held = [(each.seat, card) for each in hand.play.hands for card in each.cards if card]
    if not held:
        return None
    seat, was = rng.choice(held)
    pack = sorted(hand.game.pack(hand.options))
    return Correct(was, rng.choice([card for card in pack if card != was]), seat, number)
