"""Cards are counted once each, in piles and when a hand hid them, until none lies there."""

from dataclasses import replace

from device.croupier.counting.cards import CardCounter
from engine.core.cards import Card
from tests.support.mat_readings import Mat


class Table:
    """A counter before a mat of paper."""

    def __init__(self, counter=None):
        self.mat, self.counter = Mat(4), counter or CardCounter()

    def lay(self, *codes, seat=0):
        for code in codes:
            self.mat.lay(seat, code)
        return self.look()

    def look(self):
        self.counter.see(self.mat.reading())
        return self

    def clear(self):
        self.mat.clear()
        return self.look()

    @property
    def laid(self):
        return [str(item.what) for throw in self.counter.throws for item in throw.items]

    @property
    def totals(self):
        return [throw.total for throw in self.counter.throws]


def test_cards_add_up_one_by_one():
    table = Table().lay("9H").lay("KD").lay("AS").look()
    assert (table.laid, table.totals) == (["9H", "KD", "AS"], [9, 19, 20])
    assert table.counter.counts[Card.parse("9H")] == 1


def test_cards_laid_together_are_one_throw():
    table = Table().lay("9H", "KD")
    assert [len(throw.items) for throw in table.counter.throws] == [2]


def test_the_sum_begins_anew_when_no_card_lies_open():
    table = Table().lay("9H").lay("back", seat=1).clear().lay("KD").lay("9H")
    assert (table.laid, table.totals) == (["9H", "KD", "9H"], [9, 10, 19])


def test_a_stock_of_backs_is_no_card():
    table = Table().lay("back", seat=1).lay("9H")
    table.mat.lift(0, 0)
    table.look().lay("2C")
    assert table.totals == [9, 2]


def test_a_card_that_is_moved_or_hidden_for_a_moment_is_not_counted_again():
    table = Table().lay("9H").lay("KD")
    table.mat.shift(0, 1)
    assert table.look().laid == ["9H", "KD"]
    lying, table.mat.cards = table.mat.cards, {}
    table.look().mat.cards = lying
    assert table.look().laid == ["9H", "KD"]


def test_a_pile_counts_every_card_of_it():
    table = Table()
    for number, code in enumerate(("9H", "KD", "AS")):
        table.mat.cards = {(0, 0): code}
        table.mat.zones[0, 0] = None
        table.mat.shifts[0, 0] = (2.5 * number, 0.0)
        table.look()
    assert (table.laid, table.totals) == (["9H", "KD", "AS"], [9, 19, 20])


def test_a_card_read_anew_where_it_lies_is_one_card():
    table = Table().lay("9H").lay("KD")
    table.mat.cards[0, 1] = "QD"
    table.look()
    assert (table.laid, table.totals) == (["9H", "QD"], [9, 19])
    assert not any(item.by_hand for item in table.counter.throws[1].items)


def test_an_unread_card_is_told_and_counts_when_it_is_named_or_read():
    table = Table().lay("9H").lay("9D?6D")
    assert (table.laid, len(table.counter.unread)) == (["9H"], 1)
    table.counter.name_unread(table.counter.unread[0].number, Card.parse("6D"))
    assert (table.laid, table.totals, table.counter.unread) == (["9H", "6D"], [9, 15], ())
    assert table.counter.throws[1].items[0].by_hand
    assert table.look().laid == ["9H", "6D"]
    again = Table().lay("9D?6D")
    again.mat.cards[0, 0] = "9D"
    assert again.look().laid == ["9D"]


def test_the_name_of_one_card_is_no_other_cards():
    table = Table().lay("9H").lay("KD").lay("AS")
    table.counter.name(table.counter.throws[1].items[0].number, Card.parse("QD"))
    assert table.look().laid == ["9H", "QD", "AS"]
    assert table.lay("2C").laid == ["9H", "QD", "AS", "2C"]


def test_a_card_is_taken_back_and_not_counted_again():
    table = Table().lay("9H").lay("KD")
    assert table.counter.undo().number == 2
    assert table.look().lay("2C").totals == [9, 11]
    assert table.laid == ["9H", "2C"]


def test_it_goes_on_with_the_cards_that_lie_there():
    before = Table().lay("9H").lay("KD")
    after = Table(CardCounter(before.counter.throws))
    after.mat = before.mat
    assert after.look().lay("AS").totals == [9, 19, 20]


def test_a_picture_without_a_mat_is_counted():
    table = Table()
    table.mat.lay(0, "9H")

    def bare(reading):
        cards = [replace(c, place=replace(c.place, centre_mm=None)) for c in reading.cards]
        return replace(reading, seats=None, cards=tuple(cards))

    table.counter.see(bare(table.mat.reading()))
    table.mat.lay(1, "KD")
    table.counter.see(bare(table.mat.reading()))
    table.counter.see(bare(table.mat.reading()))
    assert table.totals == [9, 19]
