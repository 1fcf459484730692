"""``boneace bones stats``: faces counted from a made journal whose throws are known."""

from __future__ import annotations

import json

import pygame
import pytest

from device.cli import main
from device.clock import HandClock
from device.reports.bone_counts import BoneSetError, count_faces
from device.reports.fairness import (
    BLOCKS,
    CHART_CELLS,
    PLAIN,
    FaceShare,
    chart,
    faces_page,
    report,
    shares,
    verdict,
)
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from engine import Player
from engine.core.bones import Face
from engine.core.events import Choose, CorrectBone, Leave, NextHand, Roll, Undo
from engine.games.knucklebones.fairness import fit, wilson
from tests.support.old_journals import write_old
from tests.support.rechained import rechain
from tests.support.words import in_words

COMPANY = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite3"


def play(path, *events, game="knucklebones", bones=""):
    """Write one sitting; Cecil, at seat 2, holds the bank."""
    with Journal(path) as journal:
        session = Session.begin(
            journal, HandClock(), game, COMPANY, dealer=2 if game == "knucklebones" else None,
            bones=bones,
        )  # fmt: skip
        for event in events:
            session.apply(event)
        session.close()


def a_round(*throws, last=(3, 3, 3, 3, 3)):
    """Ann, Bess and the banker throw once each."""
    events = []
    for seat, faces in enumerate((*throws, last)):
        events.append(Roll(seat, faces))
        if sum(faces) <= 21:
            events.append(Choose(seat, 0))
    return events


def counted(path, bones=None):
    with JournalReader(path) as journal:
        return count_faces(journal, bones)


def by_face(counts):
    return tuple(counts.faces[face] for face in Face)


def test_every_face_of_every_throw_counts_once(path) -> None:
    first = Roll(0, (1, 3, 3, 4, 1)), Choose(0, 2), Roll(0, (1, 6))
    rest = Roll(1, (6, 6, 6, 3, 4)), Roll(2, (3, 3, 4, 4, 1)), Choose(2, 0)
    play(path, *first, *rest)
    counts = counted(path)
    assert by_face(counts) == (4, 5, 4, 4)
    assert tuple(counts.more[face] for face in Face) == (1, 0, 0, 1)
    assert (counts.bones, counts.throws, counts.rounds, counts.sittings) == (17, 4, 1, 1)


def test_what_players_put_right_is_the_truth(path) -> None:
    play(path, *a_round((1, 3, 3, 4, 4), (1, 3, 3, 4, 4)), CorrectBone(1, 0, 4, 6))
    counts = counted(path)
    assert by_face(counts) == (2, 9, 3, 1)
    assert counts.put_right == 1


def test_a_throw_taken_back_does_not_count_and_one_in_play_does(path) -> None:
    play(path, Roll(0, (6, 6, 1, 1, 1)), Undo(), Roll(0, (4, 4, 4, 4, 4)))
    counts = counted(path)
    assert by_face(counts) == (0, 0, 5, 0)
    assert counts.throws == 1


def test_throws_of_players_who_left_and_of_void_rounds_fell_all_the_same(path) -> None:
    whole = a_round((1, 3, 3, 4, 4), (4, 4, 4, 4, 4))
    play(path, *whole, Leave(0), NextHand(), Roll(2, (6, 6, 6, 1, 1)), Leave(1))
    counts = counted(path)
    assert by_face(counts) == (1 + 2, 2 + 5, 2 + 5, 3)
    assert counts.rounds == 2


def test_sets_are_counted_apart_and_all_together(path) -> None:
    play(path, Roll(0, (1,) * 5), bones="brass")
    play(path, Roll(0, (3,) * 5), bones="glass")
    play(path, Roll(0, (4,) * 5))
    play(path, Roll(0, (6, 1, 1, 1, 1)), bones="brass")
    assert by_face(counted(path, "brass")) == (9, 0, 0, 1)
    assert by_face(counted(path, "glass")) == (0, 5, 0, 0)
    assert by_face(counted(path)) == (9, 5, 5, 1)
    assert counted(path).sets == {"": 5, "brass": 10, "glass": 5}
    with pytest.raises(BoneSetError, match="did you mean 'brass'") as refused:
        counted(path, "bras")
    assert str(refused.value).endswith("boneace play --game knucklebones --bones NAME")


def test_sittings_with_cards_and_those_that_cannot_be_played_are_left_out(path, caplog) -> None:
    play(path, game="one-and-thirty")
    play(path, Roll(0, (3,) * 5))
    play(path, Roll(0, (4,) * 5))
    rechain(path, "UPDATE events SET event = replace(event, '4', '5') WHERE sitting = 3")
    counts = counted(path)
    assert by_face(counts) == (0, 5, 0, 0)
    assert "sitting 3: event 0 cannot be played" in caplog.text


def test_a_journal_from_before_sets_were_named_is_read_and_then_written_to(path) -> None:
    play(path.with_name("new.sqlite3"), Roll(0, (3,) * 5))
    write_old(path, "version 1", path.with_name("new.sqlite3"))
    assert by_face(counted(path)) == (0, 5, 0, 0)
    play(path, Roll(0, (4,) * 5), bones="brass")
    assert counted(path).sets == {"": 5, "brass": 5}


def fallen(flat, concave, convex, twisted):
    """Counts of bones that fell so, in first throws."""
    from device.reports.bone_counts import FaceCounts

    faces = dict(zip(Face, (flat, concave, convex, twisted), strict=True))
    return FaceCounts(faces, dict.fromkeys(Face, 0), throws=1, rounds=1, sittings=1)


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((1, 2, 2, 0), "Too few bones to judge"),
        ((9, 30, 33, 8), "Your bones may be fair (p = 0.96)"),
        ((16, 30, 28, 6), "Perhaps your bones are not fair (p = 0.0"),
        ((40, 15, 15, 10), "Your bones do not fall as published (p < 0.001)"),
        ((9, 0, 0, 0), "Your bones do not fall as published (p < 0.001)"),
    ],
    ids=["few", "fair", "doubtful", "loaded", "few but loaded"],
)
def test_a_verdict_for_people(faces, words) -> None:
    counts = fallen(*faces)
    said = str(verdict(counts, fit(counts.faces)))
    assert said.startswith(words)
    assert ("flat" in said) == (faces[0] > 9 or faces[1] == 0)


def test_every_face_is_told_with_its_bounds_and_what_is_published() -> None:
    lines = list(report(fallen(9, 30, 31, 10), None, PLAIN))
    low, high = wilson(31, 80)
    assert any(
        line == f"The convex side fell 31 of 80 times: 0.39, likely between {low:.2f} and "
        f"{high:.2f}; published 0.40."
        for line in lines
    )
    assert sum(line.startswith("The ") for line in lines) == 4
    assert [row.published for row in shares(fallen(1, 1, 1, 1))] == [0.1, 0.4, 0.4, 0.1]


def test_the_chart_is_as_long_as_the_share_and_marks_what_is_published() -> None:
    row = FaceShare(Face.FLAT, 5, share=0.25, low=0.125, high=0.5, published=0.75)
    line = chart(row, 1.0, PLAIN)
    assert line.count("#") == CHART_CELLS // 4
    assert line.startswith("#" * (CHART_CELLS // 4))
    assert line.rindex("-") == CHART_CELLS // 2
    assert line.index("|") == 3 * CHART_CELLS // 4
    assert chart(row, 1.0, BLOCKS).count("█") == CHART_CELLS // 4


def test_the_command_prints_a_chart_and_paints_one(path, tmp_path, capsys) -> None:
    play(path, *a_round((1, 3, 3, 4, 4), (1, 3, 3, 4, 4)), bones="brass")
    picture = tmp_path / "deep" / "bones.png"
    arguments = ["bones", "stats", "--journal", str(path), "--set", "brass"]
    assert main([*arguments, "--picture", str(picture)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("brass: 15 bones in 3 throws, 1 round, 1 sitting.\n")
    assert "The concave side fell 9 of 15 times" in out
    assert "Too few bones to judge" in out
    assert str(picture) in err
    assert pygame.image.load(str(picture)).get_size() == (1200, 900)


def test_the_picture_speaks_the_language_of_the_screen() -> None:
    page = in_words(faces_page(fallen(10, 40, 40, 10), "brass"), "de")
    assert page.title != "How the bones fell"
    assert {"Diese", "Spielknochen"} <= {*page.headline.split()}
    assert {bar.name for bar in page.bars}.isdisjoint({"flat", "twisted"})
    assert [bar.count for bar in page.bars] == [10, 40, 40, 10]


def test_json_holds_counts_bounds_and_the_test(path, capsys) -> None:
    throws = Roll(0, (1, 3, 3, 4, 4)), Choose(0, 1), Roll(0, (6,))
    play(path, *throws, bones="brass")
    assert main(["bones", "stats", "--journal", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bones"] == 6
    assert told["sets"] == {"brass": 6}
    twisted = told["faces"][-1]
    assert (twisted["face"], twisted["value"], twisted["count"]) == ("twisted", 6, 1)
    assert (twisted["first_throws"], twisted["later_throws"]) == (0, 1)
    assert (twisted["low"], twisted["high"]) == pytest.approx(wilson(1, 6), abs=1e-4)
    assert told["test"]["name"] == "exact multinomial"
    assert told["test"]["p"] == pytest.approx(fit({**dict.fromkeys(Face, 1), Face.CONCAVE: 2,
                                                   Face.CONVEX: 2}).p)  # fmt: skip
    assert told["test"]["few"] is True


def test_without_any_throw_it_says_how_to_come_by_some(path, capsys) -> None:
    play(path, game="one-and-thirty")
    assert main(["bones", "stats", "--journal", str(path)]) == 1
    assert "play --game knucklebones" in capsys.readouterr().err
    assert main(["bones", "stats", "--journal", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["test"] is None
