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
            "David Parlett notes that the name meant two games: one like pontoon, and one like "
            "commerce, as this one is."
        ),
        rule(
            "It spread to France, England and Ireland. Francis Willughby recorded thirty-one in "
            "England, about 1665 or in the 1670s: the sources disagree."
        ),
        rule("It is popular in America and Britain."),
        rule(
            "It is Cadillac in south Louisiana and Mississippi, cad in Pennsylvania, whammy! in "
            "central Indiana, juble in Oklahoma and Kansas, and nickle knock in Hawaii."
        ),
    ),
    section(
        "Its relatives",
        rule(
            "Commerce, cribbage, trentuno, and wit and reason have the same aim, in whole or in "
            "part. Vingt-un came later."
        ),
        rule(
            "Other games, in spite of their names: Skat, Germany's national card game; Schwimmen, "
            "also called Schnauz or Hosen runter; and the Greek game of 31 against a bank."
        ),
    ),
    section(
        "What the source leaves open",
        rule("It does not say who deals next. Here the deal passes to the left, as on pagat.com."),
        rule(
            "It does not say whether the card just taken from the discard may be put straight "
            "back. Here it may not, as on pagat.com."
        ),
        rule(
            "It names one case in which a player may take back his own discard: two are left, and "
            "one knocks. Here nobody may in any other case."
        ),
        rule("Of Stop the bus it tells the ranking and the swap; the rest is the basic game."),
    ),
)
