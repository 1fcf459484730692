"""All that is wrong with a state, said at once: for corrections made at the table."""

from __future__ import annotations

from collections import Counter

from engine.core.tokens import LedgerError, check_zero_sum
from engine.core.views import Phase
from engine.table.state import State


def find_inconsistencies(state: State) -> tuple[str, ...]:
    """Return what contradicts the rules in *state*, each with a cure; empty when all is well."""
    found = []
    play = state.live_play
    if play is not None:
        decks = state.setup.game.decks(state.setup.options)
        for card, count in sorted(Counter(play.seen()).items()):
            if count > decks:
                found.append(
                    f"{card} lies {count} times on the table, with {decks} pack(s); "
                    "correct one of the readings"
                )
        if play.phase is Phase.PLAY:
            if play.turn is None:
                found.append("it is nobody's turn; undo the last event")
            elif play.hand(play.turn).out:
                found.append(f"it is the turn of seat {play.turn}, who is out; undo")
        if play.phase is Phase.SHOWDOWN and not play.to_reveal():
            found.append("a showdown with nobody to show; undo the last event")
    for number, hand in enumerate(state.past, start=1):
        try:
            check_zero_sum(dict(hand.settlement), hand.to_pot)
        except LedgerError as problem:
            found.append(f"hand {number}: {problem}")
    return tuple(found)
