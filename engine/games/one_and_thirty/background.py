"""Where One-and-Thirty and Bone-Ace come from, and what is left open (S1 to S3, S5, E1).

Facts are the sources'; the sentences are ours.
"""

from __future__ import annotations

from typing import Any

from engine.core.text.rules_page import Section, rule, section

_REBUILT = rule("Justin du Coeur rebuilt it in 1996 from Willughby, and compared Cotton.")


def one_and_thirty(options: Any) -> tuple[Section, ...]:
    """Return where One-and-Thirty comes from."""
    return (
        section(
            "Where it comes from",
            rule(
                "A game of this name is known from the 1550s. Francis Willughby wrote it down in "
                "his Volume of Plaies, about 1665 or in the 1670s: the sources disagree."
            ),
            rule(
                "Thirty-one is named earlier still, in a French translation of a sermon of 1440 by "
                "Saint Bernardine, and then by Rabelais and Cardano. David Parlett notes that the "
                "name meant two games: one like pontoon, as this one is, and one like commerce."
            ),
            _REBUILT,
            rule("Du Coeur finds it quick to teach: a game of luck, with a little skill."),
        ),
        section(
            "Its relatives",
            rule("Bone-Ace is a later form of it, a little richer, with the third card face up."),
            rule(
                "It is an early forerunner of vingt-un, pontoon and blackjack, which go to 21, and "
                "much like them."
            ),
        ),
        section(
            "What the sources leave open",
            rule("Willughby does not say who deals. Here the lowest cut deals, as Cotton has it."),
            rule(
                "Neither Willughby nor Cotton says what the ace counts. Du Coeur takes it for one, "
                "and not for one or eleven as in blackjack; other pages let it count eleven."
            ),
            rule(
                "Neither says who wins a tie. Du Coeur gives it to the earlier player, as Cotton "
                "does in Bone-Ace."
            ),
            rule(
                "Willughby says that 31 pays double; whether it did, or only should, is not clear. "
                "Du Coeur advises it; Davis has it in some games only."
            ),
            rule("Du Coeur finds the deal a doubtful advantage."),
        ),
    )


def bone_ace(options: Any) -> tuple[Section, ...]:
    """Return where Bone-Ace comes from."""
    pays_three = (
        options.bone_effect == "stake_each"
        and options.double_on_31
        and options.cap_double == "game_only"
    )
    return (
        section(
            "Where it comes from",
            rule(
                "It is an English game of the 17th century. John Florio names it first, in 1611. "
                "Willughby describes it about 1665 or in the 1670s, and Charles Cotton in The "
                "Compleat Gamester, 1674."
            ),
            _REBUILT,
            rule("An unsigned handout follows du Coeur; Nakoa Davis tells it for gamerules.com."),
        ),
        section(
            "Its relatives",
            rule("It grew out of One-and-Thirty, and is not unlike blackjack."),
            rule(
                "Du Coeur and Davis find it more of a lottery than One-and-Thirty, and yet a "
                "little more skilled: one card of every hand is seen."
            ),
        ),
        section(
            "What the sources leave open",
            rule("The Bone-Ace is Willughby's ace of hearts and Cotton's ace of diamonds."),
            rule(
                "With Willughby all others pay one stake to the highest third card; with Cotton it "
                "takes half the stake, which du Coeur holds to be much the same."
            ),
            rule(
                "Willughby does not say whose the Bone is when third cards are equal. Cotton gives "
                "it to the eldest."
            ),
            rule(
                "Du Coeur writes that nobody loses more than two stakes. With the Bone and a "
                "double 31 it can be three here; two can be agreed."
            )
            if pays_three
            else None,
            rule("Davis lets the highest third card begin, and says nothing of a payment for it.")
            if options.bone_effect == "first_turn"
            else None,
        ),
    )
