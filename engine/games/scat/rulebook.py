"""The page of Thirty-one (Scat) and all its variants."""

from __future__ import annotations

from typing import Any

from engine.core.text.rules_page import Rule, Section, rule, section


def scat(options: Any) -> tuple[Section, ...]:
    """Return the page of Thirty-one with *options* in force."""
    return (
        section("The aim", *_aim(options)),
        section("The deal", *_deal(options)),
        section("A turn", *_turn(options)),
        section("The knock", *_knock(options)),
        *([section("Thirty-one", *_blitz(options))] if options.blitz else []),
        section("The showdown", *_showdown(options)),
        section("Throwing in", *_thrown_in(options)),
        section("Afterwards", *_afterwards(options)),
    )


def _aim(options: Any) -> tuple[Rule | None, ...]:
    if options.ranking == "brag":
        return (
            rule(
                "Hold the best three cards: three of a kind (a prial), running flush, run, flush, "
                "pair, high card. 31 does not count here.",
                "SB-1",
            ),
            rule("Three threes beat all.", "SB-6") if options.prial_threes_top else None,
            rule("Ace, two, three is the highest run.", "SB-5")
            if options.run_a23 == "top"
            else rule("Ace, two, three is the lowest run.", "SB-5"),
            rule(
                "Of the same kind the higher cards win, the pair before the odd card; suits never "
                "count.",
                "SB-4",
            ),
        )
    return (
        rule(
            "Collect cards of one suit: only your best suit counts, up to 31; of three suits, the "
            "highest card.",
            "SC-2",
        ),
        rule("The ace counts eleven, court cards ten, the others their number.", "SC-2"),
        {
            "off": None,
            "rank": rule(
                "Three cards of one rank count 30½; all such hands are equal.",
                *("TK-1", "TK-4", "TK-5", "WL-4"),
            ),
            "value": rule(
                "Three cards of equal points count 30½; all such hands are equal.",
                *("TK-1", "TK-2", "TK-5"),
            ),
        }[options.three_kind],
        rule("They must be of three different suits.", "TK-3")
        if options.three_kind != "off" and options.decks == 2 and options.three_kind_suits
        else None,
    )


def _deal(options: Any) -> tuple[Rule | None, ...]:
    packs = {
        (52, 1): "One French pack of 52 cards.",
        (52, 2): "Two French packs of 52 cards together.",
        (32, 1): "One French pack of 32 cards: seven to ace.",
        (32, 2): "Two French packs of 32 cards together: seven to ace.",
    }[(options.deck, options.decks)]
    table = {
        "none": "The next card is turned up: it begins the discard.",
        "widow": "Each time all have a card, one goes face down to the widow, three in all; the "
        "next card begins the discard.",
        "switch": "The dealer gets two hands, looks at both and keeps one; the other lies face up "
        "beside a third, face down.",
        "bus": "Three cards lie face up on the table.",
    }[options.table]
    put_in = {
        "lives": (
            rule("Lives: {lives}.", "SC-1", "DB-1", lives=options.lives),
            rule(
                "Each player puts into the pot for the match, in tokens: {buy_in}.",
                *("SC-1", "DB-3"),
                buy_in=options.buy_in,
            ),
        ),
        "ante": (
            rule(
                "Each player puts into the pot before each hand, in tokens: {ante}.",
                "BK-1",
                ante=options.ante,
            ),
        ),
        "points": (rule("No lives and no money: points are counted from hand to hand.", "NE-6"),),
    }[options.scoring]
    return (
        rule("Players: 2 to {most}.", "SC-1", most=options.max_players),
        rule(packs, "SC-1", "ED-1", "ED-2", "ED-3", "G-5"),
        *put_in,
        rule("Three cards each, face down, one at a time, the dealer last.", "SC-3"),
        rule(
            table,
            *{"none": ("SC-3",), "widow": ("BK-2",), "switch": ("SW-1", "SW-2"), "bus": ("SB-2",)}[
                options.table
            ],
        ),
    )


def _turn(options: Any) -> tuple[Rule | None, ...]:
    begins = rule("The player on the dealer's left begins, then clockwise.", "SC-4")
    if options.table == "switch":
        return (
            begins,
            rule("Exchange one card with a hand on the table; yours lies face up there.", "SW-3"),
            rule("Or swap your whole hand for one of them; yours then lies face up.", "SW-4")
            if options.swap_face == "up"
            else rule(
                "Or swap your whole hand for one of them; yours then lies as it lay.", "SW-4"
            ),
            rule(
                "Or have one of them replaced by three new cards: face up ends your turn, face "
                "down you go on, but may not knock or stand in it.",
                *("SW-5", "SW-6"),
            ),
            rule("With fewer than three cards in the stock no hand is replaced.", "SW-10"),
            rule("Or knock.", "SW-7"),
        )
    if options.table == "bus":
        return (
            begins,
            rule("Swap one card or all three with the table, never two.", "SB-2"),
            rule("You must swap.", "SB-7")
            if options.must_swap
            else rule("You may also stand.", "SB-8"),
        )
    return (
        begins,
        rule("Take the top card of the stock or of the discard, then lay one off.", "SC-4"),
        rule(
            "Or change one, two or three cards with the widow; those you put in lie face up.",
            "BK-3",
        )
        if options.table == "widow"
        else None,
        rule("Or knock, and do nothing else.", "SC-5"),
        None
        if options.return_discard
        else rule("The card just taken from the discard may not go straight back.", "SC-16"),
        rule("Your own discard you may always take back.", "SC-15")
        if options.own_discard == "always"
        else rule(
            "Your own discard you may take back only when two are left and the other has knocked.",
            *("SC-14", "SC-15"),
        ),
        rule(
            "When the stock runs out and nobody has knocked, the hand is a draw: nobody loses.",
            "SC-17",
        ),
        rule("After a knock without a stock: take the discard, or stand.", "SC-18"),
    )


def _knock(options: Any) -> tuple[Rule | None, ...]:
    first = {
        "normal": None,
        "forbidden": rule("You may not knock before one turn of your own.", "SC-5"),
        "out_of_gate": rule(
            "If the first player knocks at once (out of the gate), all hands are shown and nobody "
            "else has a turn.",
            *("CQ-4", "CQ-6"),
        ),
    }[options.first_knock]
    when = (
        rule("You may stop the bus after your swap.", "SB-3", "SB-7")
        if options.table == "bus" and options.stop_timing == "after_swap"
        else rule("Knocking takes the place of your turn.", "SC-5", "SB-3", "SW-7")
    )
    return (
        when,
        rule("Knock when you think that somebody's hand is lower than yours.", "SC-5")
        if options.scoring == "lives"
        else None,
        rule(
            "Then everybody else, clockwise, has one more turn, or stands with the cards they "
            "have.",
            "SC-6",
        ),
        first,
        _reached_after(options) if options.blitz else None,
    )


def _reached_after(options: Any) -> Rule:
    """Return what a 31 is that somebody reaches after the knock (rules SC-12, CQ-2, CQ-3)."""
    if options.blitz_after_knock != "ends":
        return rule("A 31 reached after the knock is only the best hand.", "SC-12")
    if options.scoring != "lives":
        return rule("If somebody reaches 31 after a knock, the hand ends at once.", "CQ-3")
    return rule(
        "If somebody reaches 31 after a knock, the hand ends at once: the knocker loses two lives, "
        "every other player one.",
        *("CQ-2", "CQ-3"),
    )


def _blitz(options: Any) -> tuple[Rule | None, ...]:
    others = {
        "lives": "Who holds 31 (a blitz) before a knock shows it at once and ends the hand: every "
        "other player loses a life.",
        "ante": "Who holds 31 (a blitz) before a knock shows it at once, ends the hand and takes "
        "all; every other player pays more, in tokens: {bonus}.",
        "points": "Who holds 31 (a blitz) before a knock shows it at once, ends the hand and gets "
        "six points.",
    }[options.scoring]
    return (
        rule(
            others,
            *{"lives": ("SC-11", "SW-9"), "ante": ("BK-5",), "points": ("NE-4",)}[options.scoring],
            bonus=options.blitz_bonus,
        ),
        rule(
            "A dealt 31 may not be shown before the first player has done something other than "
            "knock.",
            "CQ-5",
        )
        if options.dealt_blitz == "after_first_turn"
        else None,
        rule(
            "A false call of 31 does not count; a 31 that nobody calls is only a good hand.",
            *("SC-23", "SC-24"),
        ),
        rule("Two dealt at once: only the earlier player's counts.", "SC-13")
        if options.double_blitz == "eldest_only"
        else rule("Two dealt at once: both are safe.", "SC-13"),
    )


def _showdown(options: Any) -> tuple[Rule | None, ...]:
    if options.scoring == "ante":
        tie = {
            "split": "On a tie it is shared.",
            "highest_card": "On a tie the highest card wins, then the next.",
            "eldest": "On a tie the earlier player wins.",
        }[options.high_tie]
        empty = {
            "return": "If nobody wins, the tokens go back.",
            "carry": "If nobody wins, the pot stays for the next hand.",
        }[options.draw_pot]
        return (
            rule("The highest hand takes all the tokens.", "BK-4", "BK-7"),
            rule(tie, "BK-6", "BK-9"),
            rule(empty, "BK-8"),
        )
    if options.scoring == "points":
        return (
            rule("The lowest gets one point, the highest three, everybody else two.", "NE-1"),
            rule(
                "The knocker gets four as the highest, one in the middle, none as the lowest.",
                "NE-2",
            ),
            rule("Ties get the higher score: two lowest hands are both in the middle.", "NE-3"),
            *_points_of_31(options),
        )
    tied = {
        "safe": "A knocker tied for lowest is safe; the others tied lose one.",
        "both": "If the knocker ties for lowest, the knocker loses two and the others tied one.",
        "knocker_only": "A knocker tied for lowest loses two, and nobody else.",
        "all_lose": "All who tie for lowest lose one, the knocker too.",
    }[options.knock_tie]
    lowest = (
        "A knocker who alone is lowest loses two lives."
        if options.knock_penalty == 2
        else "A knocker who alone is lowest loses one life."
    )
    return (
        rule("All hands are shown; the lowest loses a life.", "SC-7"),
        rule("Several lowest: each loses one life.", "SC-8"),
        rule(lowest, "SC-10", "CQ-2", "WL-3"),
        rule(tied, "SC-9", "CQ-1", "WL-2", "SB-7"),
        rule(
            "Before lives are taken, who holds more than 21 in one suit with three cards may "
            "start the hand again: those become the new face-up hand, all else is dealt again.",
            "SW-8",
        )
        if options.table == "switch" and options.restart
        else None,
    )


def _points_of_31(options: Any) -> tuple[Rule | None, ...]:
    """Return what a 31 is worth in points beside its six (rules NE-4, NE-5)."""
    if not options.blitz:
        return ()
    return (
        rule(
            "After a 31 the others are ranked below it: the lowest gets one, the rest two.", "NE-4"
        )
        if options.blitz_others == "rank"
        else rule("After a 31 the others get nothing.", "NE-4"),
        None
        if options.blitz_after_knock == "ends"
        else rule("A 31 made after a knock is the highest hand: three points.", "NE-5")
        if options.post_knock_31 == 3
        else rule("A 31 made after a knock gets six points as well.", "NE-5"),
    )


def _thrown_in(options: Any) -> tuple[Rule | None, ...]:
    """Return what throwing a hand in means (rules G-17, SC-27)."""
    return (
        rule(
            "Who says “I'm out”, or lays the hand in the middle, has thrown it in: it is lower "
            "than every other hand, whatever it was.",
            *("G-17", "SC-27"),
        ),
        {
            "lives": rule("It then costs lives like any lowest hand.", "SC-27"),
            "ante": rule("A hand thrown in cannot take the pot.", "SC-27"),
            "points": rule("A hand thrown in scores nothing.", "SC-27"),
        }[options.scoring],
        rule("When one hand is left the round ends, and that hand need not be shown.", "SC-27"),
    )


def _afterwards(options: Any) -> tuple[Rule | None, ...]:
    deals = {
        "left": "The deal passes to the left.",
        "same": "The same dealer deals again.",
    }[options.next_dealer]
    lives = options.scoring == "lives"
    ride = (
        rule(
            "Without a life you are on the county (on the bike): you have a free ride, and one "
            "more loss puts you out.",
            "SC-19",
            "SC-20",
            "DB-2",
        )
        if options.free_ride
        else rule("Who loses the last life is out.", "SC-20", "DB-4", "WL-1", "WL-6")
    )
    ends = options.blitz and options.blitz_after_knock == "ends"
    two = options.knock_penalty == 2 or options.knock_tie in ("both", "knocker_only") or ends
    return (
        ride if lives else None,
        None
        if not (lives and options.free_ride and two)
        else rule("Who has one life and loses two is out.", "SC-20")
        if options.double_loss_last == "out"
        else rule("Who has one life and loses two is on the county.", "SC-20"),
        rule("The last player left wins the pot.", "SC-21", "WL-5") if lives else None,
        rule(
            "Who is out gets no cards and does not deal; who leaves the match leaves the stake in "
            "the pot.",
            *("G-21", "SC-26"),
        )
        if lives
        else None,
        {
            "void": rule("A hand that would put out everybody left costs nobody a life.", "SC-25"),
            "split": rule(
                "A hand that puts out everybody left shares the pot among them.", "SC-25"
            ),
        }[options.all_out]
        if lives
        else None,
        rule(
            "Two may bet with each other on who wins the match, or who stays in longer; the loser "
            "pays as soon as it is decided.",
            "WL-7",
        )
        if lives
        else None,
        rule(deals, "SC-22"),
    )
