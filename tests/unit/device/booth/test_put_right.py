"""After the hand, from the screen: a hand put right or made void, an entry (G-12, G-13, G-22)."""

import pytest

from device.booth.scenes.correct import ChangeScene, HandScene
from device.booth.scenes.ledger import LedgerScene
from device.booth.summary import POT, change, change_page, payments, won_by_name
from device.cli import main
from device.storage.journal.journal import Journal
from engine import (
    Card,
    Deal,
    Facing,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Player,
    apply,
    deck,
    new_table,
)
from engine.core.cards import Rank
from engine.core.events import Claim, Correct, Declare, Entry, Have, Reveal, Stick
from engine.core.settle_up import Payment
from tests.support.booth_rig import Company, Rig
from tests.support.words import in_words as worded

FIRST = ("KS", "KH", "TC", "AD")  # Bess's 31


def card(code):
    return Card.parse(code)


def played(state, *events):
    for event in events:
        state = apply(state, event)
    return state


def deals(*seats):
    return [Deal(seat, None, Facing.DOWN) for seat in seats * 3]


def two_hands():
    """Bess wins the first hand with 31, Cecil the second with 30."""
    people = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]
    state = new_table("one-and-thirty", people, dealer=0)
    thirty_one = Declare(1, Claim.THIRTY_ONE, tuple(map(card, FIRST)))
    state = played(state, *deals(1, 2, 0), Have(1), Deal(1, None), thirty_one, NextHand())
    shown = {2: "QS QH TD", 0: "2S 3S 4S", 1: "5S 6S 7S"}
    shows = [Reveal(seat, tuple(map(card, hand.split()))) for seat, hand in shown.items()]
    return played(state, *deals(2, 0, 1), Stick(2), Stick(0), Stick(1), *shows)


def words(page):
    """The rows of a page: number, words, what each pays or gets."""
    return [(row.number, row.end, row.nets) for row in worded(page, "en").rows]


def test_a_hand_put_right_shows_both_payments_and_who_owes_whom():
    state = two_hands()
    found = change(state, Misdeal("", 1))
    assert dict(found.before.settlement) == {0: -2, 1: 4, 2: -2}
    assert dict(found.after.settlement) == {0: 0, 1: 0, 2: 0}
    assert found.due == (Payment("Bess", "Ann", 2), Payment("Bess", "Cecil", 2))
    page = change_page(found, state, ())
    assert words(page) == [
        (1, "before", (-2, 4, -2)),
        (1, "now", (0, 0, 0)),
        (None, "to pay", (2, -2, None)),
        (None, "to pay", (None, -2, 2)),
    ]
    assert worded(page, "en").note == "Bess pays two tokens to Ann. Bess pays two tokens to Cecil."
    assert state.hands[0].settlement, "nothing has happened yet"


def test_a_card_of_the_last_hand_moves_only_what_hangs_on_it():
    state = two_hands()
    found = change(state, Correct(card("TD"), card("4D"), 2))
    assert found.number == 2
    assert dict(found.before.settlement) == {0: -1, 1: -1, 2: 2}
    assert dict(found.after.settlement) == {0: -1, 1: -1, 2: 2}, "24 is still the best"
    assert found.due == ()


def test_whoever_sits_down_where_another_sat_owes_nothing_for_them():
    state = played(two_hands(), Leave(0), Join(0, "Doll"))
    assert dict(won_by_name(state)) == {"Ann": -3, "Bess": 3, "Cecil": 0, POT: 0}
    assert payments(state) == (Payment("Ann", "Bess", 3),)


def test_an_entry_counts_among_what_is_settled():
    state = played(two_hands(), Entry(((0, 3), (1, -3)), "Bess paid Ann"))
    assert payments(state) == ()


# On the screen


@pytest.fixture
def rig(tmp_path):
    made = Rig(tmp_path)
    yield made
    made.booth.shut()
    made.journal.close()


def until_hand(rig, number, people):
    """Play on until the end of hand *number*."""
    return rig.play(people, lambda seen: seen.hand_number == number and seen.result is not None)


def rows(rig):
    return [item.text for item in rig.glass.page.items]


def choose(rig, text):
    return rig.press("have", choice=rows(rig).index(text))


def test_a_hand_is_corrected_after_next_with_the_five_buttons(rig):
    people = Company(2, seed=3)
    until_hand(rig.start(), 2, people)
    before = rig.booth.session.state
    wrong = next(net for net in before.hands[0].settlement if net[1] < 0)[0]
    rig.press("menu")
    for _ in range(rows(rig).index("Put a hand right")):
        rig.press("stick")
    rig.press("have")
    assert isinstance(rig.scene, LedgerScene)
    assert rig.glass.page.title == "Which hand was wrong?"
    assert [row.number for row in rig.glass.page.rows] == [2, 1]
    rig.press("stick").press("have")
    assert isinstance(rig.scene, HandScene)
    assert rig.glass.page.title == "Hand 1: what was wrong?"
    rig.press("have")
    hands = {each.seat: each.cards for each in before.book.played[0].hand.play.hands}
    read = [one for seat in sorted(hands) for one in hands[seat] if one is not None]
    assert [pick.what for pick in rig.glass.page.items] == read
    was = next(one for one in hands[wrong] if one is not None)
    really = next(
        one
        for one in sorted(deck())
        if one not in read and one.suit == was.suit and one.rank is not was.rank
    )
    rig.press("have", choice=read.index(was))
    rig.press("have", choice=list(Rank).index(really.rank)).press("have")
    assert isinstance(rig.scene, ChangeScene)
    assert rig.glass.page.title == "Hand 1"
    assert rig.glass.page.rows[0].nets == tuple(net for _, net in before.hands[0].settlement)
    rig.press("have")
    assert rig.scene is None
    state = rig.booth.session.state
    event = state.events[-1]
    assert event == Correct(was, really, wrong, 1)
    assert state.round == before.round, "the hand in play is as it was"
    assert really in state.book.played[0].hand.play.hand(wrong).cards
    rig.press("menu")
    choose(rig, "Take the last thing back")
    assert rig.booth.session.state.hands == before.hands


@pytest.mark.parametrize("hand", [1, 2])
def test_a_misdeal_after_the_payment_shows_what_goes_back(rig, hand):
    until_hand(rig.start(), 2, Company(2, seed=3))
    before = rig.booth.session.state
    rig.press("menu")
    choose(rig, "Put a hand right")
    rig.press("have", choice=2 - hand)
    choose(rig, "It was a misdeal: make it void")
    assert rig.glass.page.rows[0].nets == tuple(net for _, net in before.hands[hand - 1].settlement)
    rig.press("undo").press("undo").press("menu")
    assert rig.booth.session.state.events == before.events, "UNDO leaves all as it was"
    rig.press("menu")
    choose(rig, "Put a hand right")
    rig.press("have", choice=2 - hand)
    choose(rig, "It was a misdeal: make it void")
    rig.press("push")
    now = rig.booth.session.state
    assert now.hands[hand - 1].end == "misdeal"
    assert now.hands[2 - hand] == before.hands[2 - hand]
    rig.press("menu")
    choose(rig, "The ledger")
    rig.press("have", choice=2 - hand)
    assert rig.glass.page.note == "That hand is void already."


def test_a_misdeal_is_called_from_the_menu_after_the_payment(rig):
    until_hand(rig.start(), 1, Company(2, seed=3))
    rig.press("menu")
    choose(rig, "Call a misdeal")
    assert isinstance(rig.scene, ChangeScene)
    rig.press("have")
    assert rig.glass.view.result.end == "misdeal"
    rig.press("menu")
    assert "Call a misdeal" not in rows(rig)


def test_an_entry_is_written_step_by_step(rig):
    until_hand(rig.start(), 1, Company(2, seed=3))
    before = dict(rig.booth.session.state.ledger.entries)
    rig.press("menu")
    choose(rig, "Write an entry")
    assert rows(rig) == ["Player 1", "Player 2"]
    choose(rig, "Player 2")
    assert rows(rig) == ["Player 1"]
    choose(rig, "Player 1")
    rig.press("have", choice=0).press("have", choice=1).press("next")  # 1, 2
    assert rig.glass.page.title == "What for?"
    choose(rig, "Another reason")
    for letter in "TEA":
        rig.press("have", choice="ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter))
    rig.press("next")
    assert isinstance(rig.scene, ChangeScene)
    assert rig.glass.page.note == "Player 2 pays 12 tokens to Player 1."
    rig.press("have")
    (noted,) = rig.booth.session.state.book.entries
    assert noted.entry == Entry(((0, 12), (1, -12)), "Tea")
    after = dict(rig.booth.session.state.ledger.entries)
    assert {seat: after[seat] - before[seat] for seat in after} == {0: 12, 1: -12}
    rig.press("menu")
    choose(rig, "The ledger")
    rig.press("have", choice=0)
    assert rig.glass.page.note == "An entry stays; another one makes it good."
    assert rig.glass.page.rows[0].end == "Tea"


def test_no_entry_is_offered_in_the_middle_of_a_hand(rig):
    rig.start().play(Company(2), lambda seen: seen.turn is not None)
    rig.press("menu")
    assert not {"Write an entry", "Put a hand right"} & set(rows(rig))


def test_what_the_rules_refuse_is_said_and_nothing_happens(rig):
    until_hand(rig.start(), 1, Company(2, seed=3))
    state = rig.booth.session.state
    mine, other = (hand.cards[0] for hand in state.round.play.hands)
    rig.booth.stage.open(ChangeScene(rig.booth.context, Correct(mine, other)))
    rig.step()
    assert rig.glass.page.warning
    assert rig.glass.page.empty == "Make the hand void instead, or write an entry."
    rig.press("have")
    assert rig.scene is None
    assert rig.booth.session.state.events == state.events


def test_an_earlier_hand_is_put_right_while_the_next_is_played(rig):
    people = Company(2, seed=3)
    rig.start().play(people, lambda seen: seen.hand_number == 2 and seen.turn is not None)
    before = rig.booth.session.state
    rig.press("menu")
    choose(rig, "Put a hand right")
    rig.press("have")
    choose(rig, "It was a misdeal: make it void")
    rig.press("have")
    now = rig.booth.session.state
    assert now.hands[0].end == "misdeal"
    assert now.round.raw == before.round.raw
    assert rig.glass.prompt.refused == (
        "Hand 1 was a misdeal: it is void. In the ledger: Player 1 -3, Player 2 +3."
    ), "the table is told for a moment"
    until_hand(rig, 2, people)
    assert rig.booth.session.state.hands[0].end == "misdeal"


def test_what_was_put_right_outlives_a_power_cut_in_mid_hand(rig, caplog):
    """The looks of the hand in play still explain it: what people entered is among them."""
    people = Company(2, seed=3)
    rig.start().play(people, lambda seen: seen.hand_number == 2 and seen.turn is not None)
    rig.press("menu")
    choose(rig, "Put a hand right")
    rig.press("have")
    choose(rig, "It was a misdeal: make it void")
    rig.press("have")
    before = rig.booth.session.state
    rig.booth = rig.make()
    assert rig.booth.session.state.book == before.book
    assert rig.booth.session.state.log == before.log
    until_hand(rig, 2, people)
    assert not [each for each in caplog.records if "what was seen" in each.message]
    assert rig.booth.session.state.hands[0].end == "misdeal"


def test_a_hand_put_right_while_the_table_was_stopped(rig, caplog):
    people = Company(2, seed=3)
    rig.start().play(people, lambda seen: seen.hand_number == 2 and seen.turn is not None)
    rig.journal.close()
    path = rig.folder / "journal.sqlite3"
    assert main(["correct", "1", "--void", "--journal", str(path)]) == 0
    rig.journal = Journal(path)
    rig.booth = rig.make()
    assert rig.booth.session.state.hands[0].end == "misdeal"
    until_hand(rig, 2, people)
    assert not [each for each in caplog.records if "what was seen" in each.message]
