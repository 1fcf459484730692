"""The pages of One-and-Thirty and Bone-Ace."""

from __future__ import annotations

from engine.core.text.rules_page import Rule, Section, rule, section
from engine.games.counting_game import CountingOptions
from engine.games.one_and_thirty.options import BoneAceOptions, OneAndThirtyOptions


def one_and_thirty(options: OneAndThirtyOptions) -> tuple[Section, ...]:
    """Return the page of One-and-Thirty with *options* in force."""
    aim = "Come as near to 31 as you can without going over; each loser pays the winner."
    if has_pot(options):
        aim = "Come as near to 31 as you can without going over; the winner takes the stakes."
    return (
        section("The aim", rule(aim, "OT-12"), aces(options)),
        _deal(options),
        _turn(options),
        section("Who wins", *_paid(options), *_late(options), *_ties(options)),
        _afterwards(options),
    )


def bone_ace(options: BoneAceOptions) -> tuple[Section, ...]:
    """Return the page of Bone-Ace with *options* in force."""
    aim, deal, *rest = one_and_thirty(options)
    third = rule("Only the third card of each player is dealt face up.", "BA-1")
    return (
        aim,
        Section(deal.heading, (*deal.rules[:-1], third, deal.rules[-1])),
        _bone(options),
        *rest,
    )


def has_pot(options: OneAndThirtyOptions) -> bool:
    """Return whether all stakes lie in the middle from the start (rule BA-6)."""
    return isinstance(options, BoneAceOptions) and options.bone_effect == "half_pot"


def aces(options: OneAndThirtyOptions | CountingOptions) -> Rule:
    """Return what the cards count, in any counting game (rules OT-4, OT-25)."""
    text = {
        1: "Cards count their number, court cards ten, the ace one. Suits do not matter.",
        11: "Cards count their number, court cards ten, the ace eleven. Suits do not matter.",
        "1or11": "Cards count their number, court cards ten, the ace one or eleven as it suits. "
        "Suits do not matter.",
    }[options.ace_value]
    return rule(text, "OT-4", *(("OT-25",) if options.ace_value == "1or11" else ()))


def players(options: OneAndThirtyOptions | CountingOptions) -> tuple[Rule, Rule]:
    """Return how many play, and with how many packs (rules OT-1, OT-24)."""
    packs = {
        1: "One French pack of 52 cards.",
        2: "Two French packs of 52 cards together; a card may be there twice.",
    }[options.decks]
    return (
        rule("Players: 2 to {most}.", "OT-1", "OT-21", most=options.max_players),
        rule(packs, "OT-24", "G-5"),
    )


def next_deal(options: OneAndThirtyOptions | CountingOptions) -> Rule:
    """Return who deals the next hand (rule G-4)."""
    deals = {
        "left": "The deal passes to the left.",
        "winner": "The winner deals next.",
        "same": "The same dealer deals again.",
        "recut": "The cards are cut for each deal.",
    }[options.next_dealer]
    return rule(deals, "G-4")


def _deal(options: OneAndThirtyOptions) -> Section:
    cut = rule(
        "Everybody cuts a card; the lowest deals, the ace is lowest. Who ties cuts again.",
        "G-2",
    )
    if options.cut_bone_ace_high:
        cut = rule(
            "Everybody cuts a card; the lowest deals. Aces are lowest, but the Bone-Ace is "
            "above the king. Who ties cuts again.",
            *("G-2", "G-3", "BA-14"),
        )
    how = {
        "any": "Three cards each, face down from the top of the pack; the dealer's left first, "
        "the dealer last.",
        "rounds": "Three cards each, face down from the top of the pack, one at a time round the "
        "table; the dealer last.",
        "packet": "Three cards together to each, face down from the top of the pack; the dealer "
        "last.",
    }[options.deal_style]
    stake = rule("One stake, agreed before play, in tokens: {stake}.", "OT-2", stake=options.stake)
    before = rule("The pack is shuffled; to cut a card is to draw one from it.", "G-2")
    shuffle = rule("Then the dealer shuffles again.", "G-2")
    return section(
        "The deal", before, cut, shuffle, *players(options), rule(how, "OT-3", "BA-9"), stake
    )


def _bone(options: BoneAceOptions) -> Section:
    name = {
        "AH": "The best third card has the Bone; the ace of hearts, the Bone-Ace, beats all.",
        "AD": "The best third card has the Bone; the ace of diamonds, the Bone-Ace, beats all.",
    }[options.bone_ace]
    order = {
        "high": "After it the other aces, then king, queen, jack, ten and so on.",
        "low": "After it king, queen, jack, ten and so on; the other aces are lowest.",
    }[options.upcard_ace]
    tie = {
        "age": rule("On a tie the oldest person has it.", "BA-4", "OT-15"),
        "seat": rule("On a tie the earlier player has it: the first on the dealer's left.", "BA-4"),
    }[options.eldest_means]
    worth = {
        "stake_each": rule("Every other player pays its holder one stake at once.", "BA-3"),
        "half_pot": rule("Its holder takes half of all the stakes at once.", "BA-6"),
        "first_turn": rule("It is worth the first turn; nothing is paid for it.", "BA-8"),
    }[options.bone_effect]
    cap = rule("Bone and game together cost nobody more than two stakes.", "BA-10")
    capped = options.cap_double == "whole_hand" and options.bone_effect == "stake_each"
    keep = rule("Who has the Bone keeps what it won, whatever happens then.", "BA-11")
    return section(
        "The Bone",
        rule(name, "BA-2", "BA-5"),
        rule("Only the third card counts for it.", "BA-12"),
        rule(order, "BA-2", "BA-7"),
        tie,
        worth,
        cap if capped else None,
        keep if options.bone_effect != "first_turn" else None,
        rule("If the third card makes 31, the Bone is paid first, then the win.", "BA-15")
        if options.ace_value != 1 and options.bone_effect != "first_turn"
        else None,
    )


def _turn(options: OneAndThirtyOptions) -> Section:
    order = {
        "age": rule(
            "The oldest of those who do not deal begins, then clockwise; the dealer is last.",
            "OT-15",
        ),
        "seat": rule("The player on the dealer's left begins; the dealer is last.", "OT-5", "G-1"),
    }[options.eldest_means]
    if isinstance(options, BoneAceOptions) and options.bone_effect == "first_turn":
        order = rule(
            "Whoever has the Bone begins, then clockwise; the dealer is last, but with the Bone "
            "the dealer begins.",
            "BA-8",
        )
    have = {
        "bottom": "Have it: you get one more card, from the bottom of the pack.",
        "any": "Have it: you get one more card.",
    }[options.draw_from]
    return section(
        "A turn",
        order,
        rule("Stick: you stay as you are, and the next player is asked.", "OT-6"),
        rule(have, "OT-7"),
        rule("You are asked again until you stick, have 31 or are over.", "OT-6"),
        rule("Over 31 you are out at once.", "OT-8"),
        rule("Hidden cards stay hidden: say when you are out, show when you have 31.", "OT-17"),
        rule("You may throw your hand in at any time: it is dead, and you lose.", "G-17", "OT-17"),
        rule("After the last turn all who are still in show their cards.", "OT-18"),
    )


def _paid(options: OneAndThirtyOptions) -> tuple[Rule, ...]:
    if has_pot(options):
        return (
            rule(
                "Exactly 31 wins at once: the hand is over, and it takes the rest of the stakes.",
                *("OT-9", "BA-6"),
            ),
            rule("Otherwise the highest total not over 31 takes it.", "OT-12", "BA-6"),
            rule("If everybody is over, all share it.", "BA-6"),
        )
    best = rule("Otherwise the highest total not over 31 takes one stake from each.", "OT-12")
    if not options.double_on_31:
        once = "Exactly 31 wins at once: the hand is over, and all the others pay one stake."
        return rule(once, "OT-9"), best
    twice = "Exactly 31 wins at once: the hand is over, and all the others pay two stakes."
    return rule(twice, "OT-9", "OT-10"), best


def _late(options: OneAndThirtyOptions) -> tuple[Rule | None, ...]:
    """Return what is made of hands that are seen only when they are shown (OT-17 to OT-19)."""
    exact = {
        "in_order": "A 31 that nobody called ended the hand when its last card was dealt.",
        "single": "A 31 shown only at the end is the best hand, and is paid once.",
        "double": "A 31 shown only at the end is the best hand, and is paid twice as well.",
    }[options.late_31]
    if options.late_31 != "in_order" and (has_pot(options) or not options.double_on_31):
        exact = "A 31 shown only at the end is the best hand."
    over = {
        "in_order": "A hand that is over 31 when it is shown went out with the card that took it "
        "over.",
        "at_showdown": "A hand that is over 31 when it is shown goes out only then.",
    }[options.late_out]
    hidden = {
        "in_order": "A hand thrown in unseen after taking cards counts as over with its last card.",
        "at_showdown": "",
    }[options.late_out]
    return (
        rule(exact, "OT-19"),
        rule(over, "OT-18"),
        rule(hidden, "OT-17") if hidden else None,
    )


def _ties(options: OneAndThirtyOptions) -> tuple[Rule | None, ...]:
    dealt = rule("A dealt 31 wins at once, before anybody plays.", "OT-16")
    tie = {
        "age": rule("On a tie the older person wins.", "OT-15"),
        "seat": rule(
            "On a tie the earlier player wins: the first on the dealer's left. The dealer loses "
            "every tie.",
            "OT-13",
        ),
    }[options.eldest_means]
    if options.tie_rule == "split":
        tie = rule("On a tie the win is shared.", "OT-14")
    dealer = {
        True: "If all the others are out, the dealer wins without drawing.",
        False: "If all the others are out, the dealer must still play.",
    }[options.dealer_wins_if_all_out]
    alone = rule("The only player who is not out wins at once.", "OT-22")
    return dealt if options.ace_value != 1 else None, tie, rule(dealer, "OT-11"), alone


def _afterwards(options: OneAndThirtyOptions) -> Section:
    wrong = "Anything wrong with the deal: call a misdeal, and everything goes back."
    leaves = "Players come and go between hands; who leaves in play pays as a loser."
    return section(
        "Afterwards",
        next_deal(options),
        rule(wrong, "G-13", "BA-13"),
        rule(leaves, "G-15", "G-17"),
        rule("Play as many hands as you like.", "G-16"),
    )
