"""Where Thirty-one comes from, and what its source leaves open (S5). The sentences are ours."""

from __future__ import annotations

from engine.core.text.rules_page import rule, section

SCAT = (
    section(
        "Where it comes from",
        rule(
            "Thirty-one is first named in a French translation of a sermon by the Italian Saint "
            "Bernardine, 1440, so it may come from Italy. Rabelais, Cardano and many others of the "
            "16th century name it."
        ),
        rule(
            "David Parlett (A History of Card Games, 1991) notes that the name meant two games: "
            "this one, like commerce, and one like pontoon."
        ),
        rule(
            "It spread to France, England and Ireland. Francis Willughby recorded thirty-one in "
            "England, about 1665 or in the 1670s: the sources disagree."
        ),
        rule("It is popular in America and Britain."),
        rule(
            "It has its name from its aim. It is Cadillac in south Louisiana and Mississippi, cad "
            "in Pennsylvania, whammy! in central Indiana, juble in Oklahoma and Kansas, and nickle "
            "knock in Hawaii."
        ),
    ),
    section(
        "Its relatives",
        rule(
            "Commerce, cribbage, trentuno, and wit and reason have the same aim, in whole or in "
            "part; such games are known since the 15th century. Vingt-un came later."
        ),
        rule(
            "Other games, in spite of their names: Skat, Germany's national card game; Schwimmen, "
            "also called Schnauz or Hosen runter; and the Greek game of 31 against a bank."
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
            "One sentence has a knocker safe who ties for lowest; by the next, who beats nobody "
            "loses two lives. Here a tie is safe, unless a variant has it otherwise."
        ),
        rule(
            "Each life lost is a penny paid into the middle; who gets the pennies is not said. "
            "Here all go into the pot before the match, and the last player takes it."
        ),
        rule(
            "It does not say whether the card just taken from the discard may be put straight "
            "back. Here it may not, as on pagat.com."
        ),
        rule(
            "It names one case in which players may take back their own discard: two are left, and "
            "one knocks. Here nobody may in any other case."
        ),
        rule("Of Stop the bus it tells the ranking and the swap; the rest is the basic game."),
    ),
    section(
        "Advice",
        rule("Remember which suits the others lay off."),
        rule(
            "Who lays off another suit than in the turn before is changing suits: that hand is "
            "weak for a while, and a knock may catch it."
        ),
    ),
)
