"""``boneace play --no-camera``: whole hands entered with five buttons."""

import json
import signal
from functools import partial

import pytest

from device import app
from device.cli import main
from device.croupier.by_hand import BY_HAND
from device.narration.speech import SilentSpeaker
from device.storage.journal.reader import JournalReader
from display import Window
from display.i18n.translate import Translator
from tests.support.entered import log_lines, presses, script
from tests.support.readings_logs import bone_ace, written


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """No config and no journal but the test's own; `play` takes SIGTERM over, the run wants it."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")
    old = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, old)


class Table:
    """A journal, and what was played in it."""

    def __init__(self, folder):
        self.folder, self.journal = folder, folder / "journal.sqlite3"

    def play(self, game, *words):
        """Play with *words* of ``boneace play``; return its exit code."""
        whole = ["play", "--headless", "--players", "Ann,Bess", "--game", game, "--dealer", "1"]
        return main([*whole, "--journal", str(self.journal), *map(str, words)])

    def by_hand(self, game, *entered):
        """Enter what *entered* says, without a camera."""
        path = script(self.folder / "presses.jsonl", *entered)
        assert self.play(game, "--no-camera", "--presses", path) == 0

    @property
    def events(self):
        with JournalReader(self.journal) as kept:
            return [event for _, event in kept.events(kept.sittings()[-1].number)]

    @property
    def kinds(self):
        return [event["e"] for event in self.events]

    def record(self):
        """Return the exported record."""
        out = self.folder / "record.json"
        assert main(["export", "--journal", str(self.journal), "--out", str(out)]) == 0
        return json.loads(out.read_text(encoding="utf-8"))

    def hands(self):
        """Return how each hand ended."""
        return self.record()["results"]["hands"]

    def settled(self):
        """Return the settlement of the only hand, by seat."""
        (hand,) = self.hands()
        return hand["settlement"]


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


# A whole hand of each game


def test_a_hand_of_one_and_thirty(table):
    table.by_hand(
        "one-and-thirty",
        "have:0", "stick:0", "stick:1",
        "KS", "QS", "3D", "8D",  # Ann's four make 31: the hand is over
    )  # fmt: skip
    assert table.kinds[-1] == "reveal"
    assert table.settled() == {"0": 2, "1": -2}, "31 is paid double (rule OT-19)"


def test_a_hand_of_bone_ace(table):
    table.by_hand("bone-ace", "9S", "KC", "stick:0", "stick:1", "2S", "3S", "4H", "5H")
    revealed = [event["cards"] for event in table.events if event["e"] == "reveal"]
    assert revealed == [["2S", "3S", "9S"], ["4H", "5H", "KC"]], "the open card is known"
    assert table.settled() == {"0": -2, "1": 2}, "a token for the Bone, one for the game"


def test_a_hand_of_thirty_one(table):
    table.by_hand(
        "scat",
        "9S",  # turned up
        "#0", "KS",  # Ann draws from the stock, and lays
        "#1", "4D",  # Bess takes the king
        "#2",  # Ann knocks
        "#0", "5D",
        "2S", "3S", "4S",
        "7H", "8H",  # Bess's king of spades is known
    )  # fmt: skip
    draws = [event["from"] for event in table.events if event["e"] == "draw"]
    assert draws == ["stock", "discard", "stock"]
    (hand,) = table.hands()
    assert hand["lost"] == {"0": 2}, "the knocker has the lowest hand (rule SC-9)"


def test_a_round_of_knucklebones(table):
    table.by_hand(
        "knucklebones",
        "have:0", "have:0",  # Ann stakes 3
        "b33441",  # 15
        "#1", "b6",  # 21
        "b33441",  # Bess, who has the bank
        "#0",
    )  # fmt: skip
    rolls = [event["faces"] for event in table.events if event["e"] == "roll"]
    assert rolls == [[3, 3, 4, 4, 1], [6], [3, 3, 4, 4, 1]]
    assert table.settled() == {"0": 3, "1": -3}


def test_cards_that_are_dealt_open_by_agreement_are_entered_as_they_fall(table):
    cards = ("2S", "KC", "9S", "QC", "KS", "3C")
    path = script(table.folder / "presses.jsonl", *cards, "have:0", "TS")
    words = ["--open-cards", "all", "--no-camera", "--presses", path]
    assert table.play("one-and-thirty", *words) == 0
    dealt = [(event["seat"], event["card"]) for event in table.events if event["e"] == "deal"]
    assert dealt[-1] == (0, "TS")
    assert tuple(card for _, card in dealt[:6]) == cards


# Mistakes


def test_an_answer_is_taken_back_and_given_again(table):
    table.by_hand("bone-ace", "9S", "undo", "9H", "next", "have", "undo", "undo", "TC", "KC")
    told = [event.get("card") for event in table.events]
    assert told[4:] == ["9S", None, "9H", None, "TC", "KC"]


def test_a_card_that_lies_there_already_is_refused_and_asked_again(table, capsys):
    table.by_hand("bone-ace", "9S", "9S", "KC")
    assert [event.get("card") for event in table.events][4:] == ["9S", "KC"]


def test_a_card_that_lies_there_already_is_refused_before_the_rest_of_a_hand(table):
    """Else only the last card would be asked for again, for ever, whichever was wrong."""
    table.by_hand(
        "one-and-thirty", "stick:0", "stick:1", "KS", "KS", "KS", "QS", "3D", "8D", "KS", "4C", "5C"
    )
    hands = [event["cards"] for event in table.events if event["e"] == "reveal"]
    assert hands == [["KS", "QS", "3D"], ["8D", "4C", "5C"]]


def test_a_card_is_corrected_from_the_list_behind_menu(table):
    table.by_hand(
        "bone-ace", "9S", "KC", "menu", "#3", "#1", "9D",  # the newest is the first
        "stick:0", "stick:1", "2S", "3S", "4H", "5H",
    )  # fmt: skip
    corrections = [event for event in table.events if event["e"] == "correct"]
    assert [(each["was"], each["card"]) for each in corrections] == [("9S", "9D")]
    assert table.settled() == {"0": -2, "1": 2}


def test_a_throw_is_corrected_from_the_list_behind_menu(table):
    table.by_hand("knucklebones", "b33441", "#0", "menu", "left", "have", "b33641", "b66", "#0")
    corrections = [event for event in table.events if event["e"] == "correct"]
    assert [(each["seat"], each["pos"], each["face"]) for each in corrections] == [(0, 2, 6)]


def test_the_list_closes_by_undo_and_by_menu(table):
    table.by_hand("bone-ace", "menu", "menu", "menu", "undo", "9S", "KC")
    assert [event.get("card") for event in table.events][4:] == ["9S", "KC"]


def test_a_misdeal_is_called_from_the_list(table):
    table.by_hand("bone-ace", "9S", "KC", "menu", "#2")
    assert table.kinds[-1] == "misdeal"


def test_any_card_takes_at_most_nine_presses():
    most = [len(presses(rank + suit)) for rank in "A23456789TJQK" for suit in "SHDC"]
    assert max(most) <= 9
    assert sorted(most)[len(most) // 2] <= 6


# With a camera before


def test_a_hand_begun_by_camera_is_finished_by_hand_at_the_next_start(table):
    log = written(table.folder / "log.jsonl", bone_ace(third=("9H",)))
    assert table.play("bone-ace", "--readings", log) == 0
    assert table.kinds == ["deal"] * 6
    table.by_hand("bone-ace", "stick:0", "stick:1", "2S", "3S", "4H", "5H")
    assert table.settled() == {"0": -2, "1": 2}


def test_a_hand_begun_by_camera_is_finished_by_hand_when_the_mat_is_lost(table):
    lines = [
        *bone_ace(third=("9H",)),
        '{"t":20,"mat":false}',
        *log_lines(21, "menu", "stick:0", "stick:1", "2S", "3S", "4H", "5H"),
    ]
    assert table.play("bone-ace", "--readings", written(table.folder / "log.jsonl", lines)) == 0
    assert table.settled() == {"0": -2, "1": 2}


def test_a_throw_seen_by_camera_is_corrected_and_the_next_ones_entered_when_the_mat_is_lost(table):
    thrown = [{"bone": p, "x": 280.0 + 60 * n, "y": 300.0} for n, p in enumerate((3, 3, 4, 4, 1))]
    lines = [
        '{"t":0,"lies":[]}',
        '{"t":1,"hand":0}',
        json.dumps({"t": 2, "lies": thrown}),
        '{"t":20,"mat":false}',
        *log_lines(21, "menu", "menu", "left", "have", "b33641", "#1", "b4", "b33441", "#0"),
    ]
    log = written(table.folder / "log.jsonl", lines)
    assert table.play("knucklebones", "--readings", log) == 0
    rolls = [event["faces"] for event in table.events if event["e"] == "roll"]
    assert rolls == [[3, 3, 4, 4, 1], [4], [3, 3, 4, 4, 1]]
    corrections = [event for event in table.events if event["e"] == "correct"]
    assert [(each["seat"], each["pos"], each["face"]) for each in corrections] == [(0, 2, 6)]
    assert table.settled() == {"0": 1, "1": -1}, "21 against 15"


def test_what_was_entered_is_marked_in_the_journal(table):
    table.by_hand("bone-ace", "9S", "KC")
    assert table.record()["assumed"] == [[number, BY_HAND] for number in range(6)]


# Arguments


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--camera", "auto"], "--no-camera sees nothing; leave out --camera"),
        (["--keep-readings", "x"], "leave out --keep-readings"),
        (["--readings", "x"], "leave out --no-camera"),
    ],
)
def test_arguments_of_a_camera_are_refused(table, capsys, words, why):
    assert table.play("bone-ace", "--no-camera", *words) == 2
    assert why in capsys.readouterr().err


def test_a_game_with_cards_that_change_places_in_the_middle_is_refused(table, capsys):
    assert table.play("scat", "--preset", "switch", "--no-camera") == 2
    assert "only a camera can follow" in capsys.readouterr().err


def test_a_booth_without_a_camera_asks_what_lies_there(table, capsys, monkeypatch):
    """Three presses begin a hand; then HAVE enters the card that is marked, as at a table.

    Nobody sees or hears it: it keeps no time and opens no sound device.
    """
    booths, speakers = [], []
    build = app.build_booth
    monkeypatch.setattr(app, "open_speaker", lambda *args, **more: speakers.append(args))
    monkeypatch.setattr(app, "build_booth", lambda *a: booths.append(build(*a)) or booths[0])
    path = table.folder / "presses.jsonl"
    lines = [json.dumps({"frame": 4 * n, "button": "have"}) for n in range(1, 6)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["--booth", "--no-camera", "--headless", "--presses", str(path)]
    assert main(["play", "--journal", str(table.journal), *words]) == 0
    assert table.kinds == ["cut"]
    assert "Player 1 cuts" in capsys.readouterr().out
    assert (booths[0].frame_s, speakers) == (0.0, [])


# In a window


class TypedWindow(Window):
    """The real window, into which somebody types a key a frame; they leave with q."""

    def __init__(self, size, *, typed, titles, **more):
        super().__init__(size, headless=True, **more)
        self._typed, self._titles = list(typed), titles

    def keys(self):
        return [self._typed.pop(0) if self._typed else "q"]

    def show_page(self, page, time_s=0.0):
        super().show_page(page, time_s)
        self._titles.append(Translator.of("en").render(page.title))


def test_a_table_in_a_window_has_the_menu_and_the_key_that_ends_it(table, monkeypatch, capsys):
    titles = []
    typed = ["m", *["s"] * 4, "h", "u", "m", "s"]
    monkeypatch.setattr(app, "Window", partial(TypedWindow, typed=typed, titles=titles))
    monkeypatch.setattr(app, "require_screen", lambda: None)
    monkeypatch.setattr(app, "FRAME_S", 0.001)
    monkeypatch.setattr(app, "open_speaker", lambda *args, **more: SilentSpeaker())
    words = ["--players", "Ann,Bess", "--game", "one-and-thirty", "--dealer", "1", "--no-camera"]
    assert main(["play", "--journal", str(table.journal), *words]) == 0
    assert list(dict.fromkeys(titles)) == ["Menu", "What was read wrongly?"]
    assert "Ann and Bess sit down" in capsys.readouterr().out
    assert table.kinds == [*["deal"] * 6, "stick"], "behind the menu the table goes on"
