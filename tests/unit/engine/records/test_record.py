"""Game records: they read back, they hold all there is, and old ones stay readable."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from engine import BoneAceError, Card, Deal, Undo, apply
from engine.records.record import Record, RecordError, as_case, changes, read, write
from engine.records.referee import differences, replay
from engine.records.schema import schema
from tests.support.paths import ROOT
from tests.support.rulebook import RECORDS

KEPT = sorted(Path(__file__).with_name("kept").glob("*.json"))


@pytest.fixture
def evening(sit, deal):
    """A finished hand and the next one begun, with an undo and a correction in it."""
    script = f"{deal('KH 9D 5C', 'TD 8S 7H', '2C 3C 4C')} s0 h1 undo s1 h2 27D s2 fix1:8S>9S next"
    return sit(script, seats=3, dealer=2, stake=2)


@pytest.fixture
def record(evening):
    setup = evening.setup
    start = sit_again(evening)
    events = tuple((1.5 * place, event) for place, event in enumerate(evening.events))
    assert setup == start.setup
    return Record(start, events, started="2026-11-21T19:30:00Z", title="Sitting 1", program="test")


def sit_again(state):
    from engine import new_table

    setup = state.setup
    return new_table(
        setup.game.name,
        setup.players,
        dealer=setup.dealer,
        preset=setup.preset,
        options={"stake": setup.options.stake},
    )


def test_a_record_reads_back_and_says_the_same(record, evening):
    document = json.loads(json.dumps(write(record)))
    again = read(document)
    assert again.final() == record.final()
    assert again.final().hands == evening.hands
    assert [event for _, event in again.events] == list(evening.events)
    assert [at for at, _ in again.events] == [at for at, _ in record.events]
    assert write(again) == document


def test_a_record_fits_its_schema_and_the_schema_is_on_the_page(record):
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(write(record), schema())
    kept = json.loads((ROOT / "docs/reference/record.schema.json").read_text(encoding="utf-8"))
    assert kept == schema(), (
        "write it again: python -m engine.records.schema > docs/reference/record.schema.json"
    )


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"version": "1"}, "version"),
        ({"events": [{"e": "deal", "seat": 0, "card": "1H"}]}, "events"),
        ({"events": [{"e": "stick"}]}, "events"),
        ({"events": [{"e": "stick", "seat": 0, "sead": 1}]}, "events"),
        ({"players": [{"seat": 0}, {"seat": 1, "name": "B"}]}, "players"),
        ({"more": 1}, ""),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(record, change, where):
    document = write(record) | change
    with pytest.raises(jsonschema.ValidationError) as found:
        jsonschema.validate(document, schema())
    assert where in [*found.value.absolute_path, ""]
    with pytest.raises(BoneAceError):
        read(document)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "boneace export"),
        ({"version": 99}, "newer boneace"),
        ({"version": 0}, "is no version"),
        ({"version": True}, "is no version"),
        ({"events": {}}, "events: missing, or no list"),
        ({"events": ["stick"]}, r"events\[0\]"),
        ({"events": [{"t": "now", "e": "undo"}]}, r"events\[0\].t"),
        ({"title": 7}, "title"),
        ({"playrs": []}, "did you mean 'players'"),
        ({"game": "tarock"}, "unknown game 'tarock'"),
        ({"options": {"stakes": 1}}, "did you mean 'stake'"),
    ],
)
def test_what_is_wrong_with_a_record_is_named(record, change, said):
    with pytest.raises(BoneAceError, match=said):
        read(write(record) | change)


def test_a_record_is_an_object():
    with pytest.raises(RecordError, match="not an object"):
        read([])


def test_an_event_that_cannot_be_is_named_with_its_place(record, card):
    broken = Record(record.opening, ((None, Deal(0, card("KH"))), (None, Deal(1, card("KH")))))
    with pytest.raises(RecordError, match=r"events\[1\]: refused"):
        write(broken)


def test_the_referee_takes_a_record_as_a_case(record):
    document = write(record)
    case = as_case(document)
    assert differences(case, replay(case)) == []
    document["results"]["hands"][0]["settlement"]["0"] += 1
    forged = as_case(document)
    assert any("settlement" in line for line in differences(forged, replay(forged)))


def test_all_options_are_kept_not_only_what_was_changed(record):
    assert write(record)["options"]["draw_from"] == "bottom"


def test_undone_events_stay_in_the_record(record):
    assert {"e": "undo"}.items() <= next(
        one for one in write(record)["events"] if one["e"] == "undo"
    ).items()
    assert Undo() in [event for _, event in record.events]


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_ot26_what_0_1_wrote_beside_the_project_is_judged_as_it_was_played(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    case = as_case(document)
    assert differences(case, replay(case)) == []
    assert changes(document, unsealed=True) == []
    again = write(read(document))
    worked_out = ("results", "digest")
    assert {key: again[key] for key in again if key not in worked_out} == {
        key: document[key] for key in document if key not in worked_out
    }


def as_version_1(case):
    """A record as 0.1 wrote it, without its results and digest."""
    old = {key: value for key, value in case.items() if key not in ("results", "digest")}
    options = dict(case["options"], late_31="single")
    del options["late_out"]
    return {**old, "version": 1, "options": options}


@pytest.mark.parametrize(
    ("script", "ends"),
    [
        # Ann went over in silence, then the dealer too: nobody is left at the showdown.
        ("h0 0?? s0 h1 1KD show0:9H,8D,5S,TC", {1: ("all-out", 0), 2: ("dealer-wins", 1)}),
        # Ann had 31 and did not say so: the best hand of the showdown, or the hand had ended.
        ("h0 0?? s0 s1 show0:9H,8D,5S,9C", {1: ("showdown", -1), 2: ("thirty-one", -2)}),
    ],
)
def test_ot26_a_record_of_version_1_is_judged_as_it_was_played(sit, script, ends):
    state = sit(f"0?? 1TD 0?? 1KC 0?? 12C {script}", seats=2)
    document = write(Record(sit(seats=2), tuple((None, event) for event in state.events)))
    for version, one in ((1, as_version_1(document)), (2, document)):
        (hand,) = read(one).final().hands
        assert (str(hand.end), dict(hand.settlement)[1]) == ends[version]
    kept = write(read(as_version_1(document)))
    assert (kept["version"], kept["options"]) == (1, as_version_1(document)["options"])


@pytest.mark.parametrize(("version", "banker"), [(1, 2), (2, 0)])
def test_ot26_the_bank_of_a_banker_who_leaves_went_to_the_left(version, banker):
    """Bess wins best and leaves; Ann, who won too, gets the bank now, and Cecil did then."""
    players = [{"seat": seat, "name": name} for seat, name in enumerate(("A", "B", "C", "D"))]
    throws = {0: [4, 4, 4, 3, 3], 1: [4, 4, 4, 4, 3], 2: [1, 1, 1, 1, 1], 3: [3, 3, 3, 3, 3]}
    events = []
    for seat, faces in throws.items():
        events.append({"e": "roll", "seat": seat, "faces": faces})
        events.append({"e": "choose", "seat": seat, "n": 0})
    events.append({"e": "leave", "seat": 1})
    about = {"format": "boneace-record", "version": version, "game": "knucklebones"}
    record = {**about, "players": players, "dealer": 3, "events": events}
    assert read(record).final().round.due == banker


def test_what_was_assumed_is_marked_and_read_back(record):
    document = write(replace(record, assumed=((3, "source"), (4, "silent_stick"))))
    assert document["assumed"] == [[3, "source"], [4, "silent_stick"]]
    assert read(document).assumed == ((3, "source"), (4, "silent_stick"))
    jsonschema.validate(document, schema())
    assert "assumed" not in write(record)
    assert "expect" in as_case(document)
    for wrong in ({}, [3], [[3]], [["3", "source"]], [[len(record.events), "source"]], [[-1, ""]]):
        with pytest.raises(RecordError, match="assumed"):
            read({**document, "assumed": wrong})


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_old_records_stay_readable_and_say_the_same(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    case = as_case(document)
    assert case["events"]
    assert case["expect"]["hands"]
    assert differences(case, replay(case)) == []


def test_there_are_old_records():
    games = {json.loads(path.read_text(encoding="utf-8"))["game"] for path in KEPT}
    assert {"one-and-thirty", "bone-ace"} <= games


def test_a_state_after_the_last_event_can_be_played_on(record):
    state = record.final()
    assert apply(state, Deal(1, Card.parse("2H"))).round.play is not None
