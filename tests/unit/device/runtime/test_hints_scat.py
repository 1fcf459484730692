"""Teaching in Thirty-one: chances against the odds and the published ones, and why a hand ended."""

import json
from fractions import Fraction

from device.runtime.hints import hint_for
from display.i18n.translate import Translator
from engine import TABLE, apply, view
from engine.core.events import Claim, Declare, Discard, Draw, Knock, Reveal, Source, Stand
from engine.games.scat.hints import seen_by_all
from engine.games.scat.odds import beats, brag_hands, draw, starting_hand
from tests.support.scat_bench import ScatBench, cards
from tests.unit.engine.odds import plain_counts


def dealt(preset="wikipedia", players=3, first="9D", **options):
    bench = ScatBench(players, preset, **options)
    bench.deal(first)
    return bench


def hint(bench):
    return str(hint_for(bench.view, bench.state.setup.options))


def play(bench, *events):
    for event in events:
        bench.state = apply(bench.state, event)
    return bench


def percent(share):
    return round(100 * share)


def test_the_fate_of_two_values_is_that_of_the_odds():
    bench = dealt()
    low, high = (beats(value, 2, cards("9D")).lowest for value in (21, 25))
    assert hint(bench) == (f"21 would be lowest in {percent(low)} of 100, 25 in {percent(high)}.")
    assert low > high > 0


def test_every_discard_counts_as_seen():
    bench = dealt()
    play(bench, Draw(0, Source.STOCK), Discard(0, cards("TH")[0]))
    assert seen_by_all(bench.view) == list(cards("9D TH"))
    low = beats(21, 2, cards("9D TH")).lowest
    assert hint(bench).startswith(f"21 would be lowest in {percent(low)} of 100")


def test_a_change_of_suit_is_told_to_the_player_after():
    bench = dealt(players=2)
    for first, second in (("TH", "2C"), ("KH", "3S")):
        play(bench, Draw(0, Source.STOCK), Discard(0, cards(first)[0]))
        assert "another suit" not in hint(bench), "hearts again"
        play(bench, Draw(1, Source.STOCK), Discard(1, cards(second)[0]))
    assert hint(bench) == "Bess throws another suit: perhaps a low hand just now."
    play(bench, Draw(0, Source.DISCARD), Discard(0, cards("4H")[0]))
    assert "another suit" not in hint(bench), "Bess's card is taken; Ann stays with hearts"


def test_who_has_drawn_must_discard_and_is_told_no_chances():
    bench = dealt()
    play(bench, Draw(0, Source.STOCK))
    assert hint(bench) == ""


def test_where_the_highest_wins_its_chances_are_told():
    bench = dealt("banking")
    chance = beats(25, 2, cards("9D")).highest
    assert hint(bench).startswith(f"25 would be highest in {percent(chance)} of 100")


def test_with_three_of_a_kind_one_hand_is_counted_exactly():
    bench = dealt("west-lansing")
    options = bench.state.setup.options
    one = starting_hand(cards("9D"), pack=options.deck, three_kind=options.three_kind)
    assert hint(bench) == f"A hand as dealt is over 21 in {percent(one.over(21))} of 100."


def test_stop_the_bus_is_of_brag_hands():
    bench = ScatBench(3, "stop-the-bus")
    for seat in (0, 1, 2) * 3:
        bench.mat.lay(seat)
    bench.lay_middle("9D", "JS", "4C", look=False)
    bench.look()
    bench.take_up()
    kinds = brag_hands(cards("9D JS 4C"))
    chance = 1 - kinds["high card"]
    assert hint(bench) == f"A hand as dealt holds a pair or better in {percent(chance)} of 100."


def test_the_chance_of_a_dealt_hand_is_that_of_the_table():
    table = json.loads(plain_counts.TABLE.read_text())
    assert starting_hand().at(31) == Fraction(table["scat"]["deck_52"]["p_31"])
    counts = table["brag"]["counts"]
    assert 1 - brag_hands()["high card"] == 1 - Fraction(counts["high card"], 22100)


# Why


def showdown(bench, *hands):
    """Everybody else stands after a knock of the first, and the hands are shown."""
    turn = bench.view.turn
    play(bench, Knock(turn))
    while bench.view.turn is not None and bench.view.phase.value == "play":
        play(bench, Stand(bench.view.turn))
    for seat, hand in enumerate(hands):
        play(bench, Reveal(seat, cards(hand)))
    return hint(bench)


def test_the_lowest_loses():
    said = showdown(dealt(), "KH QH 2C", "KS QS 3C", "5D 6D 7C")
    assert said == "Lowest, and so a life less: Cecil."


def test_a_knocker_who_is_lowest_alone():
    """Rule SC-10."""
    said = showdown(dealt(), "5D 6D 7C", "KS QS 3C", "KH QH 2C")
    assert said == "Ann knocked and was not above the lowest: 2 lives."


def test_a_knocker_who_ties_is_safe():
    """Rule SC-9."""
    said = showdown(dealt(), "5D 6D 7C", "5S 6S 3C", "KH QH 2C")
    assert said == "Ann knocked, and is safe in a tie for the lowest."


def test_the_highest_hand_takes_the_pot():
    """Rules BK-4, BK-6."""
    assert showdown(dealt("banking"), "KH QH 2C", "KS 5S 3C", "5D 6D 7C") == (
        "20 is the highest hand."
    )
    assert showdown(dealt("banking"), "KH QH 2C", "KS QS 3C", "5D 6D 7C") == (
        "20 is the highest hand, and they share it."
    )


def test_thirty_one_in_one_suit():
    """Rule SC-11."""
    bench = dealt()
    play(bench, Declare(1, Claim.THIRTY_ONE, cards("AH KH QH")))
    assert hint(bench) == "Thirty-one in one suit ends the hand at once."
    german = Translator.of("de").render(hint_for(bench.view, bench.state.setup.options))
    assert german == "Einunddreißig in einer Farbe beendet das Spiel sofort."


def test_hidden_cards_are_never_told():
    """Rule G-7: what the teacher says hangs on the table's view alone."""
    bench = dealt()
    seen = view(bench.state, TABLE)
    assert all(card is None for seat in seen.seats for card in seat.cards)
    assert str(hint_for(seen, bench.state.setup.options)) == hint(bench)


def test_a_hand_that_all_know_is_told_what_the_stock_does_for_it():
    """Three times the discard was taken: everybody knows the three cards."""
    bench = dealt(players=2, first="9D")
    for laid, next_top in (("2C", "TD"), ("3C", "8S"), ("4C", "5C")):
        play(bench, Draw(0, Source.DISCARD), Discard(0, cards(laid)[0]))
        play(bench, Draw(1, Source.STOCK), Discard(1, cards(next_top)[0]))
    assert bench.view.seat(0).known == cards("9D TD 8S")
    better = draw(cards("9D TD 8S"), cards("2C 3C 4C 5C")).better
    assert hint(bench) == f"A card of the stock betters this hand in {percent(better)} of 100."
