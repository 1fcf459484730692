"""Events as they stand in records."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    EventFormatError,
    Facing,
    Have,
    IllegalActionError,
    Join,
    Leave,
    Misdeal,
    NextHand,
    PackEnd,
    Reveal,
    Stick,
    Undo,
    apply,
    deck,
    event_from_dict,
    event_to_dict,
)
from engine.core.events import (
    Accept,
    Choose,
    ChooseHand,
    CorrectBone,
    DealTo,
    Discard,
    Draw,
    Exchange,
    Keep,
    Knock,
    Pile,
    Renew,
    Restart,
    Roll,
    Source,
    Stake,
    Stand,
    SwapCards,
    SwapHand,
    TableHand,
    TurnUp,
    Widow,
)

seats = st.integers(0, 9)
cards = st.none() | st.sampled_from(deck())
hands = st.lists(cards, max_size=5).map(tuple)
numbers = st.lists(seats, max_size=5).map(tuple)
EVENTS = st.one_of(
    st.builds(Cut, seats, cards),
    st.builds(Deal, seats, cards, st.sampled_from(Facing), st.none() | st.sampled_from(PackEnd)),
    st.builds(Have, seats),
    st.builds(Stick, seats),
    st.builds(Declare, seats, st.sampled_from(Claim), hands),
    st.builds(Reveal, seats, hands),
    st.builds(Misdeal, st.text(max_size=9)),
    st.just(Undo()),
    st.builds(Correct, cards, cards, st.none() | seats),
    st.builds(NextHand, st.dictionaries(seats, seats).map(lambda s: tuple(sorted(s.items())))),
    st.builds(Join, seats, st.text(max_size=9), st.none() | st.integers(0, 99), st.none() | seats),
    st.builds(Leave, seats),
    st.builds(Stake, seats, seats),
    st.builds(Roll, seats, numbers),
    st.builds(Choose, seats, seats),
    st.builds(CorrectBone, seats, seats, seats, seats),
    st.builds(DealTo, st.sampled_from(Pile), cards, st.sampled_from(Facing), st.none() | seats),
    st.builds(TurnUp, cards),
    st.builds(ChooseHand, seats, st.sampled_from(Keep), hands),
    st.builds(Draw, seats, st.sampled_from(Source), cards),
    st.builds(Discard, seats, cards),
    st.builds(Knock, seats),
    st.builds(Stand, seats),
    st.builds(Widow, seats, hands, numbers, hands),
    st.builds(Exchange, seats, st.sampled_from(TableHand), seats, cards, cards),
    st.builds(SwapHand, seats, st.sampled_from(TableHand), hands, hands),
    st.builds(SwapCards, seats, hands, hands),
    st.builds(Renew, seats, st.sampled_from(TableHand), hands, st.sampled_from(Facing)),
    st.builds(Restart, seats),
    st.just(Accept()),
)


@given(EVENTS)
@settings(max_examples=150, deadline=None)
def test_an_event_reads_back(event):
    assert event_from_dict(event_to_dict(event)) == event


def test_the_keys_of_the_event_language(card):
    dealt = Deal(2, card("TH"), Facing.UP, PackEnd.BOTTOM)
    assert event_to_dict(dealt) == {
        "e": "deal",
        "seat": 2,
        "card": "TH",
        "face": "up",
        "from": "bottom",
    }
    assert event_to_dict(Deal(2, None))["card"] == "??"
    claim = {"e": "declare", "seat": 1, "what": "31", "cards": ["AS", "TD", "KH"]}
    assert event_to_dict(event_from_dict(claim)) == claim
    assert event_to_dict(Correct(card("8D"), card("3D"), 0)) == {
        "e": "correct",
        "was": "8D",
        "card": "3D",
        "seat": 0,
    }


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"seat": 1}, "unknown event None"),
        ({"e": "dael"}, "did you mean 'deal'"),
        ({"e": "stick"}, "stick.seat: missing"),
        ({"e": "stick", "seat": "1"}, "stick.seat: '1' is not a whole number"),
        ({"e": "stick", "seat": True}, "stick.seat: True is not a whole number"),
        ({"e": "stick", "seat": -(10**10)}, "stick.seat: is beyond"),
        ({"e": "next_hand", "stakes": {"-": 1}}, "next_hand.stakes: '-' is no seat"),
        ({"e": "stick", "seat": 1, "sead": 2}, "did you mean 'seat'"),
        ({"e": "deal", "seat": 1, "card": "1H"}, "deal.card: unknown card '1H'"),
        ({"e": "deal", "seat": 1, "card": 7}, "deal.card: 7 is not a text"),
        ({"e": "deal", "seat": 1, "card": "TH", "face": "left"}, "choose one of"),
        ({"e": "reveal", "seat": 1, "cards": "TH"}, "reveal.cards: 'TH' is not a list"),
        ({"e": "reveal", "seat": 1, "cards": ["TH", "XX"]}, r"reveal.cards\[1\]"),
        ({"e": "join", "seat": 1, "age": "old"}, "join.age"),
    ],
)
def test_what_is_wrong_with_a_record_is_named(record, said):
    with pytest.raises(EventFormatError, match=said):
        event_from_dict(record)


@pytest.mark.parametrize(
    "record",
    [
        {"e": "knock", "seat": 1},
        {"e": "roll", "seat": 0, "faces": [1, 3, 4]},
        {"e": "deal", "to": "widow", "card": "4C", "face": "down"},
        {"e": "correct", "seat": 0, "roll": 0, "pos": 2, "face": 4},
        {"e": "next_hand", "stakes": {"0": 2, "3": 1}},
        {"e": "swap", "seat": 1, "hand": "B", "gave": ["2H"], "got": ["??"]},
        {"e": "swap", "seat": 1, "give": ["2H"], "take": ["3H"]},
        {"e": "widow", "seat": 0, "give": ["KH"], "take": [2]},
        {"e": "draw", "seat": 0, "from": "stock", "card": "9H"},
    ],
)
def test_events_of_other_games_read_back_and_are_refused(sit, deal, record):
    event = event_from_dict(record)
    assert event_to_dict(event) == record
    state = sit(deal("KH 9D 5C", "TD 8S 7H"), seats=2)
    with pytest.raises(IllegalActionError) as refusal:
        apply(state, event)
    assert refusal.value.code in ("WRONG_PHASE", "BAD_CORRECTION")
