"""Bone-Ace: One-and-Thirty with a prize for the best third card (rules BA-1 to BA-15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.core.cards import Card, Rank
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.messages.message import N_
from engine.core.options import Preset
from engine.core.outcome import Bone
from engine.core.payments import Payments
from engine.core.text.rules_page import Section
from engine.games.base import Play
from engine.games.one_and_thirty import background, rulebook
from engine.games.one_and_thirty.options import BoneAceOptions
from engine.games.one_and_thirty.payments import capped, of_the_bone, of_the_pool
from engine.games.one_and_thirty.rules import OneAndThirty, beginning_with, bone_net

THIRD = 2
"""The place of the third card, which decides the Bone (rule BA-1)."""

_COTTON: Mapping[str, object] = {
    "bone_ace": "AD",
    "ace_value": 11,
    "upcard_ace": "high",
    "bone_effect": "half_pot",
    "double_on_31": False,
    "deal_style": "packet",
    "draw_from": "any",
}


class BoneAce(OneAndThirty):
    """Just the differences."""

    name: ClassVar[str] = "bone-ace"
    old_names: ClassVar[tuple[str, ...]] = ("bone",)
    title: ClassVar[str] = "Bone-Ace"
    about: ClassVar[str] = (
        "The best third card takes the Bone. Then come near to 31, and not over it."
    )
    emblem: ClassVar[tuple[str | None, ...]] = (None, None, "AH")
    face_up: ClassVar[tuple[int, ...]] = (THIRD,)
    options_type: ClassVar[type[Any]] = BoneAceOptions
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset(
            "willughby",
            "S1",
            tells=N_("The ace of hearts is the Bone-Ace; the Bone is paid before play."),
            says=N_(
                "Justin du Coeur, from Willughby: the third card lies open, the ace of hearts "
                "beats all, and every other player pays the best third card one stake before "
                "play. The rest is One-and-Thirty."
            ),
        ),
        Preset(
            "cotton",
            "E1",
            _COTTON,
            tells=N_("The ace of diamonds is the Bone-Ace; the Bone takes half of the stakes."),
            says=N_(
                "Charles Cotton, 1674: three cards together, the ace of diamonds beats all, "
                "and the best third card takes half of the stakes. He does not say what the "
                "ace counts; here it counts eleven."
            ),
        ),
        Preset(
            "cotton-ace-one",
            "E1",
            {**_COTTON, "ace_value": 1, "upcard_ace": "low"},
            tells=N_("The same, but an ace counts one."),
            says=N_(
                "Charles Cotton's game with the ace as Justin du Coeur understands it: it "
                "counts one, and open aces other than the Bone-Ace are lowest."
            ),
        ),
        Preset(
            "handout",
            "S2",
            {"draw_from": "any", "cut_bone_ace_high": True},
            tells=N_("The Bone-Ace is also the highest card of the cut."),
            says=N_(
                "An unsigned handout: every other player pays the best third card one stake, "
                "31 pays double, and the Bone-Ace is the highest card when the deal is cut "
                "for."
            ),
        ),
        Preset(
            "davis",
            "S3",
            {"eldest_means": "age", "double_on_31": False, "bone_effect": "first_turn"},
            tells=N_("The best third card pays nothing: it begins."),
            says=N_(
                "Nakoa Davis: who has the best third card goes first, and nothing is paid for "
                "it. So that card decides who begins, and age decides ties only."
            ),
        ),
        Preset(
            "ealdormere",
            "E4",
            {
                "bone_ace": "AD",
                "ace_value": 11,
                "upcard_ace": "high",
                "deal_style": "packet",
                "draw_from": "any",
                "double_on_31": False,
            },
            tells=N_("The ace of diamonds is the Bone-Ace; an ace counts eleven."),
            says=N_(
                "The Games Guild of Ealdormere, 2014: three cards together, the ace high and "
                "worth eleven, and a coin from every other player for the best third card."
            ),
        ),
    )

    def background(self, options: Any) -> tuple[Section, ...]:
        """Return where this game comes from, and what is left open."""
        return background.bone_ace(options)

    def rules(self, options: Any) -> tuple[Section, ...]:
        """Return the page of this game."""
        return rulebook.bone_ace(options)

    def begin_turns(self, play: Play) -> Play:
        """Find the Bone by the third cards alone, and pay it (rules BA-2, BA-3, BA-12).

        That is before anything is settled: a 31 dealt with an ace at 11 wins after it (BA-15).
        """
        ranks = {hand.seat: self.upcard_rank(play.options, _third(hand)) for hand in play.hands}
        best = max(ranks.values())
        holder = next(seat for seat in self.elders(play) if ranks[seat] == best)  # BA-4, BA-8
        card = _third(play.hand(holder))
        bone = Bone(holder, card, self._bone_payments(play, holder))
        return super().begin_turns(replace(play, bone=bone))

    def upcard_rank(self, options: BoneAceOptions, card: Card) -> int:
        """Rank a third card: the Bone-Ace above all, other aces by option (BA-2, BA-5, BA-7)."""
        if card == self.bone_ace(options):
            return len(Rank) + 1
        if card.rank is Rank.ACE and options.upcard_ace == "high":
            return len(Rank)
        return card.rank.order

    def bone_ace(self, options: BoneAceOptions) -> Card:
        """Return the ace that beats all (rules BA-2, BA-5)."""
        return Card.parse(options.bone_ace)

    def _bone_payments(self, play: Play, holder: int) -> tuple[tuple[int, int], ...]:
        """Return what moves for the Bone at once (rules BA-3, BA-6, BA-8)."""
        options, seats = play.options, sorted(play.eldest)
        net = dict.fromkeys(seats, 0)
        if options.bone_effect == "stake_each":
            net = dict.fromkeys(seats, -options.stake)
            net[holder] = options.stake * (len(seats) - 1)
        elif options.bone_effect == "half_pot":
            net[holder] = _pool(play) // 2
        return tuple(net.items())

    def turn_order(self, play: Play) -> tuple[int, ...]:
        """Let the holder begin where that is all the Bone is worth (rule BA-8)."""
        if play.options.bone_effect != "first_turn" or play.bone is None:
            return super().turn_order(play)
        return beginning_with(play, play.bone.holder)

    def losses(self, play: Play) -> dict[int, int]:
        """Keep Bone and game together within two stakes where agreed (rule BA-10)."""
        lost = super().losses(play)
        if play.options.cap_double == "game_only":
            return lost
        most = 2 * int(play.options.stake)
        return {
            seat: min(tokens, most - max(0, -bone_net(play.bone, seat)))
            for seat, tokens in lost.items()
        }

    def _stayed(self, play: Play) -> tuple[int, ...]:
        """Return who shares a pool that nobody won; if everybody went, it goes back (G-17)."""
        stayed = tuple(seat for seat in self.elders(play) if not play.hand(seat).left)
        return stayed or self.elders(play)

    def payments(self, play: Play) -> Payments:
        """Return who paid for the Bone, then who paid for the game (rules BA-3, BA-6, BA-10)."""
        thirds = map(_third, play.hands) if play.bone else ()
        bone = of_the_bone(play, [self.upcard_rank(play.options, card) for card in thirds])
        if play.options.bone_effect == "half_pot":
            rest = _pool(play) - _pool(play) // 2
            return (*bone, *of_the_pool(play, rest, self._stayed(play)))
        full = self.stakes_lost(play) * int(play.options.stake) if play.winners else 0
        return (*bone, *capped(super().payments(play), full))


def _pool(play: Play) -> int:
    return int(play.options.stake) * len(play.eldest)


def _third(hand: PlayerCards) -> Card:
    card = hand.cards[THIRD]
    assert card is not None  # the deal waits until every third card is read
    return card
