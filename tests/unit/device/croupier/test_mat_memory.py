"""Cards keep who they are from look to look: readings written by hand, no game."""

import pytest

from device.croupier.mat_tracker import CardSide, MatTracker, card_observations
from tests.support.mat_readings import Mat, card


@pytest.fixture
def mat():
    return Mat()


@pytest.fixture
def memory():
    return MatTracker()


def look(memory, mat):
    memory.update(mat.reading())
    return memory.cards


def one(memory, mat):
    (thing,) = look(memory, mat)
    return thing


def test_things_are_numbered_as_they_appear_and_listed_so(memory, mat):
    mat.lay(0, slot=3)
    look(memory, mat)
    mat.lay(0, slot=1)
    look(memory, mat)
    mat.lay(2, "KC")
    assert [thing.number for thing in look(memory, mat)] == [1, 2, 3]
    assert [thing.observation.side for thing in memory.cards] == [
        CardSide.DOWN,
        CardSide.DOWN,
        CardSide.UP,
    ]
    assert [thing.number for thing in memory.at(0)] == [1, 2], "by appearance, not by place"


def test_a_sight_says_where_it_lies_and_what_may_be_there(mat):
    mat.lay(1, "9D?6D")
    mat.lay(0, "KC", zone=None)
    king, unsure = card_observations(mat.reading())
    assert (unsure.side, unsure.seat, unsure.candidates) == (
        CardSide.UNSURE,
        1,
        (card("9D"), card("6D")),
    )
    assert (king.side, king.seat, king.zone, king.card) == (CardSide.UP, None, None, card("KC"))


def test_a_card_that_is_turned_up_where_it_lies_is_the_same(memory, mat):
    mat.lay(0)
    thing = one(memory, mat)
    mat.turn(0, "KC")
    assert one(memory, mat) is thing
    assert thing.card == card("KC")


@pytest.mark.parametrize("why", ["spent", "refused"])
@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("KC", "KC", True),
        ("KC", "7H", False),
        ("KC", "back", False),
        ("back", "KC", False),
        ("back", "back", True),
        ("KC", "7H?7D", True),
        ("back", "7H?7D", False),
        ("7H?7D", "KC", True),
        ("7H?7D", "back", False),
    ],
)
def test_what_does_not_count_is_another_card_once_it_shows_another_face(
    memory, mat, why, before, after, same
):
    """It was gathered, and a new one laid on its place; a face not read may still be the old."""
    mat.lay(0, before, slot=0)
    thing = one(memory, mat)
    setattr(thing, why, True)
    mat.cards[0, 0] = after
    assert (one(memory, mat) is thing) == same


def test_a_counted_card_that_reads_otherwise_is_still_that_card(memory, mat):
    mat.lay(0, "KC", slot=0)
    thing = one(memory, mat)
    thing.counted = True
    mat.cards[0, 0] = "7H"
    assert one(memory, mat) is thing


def test_a_card_pushed_about_in_its_zone_is_known_by_its_face(memory, mat):
    mat.lay(0, "KC", slot=0)
    thing = one(memory, mat)
    mat.shift(0, 0, (400.0, 40.0))
    assert one(memory, mat) is thing


def test_in_another_zone_it_is_another_card(memory, mat):
    mat.lay(0, "KC", slot=0)
    thing = one(memory, mat)
    mat.clear()
    mat.lay(1, "KC", slot=0)
    assert one(memory, mat) is not thing


def test_a_refused_card_that_was_moved_is_new(memory, mat):
    mat.lay(0, "KC", slot=0)
    thing = one(memory, mat)
    thing.refused = True
    mat.shift(0, 0, (60.0, 0.0))
    assert one(memory, mat) is not thing


@pytest.mark.parametrize(("by", "counted", "same"), [(100, True, True), (140, True, False)])
def test_a_counted_card_turned_over_lands_beside_its_place(memory, mat, by, counted, same):
    mat.lay(0, slot=0)
    thing = one(memory, mat)
    thing.counted = counted
    mat.shift(0, 0, (float(by), 0.0))
    mat.cards[0, 0] = "KC"
    assert (one(memory, mat) is thing) == same


def test_of_two_cards_beside_its_place_the_nearer_one_is_the_card_turned_over(memory, mat):
    mat.lay(0, slot=0)
    thing = one(memory, mat)
    thing.counted = True
    mat.clear()
    mat.lay(0, "7H", slot=1)
    mat.shift(0, 1, (30.0, 0.0))
    mat.lay(0, "KC", slot=0)
    mat.shift(0, 0, (-90.0, 0.0))
    old, new = look(memory, mat)
    assert (old, old.card, new.card) == (thing, card("KC"), card("7H"))


def test_two_cards_of_one_face_pushed_about_stay_two(memory, mat):
    for slot in (0, 2):
        mat.lay(0, "KC", slot=slot)
    before = look(memory, mat)
    for slot in (0, 2):
        mat.shift(0, slot, (0.0, 60.0))
    assert look(memory, mat) == before


def test_one_that_does_not_count_is_not_taken_to_have_turned_over(memory, mat):
    mat.lay(0, slot=0)
    thing = one(memory, mat)
    mat.shift(0, 0, (100.0, 0.0))
    mat.cards[0, 0] = "KC"
    assert one(memory, mat) is not thing


def test_a_card_that_shows_another_face_did_not_turn_over(memory, mat):
    mat.lay(0, "KC", slot=0)
    thing = one(memory, mat)
    thing.counted = True
    mat.shift(0, 0, (100.0, 0.0))
    mat.cards[0, 0] = "7H"
    assert one(memory, mat) is not thing


def test_a_counted_card_laid_back_is_the_old_one_but_is_counted_anew(memory, mat):
    mat.lay(0, "KC", slot=0)
    thing = one(memory, mat)
    thing.counted = True
    mat.clear()
    assert look(memory, mat) == []
    mat.lay(0, "KC", slot=0)
    assert one(memory, mat) is thing
    assert not thing.counted


def test_another_face_on_its_place_is_another_card(memory, mat):
    mat.lay(0, "KC", slot=0)
    thing = one(memory, mat)
    thing.counted = True
    mat.clear()
    look(memory, mat)
    mat.lay(0, "7H", slot=0)
    assert one(memory, mat) is not thing


def test_after_a_new_hand_began_nothing_of_the_last_one_comes_back(memory, mat):
    mat.lay(0, "KC", slot=0)
    mat.lay(1, slot=0)
    gone, stays = look(memory, mat)
    gone.counted = stays.counted = True
    gone.allowed = True
    mat.lift(0, 0)
    look(memory, mat)
    memory.forget()
    assert stays.spent, "what still lies there is of the hand before"
    assert memory.at(1) == []
    mat.lay(0, "KC", slot=0)
    back = next(thing for thing in look(memory, mat) if thing.seat == 0)
    assert back is not gone
    assert not back.allowed, "what was allowed once is not allowed for ever"


def test_what_never_counted_is_not_spent_by_a_new_hand(memory, mat):
    mat.lay(0)
    thing = one(memory, mat)
    memory.forget()
    assert memory.at(0) == [thing]


def test_an_overlooked_card_that_shows_again_undoes_what_was_taken_for_a_move(memory, mat):
    """A back is overlooked while a card is laid beside it: the new one is not that back."""
    mat.lay(0, slot=0)
    back = one(memory, mat)
    back.counted = True
    mat.clear()
    mat.lay(0, "KC", slot=1)
    assert one(memory, mat) is back, "so it seems"
    mat.lay(0, slot=0)
    old, new = look(memory, mat)
    assert old is back
    assert old.observation.side is CardSide.DOWN
    assert new.card == card("KC")


def test_after_some_looks_it_was_a_move_for_good(memory, mat):
    mat.lay(0, slot=0)
    back = one(memory, mat)
    back.counted = True
    mat.clear()
    mat.lay(0, "KC", slot=1)
    for _ in range(6):
        look(memory, mat)
    mat.lay(0, slot=0)
    old, new = look(memory, mat)
    assert old is back
    assert (old.card, new.card) == (card("KC"), None)


# What a person said of a card


def test_a_word_counts_until_the_card_reads_as_something_else(memory, mat):
    mat.lay(0, "9D", slot=0)
    thing = one(memory, mat)
    thing.name(card("6D"))
    assert one(memory, mat).card == card("6D"), "the reading that was set aside changes nothing"
    mat.cards[0, 0] = "6D?9D"
    assert one(memory, mat).card == card("6D")
    mat.cards[0, 0] = "KC"
    assert one(memory, mat).card == card("KC")
    mat.cards[0, 0] = "9D"
    assert one(memory, mat).card == card("9D"), "the word is forgotten, not put aside"


def test_a_word_is_forgotten_when_the_card_is_turned_down(memory, mat):
    mat.lay(0, "9D", slot=0)
    one(memory, mat).name(card("6D"))
    mat.cards[0, 0] = "back"
    assert one(memory, mat).card is None
    mat.cards[0, 0] = "9D"
    assert one(memory, mat).card == card("9D")


@pytest.mark.parametrize(("by", "asked"), [(1.0, False), (4.0, True)])
def test_a_card_nobody_could_read_is_asked_about_again_once_it_is_touched(memory, mat, by, asked):
    mat.lay(0, "9D?6D", slot=0)
    thing = one(memory, mat)
    thing.unread = True
    mat.shift(0, 0, (by, 0.0))
    assert one(memory, mat).unread == (not asked)
