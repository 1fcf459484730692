"""What is told after a hand: earlier hands put right, entries, the bank; and nothing twice."""

import re
from dataclasses import replace

import pytest

from device.narration.story import tell
from device.runtime.hints import hint_for
from display.i18n.translate import Translator
from engine import TABLE, Card, Deal, Misdeal, NextHand, Phase, Player, apply, bots, new_table, view
from engine.core.events import (
    Choose,
    Claim,
    Correct,
    CorrectBone,
    Declare,
    Entry,
    Facing,
    Have,
    Leave,
    Roll,
    Stake,
)
from engine.games import catalog
from engine.games.knucklebones.story import KnucklebonesStory
from tests.support.game_driver import Driver

EN = Translator.of("en")
STORY = KnucklebonesStory()
PEOPLE = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]


def told(state, *events):
    """The state after *events*, and what is told of the last."""
    for event in events:
        before, state = state, apply(state, event)
    return state, tell(event, view(before, TABLE), view(state, TABLE), EN)


def hand_of_31(state):
    """The player on the dealer's left asks for a card and has 31."""
    seat = (state.dealer + 1) % 3
    order = [seat, (seat + 1) % 3, (seat + 2) % 3]
    cards = tuple(map(Card.parse, ("KS", "KH", "TC", "AD")))
    for event in (*(Deal(each, None) for each in order * 3), Have(seat), Deal(seat, None)):
        state = apply(state, event)
    return apply(state, Declare(seat, Claim.THIRTY_ONE, cards))


def two_hands():
    """Bess wins the first hand; of the second the first card is dealt."""
    state = apply(hand_of_31(new_table("one-and-thirty", PEOPLE, dealer=0)), NextHand())
    return apply(state, Deal(2, None))


def test_an_earlier_hand_that_was_void():
    _, lines = told(two_hands(), Misdeal("", 1))
    assert lines == [
        "Hand 1 was a misdeal: it is void.",
        "In the ledger: Ann +2, Bess -4, Cecil +2.",
    ]


def test_a_card_of_an_earlier_hand():
    _, lines = told(two_hands(), Correct(Card.parse("KS"), Card.parse("QS"), 1, 1))
    assert lines == ["Hand 1 is put right: the king of spades is the queen of spades."]


def test_the_hand_in_play_is_told_as_before_when_its_number_is_given():
    state = hand_of_31(new_table("one-and-thirty", PEOPLE, dealer=0))
    _, lines = told(state, Misdeal("", 1))
    assert lines[0] == "A misdeal: the hand is void and everything goes back."


def test_an_entry_and_its_reason():
    state = hand_of_31(new_table("one-and-thirty", PEOPLE, dealer=0))
    _, lines = told(state, Entry(((0, 2), (1, -2)), "Bess paid Ann by mistake"))
    assert lines == ["An entry: Bess paid Ann by mistake.", "In the ledger: Ann +2, Bess -2."]


def round_of_bones():
    """Bess and Cecil beat Ann, who has the bank; Bess by more."""
    state = new_table("knucklebones", PEOPLE, dealer=0)
    for seat, faces in ((1, (6, 6, 4, 4, 1)), (2, (6, 6, 4, 3, 1)), (0, (4, 4, 3, 3, 1))):
        state = apply(apply(state, Roll(seat, faces)), Choose(seat, 0))
    return state


def test_the_bank_passes_to_the_best_winner_still_there():
    """Rules G-16, KB-11."""
    state, lines = told(round_of_bones(), Leave(1))
    assert lines == ["Bess leaves the table.", "The bank passes to Cecil."]
    assert told(round_of_bones(), Leave(2))[1] == ["Cecil leaves the table."]
    _, lines = told(state, NextHand())
    assert lines[-1] == "Round 2. Cecil has the bank."


def test_a_banker_who_leaves_in_mid_round_passes_the_bank_on():
    state = apply(new_table("knucklebones", PEOPLE, dealer=0), Roll(1, (6, 6, 4, 4, 1)))
    _, lines = told(state, Leave(0))
    assert lines[0] == "Ann leaves the table."
    assert lines[-1] == "The bank passes to Bess."


def test_a_bone_put_right_tells_the_result_again():
    _, lines = told(round_of_bones(), CorrectBone(1, 0, 0, 1))
    assert lines[0] == "A misreading put right: a bone of Bess's lay flat."
    assert "The bank passes to Cecil." in lines, "Bess had 21 and has 16"


def test_a_drawn_card_that_lies_open_is_told_with_the_total():
    state = new_table("one-and-thirty", PEOPLE, dealer=0)
    for code in ("9S", "2H", "3H", "8S", "4H", "5H", "7S", "6H", "7H"):
        state = apply(
            state, Deal(state.live_play.eldest[len(state.log) % 3], Card.parse(code), Facing.UP)
        )
    _, lines = told(state, Have(1), Deal(1, Card.parse("4S"), Facing.UP))
    assert lines == ["Bess gets the four of spades: 28."]


def words_of(state):
    """The texts of the prompts for players and for beginners, and of the hint."""
    seen, game = view(state, TABLE), catalog.find("scat")
    prompts = [game.prompt(seen, guided=guided) for guided in (False, True)]
    words = [str(part) for each in prompts for part in (each.title, each.detail)]
    words += [str(key.message) for each in prompts for key in each.keys]
    return [*words, str(hint_for(seen, state.setup.options))]


def stories(preset, seed, hands):
    """What is told of each event of some hands of Thirty-one, and the state after it."""
    people = [bots.player(style, "scat") for style in ("cautious", "bold", "exact")]
    driver = Driver("scat", preset, people, seed=seed)
    for _ in range(hands):
        while driver.state.phase is not Phase.DONE:
            before = view(driver.state, TABLE)
            driver.go_on()
            lines = tell(driver.state.events[-1], before, view(driver.state, TABLE), EN)
            yield lines, driver.state
        if driver.state.round.standing.over:
            return
        driver.do(NextHand())


@pytest.mark.parametrize("preset", [each.name for each in catalog.find("scat").presets])
def test_nothing_is_told_twice(preset):
    for seed in range(2):
        for lines, _ in stories(preset, seed, hands=3):
            assert len(set(lines)) == len(lines), lines
            said = [name for line in lines for name in re.findall(r"(P\d)\b.*: thirty-one!", line)]
            assert len(set(said)) == len(said), lines


@pytest.mark.parametrize("preset", ["stop-the-bus", "stop-the-bus-plain"])
def test_stop_the_bus_never_speaks_of_drawing(preset):
    """There is no stock to draw from and no discard: cards are swapped with the table (SB-2)."""
    for seed in range(3):
        for lines, state in stories(preset, seed, hands=4):
            for text in (*lines, *words_of(state)):
                assert not re.search(r"draw|drew|stock|discard", text, re.IGNORECASE), text


def test_when_everybody_is_over_the_bank_takes_all():
    """Rule KB-13."""
    state = new_table("knucklebones", PEOPLE, dealer=0)
    state, _ = told(state, Roll(1, (6, 6, 6, 6, 6)))
    state, lines = told(state, Roll(2, (6, 6, 6, 6, 6)))
    assert "Everybody is out: the bank takes all the stakes." in lines
    prompt = catalog.find("knucklebones").prompt(view(state, TABLE))
    assert str(prompt.title) == "Nobody beats the bank"


def test_who_is_over_is_told_at_once_to_pay_the_bank_and_not_again():
    """Rules KB-4 and KB-23."""
    state = new_table("knucklebones", [*PEOPLE, Player(3, "Doll")], dealer=0)
    state = apply(state, Stake(1, 3))
    state, lines = told(state, Roll(1, (6, 6, 6, 6, 6)))
    assert lines == [
        "Bess throws 6, 6, 6, 6, 6: 30, and is over.",
        "Bess pays three tokens to Ann.",
    ]
    state, lines = told(state, Declare(2, Claim.OUT))
    assert lines == ["Cecil: “I'm out.”", "Cecil pays one token to Ann."]
    state, _ = told(state, Roll(3, (6, 6, 3, 3, 1)), Choose(3, 0), Roll(0, (6, 6, 4, 3, 1)))
    _, lines = told(state, Choose(0, 0))
    assert [line for line in lines if "token" in line] == ["Doll pays one token to Ann."]
    assert lines[-1] == "The hand: Ann +5, Bess -3, Cecil -1, Doll -1."


def without_stakes(seen, **tokens):
    """As a game with a bank shows itself in which nobody lays a stake, such as Pontoon."""
    seats = tuple(
        replace(seat, stake_laid=0, tokens=tokens.get(seat.name, 0)) for seat in seen.seats
    )
    return replace(seen, seats=seats)


def test_a_bank_without_stakes_is_paid_what_moves():
    start = new_table("knucklebones", PEOPLE, dealer=0)
    over = Roll(1, (6, 6, 6, 6, 6))
    before, after = without_stakes(view(start, TABLE)), view(apply(start, over), TABLE)

    def tokens_told(was, now, event=over):
        lines = [EN.render(line) for line in STORY.tell(event, was, now)]
        return [line for line in lines if "token" in line]

    assert tokens_told(before, without_stakes(after)) == [], "it pays at the end"
    at_once = without_stakes(after, Ann=2, Bess=-2)
    assert tokens_told(before, at_once) == ["Bess pays two tokens to Ann."]
    last = Roll(2, (6, 6, 6, 6, 6))
    end = view(apply(apply(start, over), last), TABLE)
    assert end.result.payments == ((1, 0, 1), (2, 0, 1))
    paid = without_stakes(end, Ann=2, Bess=-1, Cecil=-1)
    assert tokens_told(without_stakes(after, Ann=1, Bess=-1), paid, last) == [
        "Cecil pays one token to Ann."
    ]
    assert tokens_told(without_stakes(after), paid, last) == [
        "Bess and Cecil pay one token each to Ann."
    ]


def test_who_is_over_last_is_told_to_pay_with_the_result():
    state = new_table("knucklebones", PEOPLE, dealer=0)
    state, lines = told(state, Roll(1, (6, 6, 6, 6, 6)))
    assert "Bess pays one token to Ann." in lines
    _, lines = told(state, Roll(2, (6, 6, 6, 6, 6)))
    assert [line for line in lines if "token" in line] == ["Cecil pays one token to Ann."]
