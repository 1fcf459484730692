"""Where Thirty-one comes from, and what its source leaves open (S5). The sentences are ours."""

from __future__ import annotations

from typing import Any

from engine.core.text.rules_page import Section, rule, section

_ADVICE = section(
    "Advice",
    rule("Remember which suits the others lay off."),
    rule(
        "Who lays off another suit than in the turn before is changing suits: that hand is "
        "weak for a while, and a knock may catch it."
    ),
)


def scat(options: Any) -> tuple[Section, ...]:
    """Return where Thirty-one comes from, and what was left open of the variant in force."""
    lays_off = options.table in ("none", "widow")
    return (
        section(
            "Where it comes from",
            rule(
                "Thirty-one is first named in a French translation of a sermon of 1440 by the "
                "Italian Saint Bernardine, so it may come from Italy. Rabelais, Cardano and many "
                "others of the 16th century name it."
            ),
            rule(
                "David Parlett (A History of Card Games, 1991) notes that the name meant two "
                "games: this one, like commerce, and one like pontoon."
            ),
            rule(
                "It spread quickly over Europe and became popular in France, England and Ireland. "
                "Francis Willughby recorded thirty-one in England, about 1665 or in the 1670s: the "
                "sources disagree."
            ),
            rule("It is popular in America and Britain."),
            rule(
                "It has its name from its aim. It is Cadillac in south Louisiana and Mississippi, "
                "cad in Pennsylvania, whammy! in central Indiana, juble in Oklahoma and Kansas, "
                "and nickle knock in Hawaii."
            )
            if options.ranking == "suit"
            else None,
        ),
        section(
            "Its relatives",
            rule(
                "Commerce, cribbage, trentuno, and wit and reason have the same aim, in whole or "
                "in part; such games are known since the 15th century. Vingt-un came later, and "
                "grew out of it."
            ),
            rule(
                "Other games, in spite of their names: Skat, Germany's national card game; "
                "Schwimmen, also called Schnauz or Hosen runter; and the Greek game of 31 against "
                "a bank."
            ),
            rule("The page also points to Biribi and to Trente et quarante, two games of chance."),
        ),
        section(
            "What the source leaves open",
            rule(
                "That the lowest “loses the deal” is taken for the hand. It does not say who deals "
                "next. Here the deal passes to the left, as on pagat.com."
            ),
            rule(
                "One sentence has a knocker safe who ties for lowest; by the next, who beats "
                "nobody loses two lives. Here a tie is safe, unless a variant has it otherwise."
            ),
            rule(
                "Each life lost is a penny paid into the middle; who gets the pennies is not said. "
                "Here all go into the pot before the match, and the last player takes it."
            )
            if options.scoring == "lives"
            else None,
            rule(
                "California Quick says only that a 31 after the knock costs the knocker two lives. "
                "Here it ends the hand, and each of the others loses one."
            )
            if options.blitz_after_knock == "ends" and options.scoring == "lives"
            else None,
            rule(
                "It does not say whether the card just taken from the discard may be put straight "
                "back. Here it may not, as on pagat.com."
            )
            if lays_off
            else None,
            rule(
                "It names one case in which players may take back their own discard: two are left, "
                "and one knocks. Here nobody may in any other case."
            )
            if lays_off
            else None,
            rule("Of Stop the bus it tells the ranking and the swap; the rest is the basic game.")
            if options.table == "bus"
            else None,
        ),
        *([_ADVICE] if lays_off else []),
    )
