"""Records, configs, journals, decks and calibrations of strangers: bounded, and a clear error."""

import contextlib
import io
import json
import shutil
import sqlite3
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from device.cli import main
from device.clock import HandClock
from device.commands import replay as replay_command
from device.commands.common import find_session
from device.config import model as config_module
from device.config.model import ConfigError
from device.runtime.session import Session
from device.storage.custom_sets import load_set
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from device.storage.lens_file import CalibrationError, load_lens
from device.storage.record_files import LARGEST_FILE, RecordFileError, load_json
from display.i18n.translate import Translator
from engine import Card, Player
from engine.core.errors import BoneAceError
from engine.core.events import Deal, Facing
from engine.core.players import PlayersError
from engine.core.text.limits import (
    LARGEST_NUMBER,
    LONGEST_TEXT,
    MOST_EVENTS,
    MOST_IN_A_HAND,
    escape_controls,
)
from engine.records.record import RecordError
from engine.records.record import read as read_record
from engine.records.referee import CaseError, cases_of, differences, replay
from tests.support import untrusted_input
from tests.support.mat_readings import NAMES
from vision.bones.classifier import FEATURES, KINDS, NETWORK
from vision.bones.custom_set import MOST_SAMPLES, MOST_SHOWINGS, CustomBoneSet
from vision.cards.custom_deck import MOST_PARTS, CustomDeck
from vision.cards.geometry import READ
from vision.errors import EnrolmentError
from vision.models import digest

CASES = Path(__file__).with_name("cases")
FEW = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
PLAYERS = [{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bess"}]


def case(events, **more):
    return {"game": "bone-ace", "players": PLAYERS, "dealer": 1, "events": events, **more}


def judge(document):
    """What boneace referee --check does with a document."""
    for each in cases_of(document):
        json.dumps(differences(each, replay(each)) if "expect" in each else replay(each))


# --- game records -------------------------------------------------------------------------------


def test_a_million_events_are_refused_before_the_first_is_played(monkeypatch):
    played = []
    monkeypatch.setattr("engine.records.referee.apply", lambda *args: played.append(args))
    monkeypatch.setattr("engine.records.record.event_from_dict", lambda *args: played.append(args))
    many = [{"e": "undo"}] * 1_000_000
    with pytest.raises(CaseError, match=f"1000000 are too many, at most {MOST_EVENTS}"):
        replay(case(many))
    record = {"format": "boneace-record", "version": 1, **case(many)}
    with pytest.raises(RecordError, match="are too many"):
        read_record(record)
    assert played == []


def test_a_hand_without_end_is_broken_off():
    """Each UNDO folds the hand again: an endless one would take the square of its length."""
    stakes = [{"e": "stake", "seat": 0, "amount": 1 + n % 2} for n in range(MOST_IN_A_HAND + 1)]
    endless = {**case(stakes), "game": "knucklebones"}
    with pytest.raises(CaseError, match=rf"events\[{MOST_IN_A_HAND}\]: a hand of over"):
        replay(endless)
    assert replay({**endless, "events": stakes[:-1]})["rejected"] == []


def test_a_file_too_large_is_not_read(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(RecordFileError, match="too large"):
        load_json(path)


@pytest.mark.parametrize(
    "text",
    ['{"a": NaN}', '{"a": Infinity}', '{"a": 1' + "0" * 5000 + "}", '{"a": ' * 90_000, "\udcff"],
    ids=["nan", "infinity", "digits", "deep", "no unicode"],
)
def test_json_that_only_python_would_read(tmp_path, text):
    path = tmp_path / "odd.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(RecordFileError, match="damaged JSON"):
        load_json(path)


@pytest.mark.parametrize("depth", [200, 500, 900, 950, 980])
def test_deep_nesting_that_can_still_be_read_is_an_error_and_no_crash(tmp_path, capsys, depth):
    path = tmp_path / "deep.json"
    path.write_text('{"game": "bone-ace", "events": ' + "[" * depth + "]" * depth + "}")
    assert main(["referee", str(path)]) == 1
    assert "deep.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["Ann\x1b[2J", "a\nb", "\u202egnitirw", "x" * (LONGEST_TEXT + 1), 7, "\x9b31m"]
)
def test_names_that_would_paint_over_the_terminal_are_refused(name, tmp_path, capsys):
    with pytest.raises(PlayersError, match="is no name") as caught:
        Player(0, name)
    assert escape_controls(str(caught.value)) == str(caught.value)
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case([], players=[{"seat": 0, "name": name}, PLAYERS[1]])))
    assert main(["referee", str(path)]) == 1
    shown = capsys.readouterr()
    assert "\x1b" not in shown.err + shown.out
    assert "\x9b" not in shown.err + shown.out


@pytest.mark.parametrize(
    "name", ["Zoë", "O'Brien", "李雷", "علي", "क्‍ष", "Robert'); DROP TABLE x;--"]
)
def test_names_of_people_are_kept_as_they_are(name, tmp_path):
    with Journal(tmp_path / "journal.sqlite3") as journal:
        company = [Player(0, name), Player(1, "Bess")]
        session = Session.begin(journal, HandClock(), "bone-ace", company, dealer=1)
        session.apply(Deal(0, None))
        assert journal.sittings()[0].players[0]["name"] == name
        assert len(journal.events(1)) == 1
        (record,) = journal.open_sittings()
        assert Session.resume(journal, HandClock(), record).state == session.state


def test_titles_and_words_of_strangers_do_not_reach_the_terminal(tmp_path, capsys):
    evil = "\x1b]0;owned\x07"
    path = tmp_path / "case.json"
    for document in (
        case([], id=evil, expect={"hands": [evil]}),
        case([{"e": evil}], id="x"),
        case([], id=evil, expect={"state": {evil: evil}}),
    ):
        path.write_text(json.dumps(document))
        assert main(["referee", "--check", str(path)]) == 1
        shown = capsys.readouterr()
        assert "\x1b" not in shown.out + shown.err
        assert "\x07" not in shown.out + shown.err


@pytest.mark.parametrize("number", [LARGEST_NUMBER + 1, 10**4000])
def test_numbers_that_no_table_holds(number):
    bones = {**case([{"e": "stake", "seat": 0, "amount": number}]), "game": "knucklebones"}
    for document in (
        bones,
        case([], options={"stake": number}),
        case([], players=[{"seat": number, "name": "Ann"}, PLAYERS[1]]),
    ):
        with pytest.raises(BoneAceError):
            replay(document)
    assert replay(case([], options={"stake": LARGEST_NUMBER}))


@FEW
@given(untrusted_input.spoilt())
def test_the_referee_judges_or_refuses_whatever_it_is_given(document):
    with contextlib.suppress(BoneAceError):
        judge(document)


@FEW
@given(untrusted_input.ANYTHING)
def test_no_document_is_a_case_by_accident(document):
    with contextlib.suppress(BoneAceError):
        judge(document)
    with contextlib.suppress(BoneAceError):
        read_record(document)


@FEW
@given(untrusted_input.spoilt())
def test_records_are_read_or_refused(document):
    record = {"format": "boneace-record", "version": 1, "results": None, **document}
    record.pop("expect", None)
    with contextlib.suppress(BoneAceError):
        read_record(record).final()


@pytest.mark.parametrize("path", sorted((CASES / "records").glob("*")), ids=lambda path: path.name)
def test_records_that_were_found_stay_found(path, capsys):
    assert main(["referee", "--check", str(path)]) == 1
    shown = capsys.readouterr()
    assert path.name in shown.err + shown.out or "expected" in shown.out


# --- the config ---------------------------------------------------------------------------------


@FEW
@given(untrusted_input.TOML)
def test_any_config_is_taken_or_every_problem_is_named(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8", errors="replace")
    try:
        config_module.load([path])
    except ConfigError as problem:
        told = str(problem)
    else:
        return
    assert told


@pytest.mark.parametrize("path", sorted((CASES / "configs").glob("*")), ids=lambda path: path.name)
def test_configs_that_were_found_stay_found(path):
    with pytest.raises(ConfigError):
        config_module.load([path])


# --- the journal --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a journal with two sittings in it."""
    path = tmp_path_factory.mktemp("whole") / "journal.sqlite3"
    with Journal(path) as journal:
        for _ in range(2):
            company = [Player(seat, NAMES[seat]) for seat in range(3)]
            session = Session.begin(journal, HandClock(), "bone-ace", company, dealer=2)
            for number in range(9):
                third = None if number < 6 else Card.parse(("7H", "8S", "9D")[number % 3])
                session.apply(Deal(number % 3, third, Facing.UP if third else Facing.DOWN))
    return path.read_bytes()


def tell(path):
    """What boneace replay does with a journal."""
    with JournalReader(path) as journal:
        replay_command.story_of_session(journal, find_session(journal, None), Translator.of("en"))


@FEW
@given(rows=untrusted_input.ROWS)
def test_a_journal_written_over_by_a_stranger_is_told_or_refused(whole, tmp_path, rows):
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(whole)
    untrusted_input.spoil_rows(path, rows)
    with contextlib.suppress(BoneAceError):
        tell(path)
    with Journal(path) as journal:
        Session.resume_last(journal, HandClock())


@settings(FEW, max_examples=30)
@given(harm=untrusted_input.damage(24576))
def test_a_damaged_journal_is_opened_or_refused_and_never_changed_where_it_lies(
    whole, tmp_path, harm
):
    folder = tmp_path / "journal"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "journal.sqlite3"
    hurt = untrusted_input.damaged(whole, harm)
    path.write_bytes(hurt)
    with contextlib.suppress(BoneAceError):
        tell(path)
    assert path.read_bytes() == hurt, "who only reads changes nothing"
    try:
        with Journal(path) as journal:
            Session.resume_last(journal, HandClock())
            journal.notices.clear()
    except JournalError:
        assert path.read_bytes() == hurt, "what is refused is not touched"
    else:
        kept = [each for each in folder.iterdir() if each.name.startswith("journal.sqlite3.dam")]
        for aside in kept:
            if not aside.name.endswith(("-wal", "-shm")):
                assert aside.read_bytes() == hurt, "what is put aside is kept as it was"


JOURNALS = sorted((CASES / "journals").glob("*"))


@pytest.mark.parametrize("case_path", JOURNALS, ids=lambda path: path.name)
def test_journals_that_were_found_stay_found(tmp_path, case_path):
    """Each made a start fail without a word; now it is put aside, or refused with one."""
    path = tmp_path / "journal.sqlite3"
    shutil.copyfile(case_path, path)
    if "no-text" in case_path.name:
        # Its mark is gone as well, so that it may be anybody's: it is refused, and not touched.
        for opens in (JournalReader, Journal):
            with pytest.raises(JournalError):
                opens(path)
        assert path.read_bytes() == case_path.read_bytes()
        return
    with JournalReader(path) as journal:
        assert journal.check()
    with Journal(path) as journal:
        (notice,) = journal.notices
        assert "The journal was damaged. It is kept as" in notice
        Session.resume_last(journal, HandClock())
    (aside,) = tmp_path.glob("journal.sqlite3.damaged-*[0-9]")
    assert aside.read_bytes() == case_path.read_bytes()


def test_a_journal_of_somebody_else_with_our_number_is_refused(tmp_path):
    path = tmp_path / "journal.sqlite3"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE people (name TEXT)")
    db.execute("PRAGMA application_id = 1112493637")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError):
        tell(path)
    assert path.read_bytes() == before


# --- decks, bones, lenses -----------------------------------------------------------------------


def deck_file(path, parts, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in parts:
            archive.writestr(name, data)
    return path


ABOUT = ("deck.json", json.dumps({"format": 1, "name": "mine"}))


def crop_of(height, width):
    return cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))[1].tobytes()


def test_a_sound_deck_of_a_stranger_is_read(tmp_path):
    crop = crop_of(READ.height, READ.width)
    deck = load_set(CustomDeck, deck_file(tmp_path / "a.deck", [ABOUT, ("AS-1.jpg", crop)]))
    assert [str(card) for card in deck.looks] == ["AS"]


@pytest.mark.parametrize(
    "parts",
    [
        [ABOUT, ("AS-1.jpg", bytes(40 * 2**20))],
        [ABOUT, *((f"{n}.txt", b"") for n in range(MOST_PARTS + 1))],
        [("deck.json", b" " * (40 * 2**20))],
    ],
    ids=["a picture", "files", "about"],
)
def test_an_archive_that_unpacks_to_more_is_not_unpacked(tmp_path, parts, monkeypatch):
    path = deck_file(tmp_path / "bomb.deck", parts, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 2**20

    def read(self, name, pwd=None):
        raise AssertionError("a bomb was unpacked")

    monkeypatch.setattr(zipfile.ZipFile, "read", read)
    with pytest.raises(EnrolmentError, match="is no taught deck"):
        load_set(CustomDeck, path)


def test_a_deck_of_wrong_pictures_or_names_is_refused(tmp_path):
    for number, parts in enumerate(
        [
            [ABOUT, ("AS-1.jpg", crop_of(READ.height + 1, READ.width))],
            [ABOUT, ("AS-1.jpg", b"torn")],
            [("deck.json", b"[" * 100_000)],
            [("deck.json", b"[]")],
            [("deck.json", json.dumps({"format": 1, "name": "\x1b[2J"}))],
        ]
    ):
        with pytest.raises(EnrolmentError):
            load_set(CustomDeck, deck_file(tmp_path / f"{number}.deck", parts))
    large = tmp_path / "large.deck"
    with large.open("wb") as file:
        file.truncate(CustomDeck.LARGEST_FILE + 1)
    with pytest.raises(EnrolmentError, match="too large"):
        load_set(CustomDeck, large)


@FEW
@given(harm=untrusted_input.damage(600))
def test_a_damaged_deck_is_read_or_refused(tmp_path, harm):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(*ABOUT)
        archive.writestr("AS-1.jpg", crop_of(20, 20))
    path = tmp_path / "hurt.deck"
    path.write_bytes(untrusted_input.damaged(out.getvalue(), harm))
    with contextlib.suppress(EnrolmentError):
        load_set(CustomDeck, path)


@pytest.mark.parametrize("path", sorted((CASES / "decks").glob("*")), ids=lambda path: path.name)
def test_decks_that_were_found_stay_found(path):
    with pytest.raises(EnrolmentError):
        load_set(CustomDeck, path)


def bones_file(path, samples, **more):
    head = {"format": 1, "bones": "mine", "network": digest(NETWORK), "samples": samples}
    path.write_text(json.dumps(head | more))
    return path


def look(face="flat", showing=1, value=0.5):

    return {
        "face": face,
        "showing": showing,
        "features": [value] * FEATURES,
        "kinds": [1 / KINDS] * KINDS,
    }


@pytest.mark.parametrize(
    ("samples", "more"),
    [
        ([look()] * (MOST_SAMPLES + 1), {}),
        ([look(showing=n) for n in range(MOST_SHOWINGS + 1)], {}),
        ([look(value=float("nan"))], {}),
        ([look(value=1e300)], {}),
        ([look(showing=float("inf"))], {}),
        ([look("sideways")], {}),
        ([look()], {"bones": "\x1b[2J"}),
        ({"a": 1}, {}),
        (None, {}),
    ],
    ids=["looks", "showings", "nan", "huge", "infinity", "face", "name", "object", "nothing"],
)
def test_a_set_of_bones_of_a_stranger_is_bounded(tmp_path, samples, more):
    with pytest.raises(EnrolmentError, match=r"bones\.json"):
        load_set(CustomBoneSet, bones_file(tmp_path / "bones.json", samples, **more))


@pytest.mark.parametrize(
    "text",
    [
        '{"bend": NaN, "width_px": 640, "height_px": 480}',
        '{"bend": Infinity, "width_px": 640, "height_px": 480}',
        '{"bend": 1e999, "width_px": 640, "height_px": 480}',
        '{"bend": 0.1, "width_px": NaN, "height_px": 480}',
        '{"bend": 0.1, "width_px": Infinity, "height_px": 480}',
        '{"bend": 0.1, "width_px": 1e300, "height_px": 480}',
        '{"bend": 0.1, "width_px": 0, "height_px": 480}',
        '{"bend": "0.1.2", "width_px": 640, "height_px": 480}',
        '{"bend": [], "width_px": 640, "height_px": 480}',
        "[" * 9000,
        "[1, 2, 3]",
        "null",
        "",
        '{"bend": 0.1, "width_px": 640, "height_px": 480}' + " " * 20_000 + "x",
    ],
)
def test_a_calibration_that_is_no_number_is_damaged(tmp_path, text):
    path = tmp_path / "lens.json"
    path.write_text(text)
    with pytest.raises(CalibrationError, match="measure the lens again"):
        load_lens(path)
