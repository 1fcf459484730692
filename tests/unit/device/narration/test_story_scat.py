"""The story of Thirty-one, and what it may not tell."""

from device.narration.story import closing_lines, opening_lines, tell
from display.i18n.translate import Translator
from engine import TABLE, Player, apply, new_table, view
from tests.support.mat_readings import NAMES
from tests.support.scat_bench import ScatBench

EN = Translator.of("en")


def story(bench):
    """Tell the events of a bench again, from the first one on."""
    company = [Player(seat, NAMES[seat]) for seat in range(3)]
    setup = bench.state.setup
    state = new_table("scat", company, dealer=2, preset=setup.preset)
    lines = []
    for event in bench.events:
        before = view(state, TABLE)
        state = apply(state, event)
        lines.extend(tell(event, before, view(state, TABLE), EN))
    return lines


def dealt(preset="wikipedia", first=None):
    bench = ScatBench(preset=preset)
    bench.deal(first)
    return bench


def test_draws_discards_a_knock_and_the_showdown():
    bench = dealt(first="9H")
    bench.throw("KD")
    bench.draw_top()
    bench.throw("3C")
    bench.press("stick", 2)
    bench.press("stick", 0)
    bench.press("stick", 1)
    bench.show(0, "KH QH 2C")
    bench.show(1, "5S 6D KD")
    bench.show(2, "AS 2S 3D")
    assert story(bench) == [
        "The first discard is the nine of hearts.",
        "Ann draws from the stock.",
        "Ann lays the king of diamonds.",
        "Bess takes the king of diamonds from the discard.",
        "Bess lays the three of clubs.",
        "Cecil knocks!",
        "Ann stands.",
        "Bess stands.",
        "The cards on the table, Ann, Bess and Cecil!",
        "Ann shows the king of hearts, the queen of hearts and the two of clubs: 20.",
        "Bess shows the five of spades, the six of diamonds and the king of diamonds: 16.",
        "Cecil shows the ace of spades, the two of spades and the three of diamonds: 13.",
        "Cecil loses 2 lives.",
    ]
    assert closing_lines(bench.view, EN) == ["The match: Ann 3 lives, Bess 3 lives, Cecil 1 life."]


def test_thirty_one_and_who_lost_by_it():
    bench = dealt(first="9H")
    bench.show(1, "AS KS QS")
    assert story(bench)[1:] == [
        "Bess lays the ace of spades, the king of spades and the queen of spades: thirty-one!",
        "Ann and Cecil lose 1 life each.",
    ]


def test_the_widow_and_the_pot():
    bench = dealt("banking", "4H")
    bench.lay_middle("2H", None, "3C")
    for _ in range(2):
        bench.press("stick")
    bench.press("stick")
    for seat, hand in enumerate(("KH QH 7S", "8D TD AC", "AS TS 7H")):
        bench.show(seat, hand)
    lines = story(bench)
    assert lines[1] == (
        "Ann lays the two of hearts and the three of clubs into the widow and takes two cards."
    )
    assert lines[-2:] == ["Cecil takes the pot.", "The hand: Ann -1, Bess -1, Cecil +2."]


def test_the_bus_names_cards_and_hands():
    bench = dealt("stop-the-bus")
    bench.lay_middle("2C", "3D", "4H")
    bench.lay_middle(None, "KD")
    bench.press("stick")
    bench.answer("knock")
    bench.press("stick", 2)
    bench.press("stick", 0)
    bench.show(0, "3D 3C 7S")
    lines = story(bench)
    assert "Ann swaps the king of diamonds for the three of diamonds." in lines
    assert lines[-1].endswith(": pair.")


def test_switch_is_told_without_a_hidden_card():
    bench = dealt("switch")
    bench.lay_middle("2H", "3H", "9S", row=-3)
    bench.lay_middle("JH")
    bench.lay_middle("back", "back", "back", row=-3)
    assert story(bench) == [
        "Cecil keeps one hand and lays the other open: "
        "the two of hearts, the three of hearts and the nine of spades.",
        "Ann lays the jack of hearts into hand B.",
        "Bess lays three new cards for hand A.",
    ]


def test_who_is_out_of_the_match_is_not_said_to_be_over_thirty_one():
    bench = ScatBench(start={"start": {"lives": {"2": 0}}})
    bench.deal("9H")
    bench.show(0, "AS KS QS")
    lines = []
    for event in bench.events[-1:]:
        lines = tell(event, ScatBench(start={"start": {"lives": {"2": 0}}}).view, bench.view, EN)
    assert lines[-1] == "Cecil is out of the match."
    assert not any("over thirty-one" in line for line in lines)


def test_the_opening_names_the_game():
    assert opening_lines(ScatBench().view, EN)[0].startswith("Thirty-one, the wikipedia rules.")
