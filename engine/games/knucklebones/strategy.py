"""Players of One-and-Twenty: what to stake, how many more bones (rules KB-2, KB-5, KB-17).

**Cautious** stakes 1 and throws as many bones as cannot put them over the target, whatever they
show. **Bold** stakes 3 and throws until they are as near to the target as bones of 3½ points on
average bring them.

**Exact** throws the number of bones that :func:`engine.games.knucklebones.odds.best_bones` finds
best, with the published chances of the faces: against a banker who plays by the same table or, for
the only player still in, against one who knows their total. As banker it counts what everybody has.
It stakes 3 where a round is worth something to a player, else the least allowed.
"""

from __future__ import annotations

from typing import Any

from engine.core.events import Choose, Event, Have, Stake, Stick
from engine.games.decision import Decision, Strategy, Style
from engine.games.knucklebones.odds import (
    BoneGame,
    against,
    best_bones,
    best_bones_of_banker,
    overall,
    same_table,
)

HIGHEST_FACE = 6
MEAN_FACE = 3.5
STAKES = {Style.CAUTIOUS: 1, Style.BOLD: 3}


class BonesPlayer(Strategy):
    """Stakes, and says how many more bones."""

    def answer(self, asked: Decision) -> Event | None:
        """Say how many more; before the first throw lay the stake, if another one lies."""
        choose, one = asked.may(Choose.kind), asked.may(Have.kind)
        if choose is not None:
            least, most = choose.least or 0, choose.most or 0
            return Choose(asked.seat, min(max(self.bones(asked, most), least), most))
        if one is not None:
            stick = asked.may(Stick.kind)
            wants = stick is None or self.bones(asked, _left(asked)) > 0
            return Have(asked.seat) if wants else Stick(asked.seat)
        if asked.may(Stake.kind) and asked.me.stake_laid != self.stake(asked.options):
            return Stake(asked.seat, self.stake(asked.options))
        return None

    def stake(self, options: Any) -> int:
        """Return how many tokens they lay against the bank."""
        if self.style is not Style.EXACT:
            return STAKES[self.style]
        game = BoneGame.of(options)
        worth = overall(game, against(same_table(game), game)).result
        return STAKES[Style.BOLD if worth > 0 else Style.CAUTIOUS]

    def bones(self, asked: Decision, most: int) -> int:
        """Return how many more bones they would throw, at most *most* being allowed."""
        total, target = asked.me.total or 0, int(asked.options.target)
        if self.style is Style.CAUTIOUS:
            return min(most, (target - total) // HIGHEST_FACE)
        if self.style is Style.BOLD:
            return min(most, round((target - total) / MEAN_FACE))
        game, thrown = BoneGame.of(asked.options), asked.options.max_extra - _left(asked)
        if asked.me.is_dealer:
            players = [(seat.total or 0, seat.stake_laid) for seat in asked.rivals]
            return best_bones_of_banker(total, players, thrown, game=game).best.bones
        alone = all(seat.is_dealer for seat in asked.rivals)
        banker = "informed" if alone else "same_table"
        return best_bones(total, thrown, game=game, banker=banker).best.bones


def _left(asked: Decision) -> int:
    """Return how many bones they may still throw one by one."""
    thrown = sum(map(len, asked.me.throws[1:]))
    return int(asked.options.max_extra) - thrown
