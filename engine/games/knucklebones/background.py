"""Where One-and-Twenty comes from, and what its source leaves open (S4). The sentences are ours."""

from __future__ import annotations

from typing import Any

from engine.core.text.rules_page import Section, rule, section


def knucklebones(options: Any) -> tuple[Section, ...]:
    """Return where One-and-Twenty comes from."""
    return (
        section(
            "Where it comes from",
            rule(
                "Players at the Twelfth Night of the West Kingdom tried out these rules, and one "
                "of them posted them in 2001 to the list hist-games. There is no proof that the "
                "game was played in the past: the author found 21 or 31 the likeliest game for "
                "bones."
            ),
            rule(
                "They threw a set of bones from Rose & Pentagram as dice are thrown. Otherwise the "
                "author teaches games of skill with them, not unlike jacks."
            ),
        ),
        section(
            "Its relatives",
            rule("It is to One-and-Thirty as bones are to cards; the banker is that of blackjack."),
        ),
        section(
            "What the source leaves open",
            rule(
                "They might have played to 31, or with more bones, but liked that the first throw "
                "may go over: about 1 in 10 do, they reckoned, as 1 and 6 are rarer than 3 and 4."
            ),
            rule(
                "They tried to add bone after bone, and chose one decision: it is more exciting, "
                "asks for more thought, and is quicker."
            ),
            rule(
                "Who wins a tie, how the bank passes, and whether the banker is bound to stand on "
                "17 were open to them. Each can be agreed otherwise here."
            ),
            rule(
                "The sentence on when the banker rolls breaks off. Here the banker need not roll "
                "when everybody else is over."
            ),
            rule(
                "When the banker has “lost” is not said. Here it is when the bank paid anybody; it "
                "can be agreed otherwise."
            ),
        ),
    )
