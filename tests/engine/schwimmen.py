"""Schwimmen, or Einunddreißig: the German 31, as docs/add-a-game.md adds it (E9 of the rule book).

32 cards, three to each player and three face up on the table. In turn a player swaps one card or
all three with the table, passes, or knocks; then everybody else has one more turn. When all pass
one after another the three cards on the table are laid aside for three new ones. The best suit
counts, three of a kind 30½; 31 is shown at once. The lowest loses a life; without one a player
"swims", and then he is out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

from engine.events import Event, Pile, Stand
from engine.frozen import replace
from engine.games.scat import Scat
from engine.games.scat_options import ScatOptions
from engine.games.scat_play import ScatPlay
from engine.games.scat_turns import compare
from engine.options import OneOf, Preset, option
from engine.outcome import End
from engine.players import Player
from engine.rulebook.page import Section, rule, section
from engine.standing import NO_MATCH, Standing
from engine.views import Phase

CARDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SchwimmenOptions(ScatOptions):
    """The options of the family, and what happens when everybody passes."""

    all_pass: Literal["renew", "end"] = option(
        "renew", OneOf(("renew", "end")), "E9; ours: end", "end = the hands are compared at once"
    )


@dataclass(frozen=True)
class SchwimmenPlay(ScatPlay):
    """One round.

    Attributes:
        options: those of this game.
        passes: how many players have passed one after another.
        resume: whose turn it is once the table has three new cards.
    """

    options: SchwimmenOptions
    passes: int = 0
    resume: int | None = None


class Schwimmen(Scat):
    """A table of open cards, as Stop the bus has it, but suits count; the rest is inherited."""

    name: ClassVar[str] = "schwimmen"
    aliases: ClassVar[tuple[str, ...]] = ("einunddreissig",)
    title: ClassVar[str] = "Schwimmen"
    options_type: ClassVar[type[Any]] = SchwimmenOptions
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("pagat", "E9", {"deck": 32, "table": "bus", "three_kind": "rank"}),
    )

    def begin(
        self,
        options: Any,
        players: Sequence[Player],
        dealer: int,
        order: tuple[int, ...] = (),
        standing: Standing = NO_MATCH,
    ) -> SchwimmenPlay:
        """Lay out a round that also counts passes."""
        play = super().begin(options, players, dealer, order, standing)
        return SchwimmenPlay(**{each.name: getattr(play, each.name) for each in fields(play)})

    def step(self, play: Any, event: Event) -> ScatPlay:
        """Count passes: when all have passed, the table gets new cards."""
        after = super().step(play, event)
        if not isinstance(after, SchwimmenPlay) or after.phase is Phase.DONE:
            return after
        if play.phase is Phase.DEAL and after.phase is Phase.PLAY and play.resume is not None:
            return replace(after, turn=play.resume, resume=None)
        passed = isinstance(event, Stand) and after.knocker is None
        after = replace(after, passes=after.passes + 1 if passed else 0)
        return self._all_passed(after) if after.passes == len(after.active) else after

    def _all_passed(self, play: SchwimmenPlay) -> ScatPlay:
        if play.options.all_pass == "end" or play.stock < CARDS:
            return compare(play, End.SHOWDOWN)
        old = tuple(place.card for place in play.pile(Pile.TABLE) if place.card is not None)
        bare = replace(play, gone=(*play.gone, *old), passes=0, resume=play.turn, turn=None)
        return replace(bare.with_pile(Pile.TABLE, ()), phase=Phase.DEAL)

    def rules(self, options: Any) -> tuple[Section, ...]:
        """Add what is different to the page of the family."""
        words = {
            "renew": "When all pass, the table gets three new cards.",
            "end": "When all pass, the hands are compared.",
        }[options.all_pass]
        return (*super().rules(options), section("Passing", rule(words)))
