"""The page of One-and-Twenty with knucklebones."""

from __future__ import annotations

from typing import Any

from engine.core.text.rules_page import Rule, Section, rule, section
from engine.games.knucklebones.prompts import SET


def knucklebones(options: Any) -> tuple[Section, ...]:
    """Return the page of One-and-Twenty with *options* in force."""
    one = options.extra_mode == "one_at_a_time"
    many = max(options.bones_first, 0 if one else options.max_extra)
    return (
        section(
            "The aim",
            rule(
                "Throw nearer to {target} than the banker, and not over it.",
                *("KB-1", "KB-7"),
                target=options.target,
            ),
            rule("The faces count: flat 1, concave 3, convex 4, twisted 6.", "KB-1"),
        ),
        section(
            "The bank",
            rule(
                "Players: 2 to {most}; one of them is the bank.",
                "KB-2",
                "KB-3",
                most=options.max_players,
            ),
            rule("The others lay a stake of their choice before the first throw.", "KB-2"),
        ),
        section(
            "A turn",
            rule("The player on the banker's left begins; the banker is last.", "KB-3", "KB-9"),
            rule("Throw {bones} bones and count them.", "KB-4", bones=options.bones_first),
            rule(
                "Then ask for one more bone at a time, up to {most}, or stick.",
                "KB-17",
                most=options.max_extra,
            )
            if one
            else rule(
                "Then say once how many more you throw, 0 to {most}; they are thrown together and "
                "added.",
                *("KB-5", "KB-6"),
                most=options.max_extra,
            ),
            rule(
                "Over {target} with any throw, your stake goes to the bank at once.",
                *("KB-4", "KB-6"),
                target=options.target,
            ),
            rule("Where more than {set} are due, throw the same {set} again.", "KB-6", set=SET)
            if many > SET
            else None,
            rule(
                "The banker stands at once on 17 or more, and throws at least one more on less.",
                "KB-18",
            )
            if options.banker_rule == "stand17"
            else rule("The banker, too, throws more or stops at will.", "KB-18"),
            rule(
                "A bone that leans, stands on end or falls off the table is thrown again.", "KB-15"
            ),
            rule(
                "Who says “I'm out” at any time loses the stake; a banker who says so in their own "
                "turn has gone over.",
                "KB-23",
            ),
        ),
        section(
            "Who wins",
            rule(
                "If the banker goes over, the bank pays each player still in as much as they "
                "staked.",
                "KB-9",
            ),
            rule(
                "Otherwise it pays those who have more than the bank as much as they staked, and "
                "takes the stakes of those who have less.",
                "KB-10",
            ),
            rule("A tie moves nothing.", "KB-16")
            if options.tie == "push"
            else rule("Ties go to the bank.", "KB-8"),
            rule("If everybody is out, the banker must still throw.", "KB-13")
            if options.banker_must_roll
            else rule("If everybody is out, the banker need not throw.", "KB-13"),
        ),
        section(
            "Afterwards",
            *_bank_passes(options),
            rule(
                "If the banker leaves in mid-round, the stakes go back and the bank goes to the "
                "left.",
                "KB-21",
            ),
        ),
    )


def _bank_passes(options: Any) -> tuple[Rule | None, ...]:
    """Return where the bank goes after a round (rules KB-11, KB-12, KB-19, KB-22, G-16)."""
    if options.bank_passes == "left":
        return (rule("After every round the bank goes to the next player on the left.", "KB-22"),)
    if options.bank_passes == "never":
        return (
            rule("The bank stays with the banker as long as they play.", "KB-22"),
            rule("If the banker leaves, the next player on the left becomes banker.", "G-16"),
        )
    if options.bank_passes == "banker_over":
        lost = rule(
            "If the banker has gone over, the winner with the best total becomes banker; on a tie "
            "the one who threw first.",
            *("KB-22", "KB-11"),
        )
    elif options.banker_loses == "net":
        lost = rule(
            "If the bank paid more than it took, the winner with the best total becomes banker; on "
            "a tie the one who threw first.",
            *("KB-11", "KB-19"),
        )
    else:
        lost = rule(
            "If the bank paid anybody, the winner with the best total becomes banker; on a tie "
            "the one who threw first.",
            *("KB-11", "KB-19"),
        )
    return (
        lost,
        rule("Otherwise the bank stays.", "KB-12"),
        rule(
            "If the next banker leaves, the best winner still there becomes banker, else the next "
            "player on the left.",
            "G-16",
        ),
    )
