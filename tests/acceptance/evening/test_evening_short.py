"""Some minutes of the evening of ``evening.py``, with every mishap in them."""

import contextlib
import json
import math
from dataclasses import replace

import pytest

from device.simulator.deck.faces import DECK_STYLES
from engine.games import catalog
from tests.acceptance.evening import replay
from tests.acceptance.evening.evening import DECK_WEIGHTS, TURNS, Evening
from tests.acceptance.evening.meters import (
    MEASURED,
    PAGE,
    compare,
    failings,
    hourly,
    lines_of,
    page_of,
)
from tests.acceptance.evening.oracle_reader import KnowingWatch

SHORT = tuple((game, preset, 1 if game == "scat" else 2) for game, preset, _ in TURNS[:7])
SMALL = (320, 240)

MISHAPS = {
    "a bone falls off the mat", "a bone is bumped", "a card falls off the mat",
    "a card falls on another's place", "a card is exposed", "a held card is dropped",
    "a screen is looked at", "a stray card", "another deck", "buttons at once",
    "cards are lifted", "everybody goes away", "somebody dithers", "somebody joins",
    "somebody leaves between hands", "somebody leaves in mid-play", "the camera is unplugged",
    "the mat is knocked",
}  # fmt: skip


OWN_WAYS = {"HAVE unsaid", "STICK unsaid", "number unpressed", "hand left over the mat"}
"""What some of these people do, and others hardly ever."""


def knowing_eyes(room):
    watch = KnowingWatch(room)
    return lambda game, options: watch


@pytest.fixture
def evening(tmp_path, capsys):
    made = Evening(
        tmp_path, seed=17, eyes=knowing_eyes, size=SMALL, screen=(480, 320), pace=0.2, every_s=6.0
    )
    with contextlib.closing(made):
        yield made


def played(evening, turns):
    """Play, close, and return what was found."""
    for turn in turns:
        evening.sitting(*turn)
    evening.meters.sample(evening)
    evening.close()
    return evening.meters.told(evening)


def test_every_game_and_every_mishap_and_the_ledger_is_right(evening, tmp_path, capsys):
    found = played(evening, SHORT)
    assert failings(found, full=False) == []
    assert {game for game, _preset in found["games"]} == {g.name for g in catalog.all_games()}
    assert found["sittings"] == len(SHORT)
    assert found["compared"] >= len(SHORT)
    assert sum(found["ledger"].values()) == 0
    assert any(found["ledger"].values()), "somebody has won something"
    assert not MISHAPS - found["mishaps"].keys()
    assert not OWN_WAYS - found["mishaps"].keys()
    mended = found["mended"]
    assert mended["asked: card"], "a reading was in doubt, and settled by an answer"
    assert mended["UNDO"], "a button was wrong, and taken back"
    assert found["warnings"], "the unplugged camera was told"
    told = "\n".join(lines_of(found))
    assert "**wrong: 0**" in told
    start = min(int(each.stem[9:]) for each in tmp_path.glob("readings-*.jsonl"))
    capsys.readouterr()
    replay.main([str(tmp_path), str(start), "--histories", "0"])
    shown = capsys.readouterr().out
    assert "  + Deal(seat=" in shown
    assert "LIES" in shown
    assert "the mat is knocked" in told


def test_what_was_not_played_is_found_in_the_journal(evening):
    evening.every_s = evening._next_mishap_s = math.inf
    found = played(evening, SHORT[:1])
    assert found["wrong"] == []
    (number,) = evening.played
    true = evening.played[number]
    # As if somebody else had won: the evening must see that the disk says otherwise.
    *before, last = true.state.hands
    other = replace(last, winners=(*last.winners, 9))
    evening.played[number] = Told(true, (*before, other))
    assert any("winners" in each for each in compare(evening)["wrong"])
    evening.played[number] = Told(true, tuple(before))
    assert any("hands on disk" in each for each in compare(evening)["wrong"])
    evening.played.clear()
    assert any("sittings on disk" in each for each in compare(evening)["wrong"])


class Told:
    """A true game with other hands."""

    def __init__(self, true, hands):
        self.game, self.state = true.game, State(true.state, hands)


class State:
    """A state with other hands."""

    def __init__(self, state, hands):
        self.hands, self.players = hands, state.players
        self.ledger, self.setup = state.ledger, state.setup


def evening_of(**changes):
    """Return the figures of a good evening of three hours, with *changes*."""
    samples = [
        {"at_s": 600.0 * n, "memory_mb": 300.0, "journal": 12_000 * n, "wal": 4_000_000,
         "pictures": n, "others": 100, "hands": 3 * n, "events": 100 * n, "readings": n,
         "corrections": 0, "questions": 0, "warnings": 0, "frames": n, "presses": n}
        for n in range(19)
    ]  # fmt: skip
    found = {
        "wrong": [], "failures": [], "mended": {}, "compared": 60,
        "mishaps": {"the camera is unplugged": 2},
        "warnings": {"no camera found; check its cable": 2}, "samples": samples,
    }  # fmt: skip
    found |= changes
    return found | {"hours": hourly(found["samples"])}


def test_a_good_evening_is_not_blamed():
    found = evening_of()
    assert [row["hands"] for row in found["hours"]] == [18, 18, 18]
    assert failings(found) == []


def grown(name, by, late=1800.0):
    """Return samples of which *name* grows by *by* every ten minutes, later than *late*."""
    samples = evening_of()["samples"]
    for number, sample in enumerate(samples):
        if sample["at_s"] > late:
            sample[name] += by * number
    return samples


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"warnings": {"no camera found; check its cable": 3}}, "3 times for 2 causes"),
        ({"warnings": {"the disk is odd": 1}}, "nothing explains"),
        ({"failures": [(1.0, "ValueError()")]}, "a step failed"),
        ({"wrong": ["hand 3: winners"]}, "hand 3"),
        ({"mended": {"hands given up": 4}}, "given up"),
        ({"samples": grown("memory_mb", 6.0, 3600.0)}, "memory grows"),
        ({"samples": grown("journal", 12_000, 7200.0)}, "bytes an event"),
        ({"samples": grown("wal", 1_000_000)}, "WAL"),
    ],
)
def test_what_is_not_flat_or_not_right_is_told(changes, said):
    assert any(said in each for each in failings(evening_of(**changes)))


def test_the_page_tells_what_was_measured_and_all_of_it_holds():
    found = json.loads(MEASURED.read_text(encoding="utf-8"))
    assert PAGE.read_text(encoding="utf-8") == page_of(found)
    assert failings(found) == []
    assert found["samples"][-1]["at_s"] >= 3 * 3600


def test_every_deck_is_taken():
    assert len(DECK_WEIGHTS) == len(DECK_STYLES)
