"""A caller, not a reader: results first, then payments, then what is due; nothing twice."""

import shutil

import pytest

from benchmarks import caller
from device.narration.announcer import Announcer
from device.narration.calls import result_lines
from device.ports import Talk
from device.runtime.session import REPAIRED
from display import prompt_for
from engine import (
    TABLE,
    Card,
    Correct,
    Deal,
    Declare,
    Facing,
    Have,
    Phase,
    Player,
    Reveal,
    Stick,
    apply,
    new_table,
    view,
)
from engine.core.events import (
    Choose,
    Claim,
    Cut,
    Discard,
    Draw,
    NextHand,
    Roll,
    Source,
    Stake,
    TurnUp,
    Undo,
)

NAMES = ("Ann", "Bess", "Cecil")


class Listener:
    """A speaker that keeps what is said, and whether it cannot wait."""

    def __init__(self):
        self.said = []
        self.urgent = []

    def say(self, text, topic="", *, urgent=False):
        self.said.append(text)
        if urgent:
            self.urgent.append(text)

    def chime(self, chime):
        pass

    def hush(self):
        self.said.append("(hush)")


class Table:
    """A table, and what is said at it."""

    def __init__(self, game="bone-ace", talk=Talk.NORMAL, language="en", **options):
        self.language, self.speaker = language, Listener()
        self.announcer = Announcer(self.speaker, language, talk)
        players = [Player(seat, name) for seat, name in enumerate(NAMES)]
        self.state = new_table(game, players, dealer=2, options=options)
        self.watch()

    def watch(self):
        seen = view(self.state, TABLE)
        self.announcer.watch(prompt_for(seen, self.language), seen)

    def play(self, *events, assumed=""):
        """Play *events*; return what was said of them."""
        count = len(self.speaker.said)
        for event in events:
            before = view(self.state, TABLE)
            self.state = apply(self.state, event)
            self.announcer.listen(event, before, view(self.state, TABLE), assumed)
            self.watch()
        return self.speaker.said[count:]

    def deal(self, thirds="KC 7H 9C"):
        backs = [Deal(seat, None) for seat in (0, 1, 2, 0, 1, 2)]
        cards = [Card.parse(code) for code in thirds.split()]
        thirds = [Deal(seat, card, Facing.UP) for seat, card in enumerate(cards)]
        return self.play(*backs, *thirds)


def cards(codes):
    return tuple(Card.parse(code) for code in codes.split())


def test_a_deal_is_called_once_and_the_open_cards_by_name():
    table = Table()
    assert table.speaker.said == ["Ann: next card face down. Cecil deals."]
    assert table.deal() == [
        "Ann: king of clubs.",
        "Bess: seven of hearts.",
        "Ann takes the Bone.",
        "Cecil: nine of clubs. Everyone pays 1 token to Ann.",
        "Ann: stick, or have it?",
    ]


def test_a_question_is_said_in_full_once_and_then_the_name():
    table = Table()
    table.deal()
    assert table.play(Stick(0)) == ["Bess?"]
    assert table.play(Have(1), Deal(1, None)) == ["A card for Bess. Cecil deals one card."]
    assert table.play(Stick(1)) == ["Cecil?"]


def test_stakes_are_heard_as_they_change():
    table = Table("knucklebones")
    assert table.play(Stake(0, 3)) == ["Ann stakes three tokens."]


def test_a_discard_is_called_and_so_is_who_takes_it():
    table = Table("scat")
    backs = [Deal(seat, None) for seat in (0, 1, 2) * 3]
    nine, two = cards("9H 2C")
    table.play(*backs, TurnUp(nine))
    assert table.play(Draw(0, Source.STOCK)) == ["Ann: discard a card. Drawn from the stock. Lay a "
                                                 "card face up on the discard."]  # fmt: skip
    assert table.play(Discard(0, two))[0] == "Ann: two of clubs."
    assert table.play(Draw(1, Source.DISCARD))[0] == "Bess takes the two of clubs from the discard."


def test_at_thirty_one_who_loses_a_life_is_heard_beside_a_31_and_who_is_out():
    table = Table("scat", lives=1, free_ride=False)
    backs = [Deal(seat, None) for seat in (0, 1, 2) * 3]
    table.play(*backs, TurnUp(cards("9H")[0]))
    table.play(Declare(0, Claim.THIRTY_ONE, cards("AS KS QS")))
    told = " ".join(table.speaker.said)
    assert "Bess and Cecil lose 1 life each." in told
    assert told.count("Bess and Cecil are out of the match.") == 1


def test_totals_that_all_may_see_are_said_in_the_place_of_cards():
    table = Table("knucklebones")
    assert table.play(Roll(0, (3, 3, 4, 4, 4)))[0].startswith("Ann has 18: how many more bones?")
    assert table.play(Choose(0, 0)) == ["Bess?"]
    assert table.play(Roll(1, (1, 3, 3, 4, 6))) == ["Bess: 17?"]


def test_results_come_first_then_payments_then_what_is_due():
    table = Table()
    table.deal()
    told = table.play(Stick(0), Stick(1), Stick(2), Reveal(0, cards("5C TD KC")),
                      Reveal(1, cards("2S 3S 7H")), Reveal(2, cards("4D 8S 9C")))  # fmt: skip
    won = told.index("Ann wins with 25.")
    assert told[won:] == [
        "Ann wins with 25.",
        "Everyone pays 1 token to Ann.",
        "Ann deals next. NEXT: go on.",
    ]
    assert "Bess: 12." in told, "a total, and no list of cards"
    assert table.speaker.urgent[-1] == "Ann wins with 25."


def test_over_is_called_with_the_total_and_at_once():
    table = Table()
    table.deal()
    told = table.play(Have(0), Deal(0, None), Declare(0, Claim.OUT, cards("5C TD KC 9D")))
    assert told == ["A card for Ann. Cecil deals one card.", "Ann: 34. Too many by 3!", "Bess?"]
    assert table.speaker.urgent[-1] == "Ann: 34. Too many by 3!"


def test_who_has_won_is_said_before_who_is_over():
    table = Table()
    table.deal()
    table.play(Have(0), Deal(0, None), Declare(0, Claim.OUT, cards("5C JH KC 9D")))
    table.play(Have(1), Deal(1, None), Declare(1, Claim.OUT, cards("TC TD 7H KD")))
    assert table.speaker.urgent[-1] == "Cecil, the dealer, wins. Bess: 37. Too many by 6!"


def test_thirty_one_is_called_at_once_and_who_wins_is_not_said_again():
    table = Table()
    table.deal()
    told = table.play(Have(0), Deal(0, None), Declare(0, Claim.THIRTY_ONE, cards("TC TD KC AS")))
    assert told[1] == "Thirty-one on the nose! Ann is paid double."
    assert not any("wins" in line for line in told)
    assert table.speaker.urgent[-1] == told[1]


def test_the_next_hand_says_only_what_is_new():
    table = Table()
    table.deal()
    table.play(Have(0), Deal(0, None), Declare(0, Claim.THIRTY_ONE, cards("TC TD KC AS")))
    assert table.play(NextHand()) == []
    backs = [Deal(seat, None) for seat in (1, 2, 0, 1, 2, 0)]
    assert table.play(*backs) == []


def test_after_a_correction_only_what_has_changed_is_said():
    table = Table()
    table.deal()
    table.play(Stick(0), Stick(1), Stick(2), Reveal(0, cards("5C TD KC")),
               Reveal(1, cards("2S 3S 7H")), Reveal(2, cards("4D 8S 9C")))  # fmt: skip
    was, now = cards("2S 2H")
    assert table.play(Correct(was, now, 1)) == [
        "(hush)",
        "A misreading put right: the two of spades is the two of hearts.",
    ], "the same player has won, and the same is paid"
    was, now = cards("5C 6C")
    said = table.play(Correct(was, now, 0))
    assert said[1:] == [
        "A misreading put right: the five of clubs is the six of clubs.",
        "Ann wins with 26.",
    ]


def test_what_is_taken_back_and_repaired_is_said_and_nothing_else():
    table = Table()
    table.deal()
    table.play(Stick(0))
    assert table.play(Undo())[:2] == ["(hush)", "What Ann did last is taken back."]
    table.play(Stick(0), assumed=REPAIRED)
    assert table.speaker.said[-2:] != [], "and it goes on"


def test_few_words_are_results_questions_and_whose_turn_it_is():
    table = Table(talk=Talk.FEW)
    assert table.speaker.said == ["Ann: next card face down."]
    assert table.deal() == [
        "Ann takes the Bone.",
        "Everyone pays 1 token to Ann.",
        "Ann: stick, or have it?",
    ]


def test_all_that_is_shown_is_said_each_time():
    table = Table(talk=Talk.ALL)
    told = table.deal()
    assert "Ann's card is turned up: the king of clubs." in told
    assert table.play(Stick(0)) == ["Bess: stick, or have it? 3 cards in hand."]


def test_a_table_that_is_resumed_after_a_hand_says_how_it_ended():
    table = Table()
    table.deal()
    table.play(Have(0), Deal(0, None), Declare(0, Claim.THIRTY_ONE, cards("TC TD KC AS")))
    seen, speaker = view(table.state, TABLE), Listener()
    assert seen.phase is Phase.DONE
    Announcer(speaker).watch(prompt_for(seen), seen)
    assert speaker.said[0].startswith("Ann has 31 and wins.")
    assert all(line in speaker.said[0] for line in result_lines(seen))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", "Trente et un tout rond\u00a0! Ann touche le double."),
        ("de", "Einunddreißig auf den Punkt! Ann bekommt das Doppelte."),
        ("es", "¡Treinta y una clavadas! Ann cobra el doble."),
        ("nl", "Eenendertig op de kop! Ann krijgt dubbel."),
    ],
)
def test_it_calls_in_its_language(language, words):
    table = Table(language=language)
    table.deal()
    table.play(Have(0), Deal(0, None), Declare(0, Claim.THIRTY_ONE, cards("TC TD KC AS")))
    assert words in table.speaker.urgent


def test_a_cut_is_called_when_it_is_decided_or_tied():
    table = Table()
    players = [Player(seat, name) for seat, name in enumerate(NAMES)]
    table.state = new_table("bone-ace", players, dealer=None)
    table.watch()
    told = table.play(*(Cut(seat, card) for seat, card in enumerate(cards("3D 3C 9H"))))
    assert told == [
        "Cecil cuts the nine of hearts. A tie: Ann and Bess cut again.",
    ]
    told = table.play(Cut(0, cards("5S")[0]), Cut(1, cards("JS")[0]))
    assert told[0] == "The lowest is Ann's, who deals."


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
def test_the_benchmark_tells_what_was_said_when(monkeypatch, capsys):
    words = ["caller.py", "--game", "bone-ace", "--hands", "1", "--log"]
    monkeypatch.setattr("sys.argv", words)
    assert caller.main() == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1].startswith("| bone-ace |")
    assert any(" wins" in line or " won" in line for line in told[2:-1])
