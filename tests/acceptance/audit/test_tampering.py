"""A record that somebody has changed: what notices it, and what it takes to go unnoticed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from copy import deepcopy

import pytest

from device.cli import main
from engine.records.record import digest
from tests.acceptance.audit.audit_sessions import RECORDS, ROOT, keep, record_of

JUDGES = (("referee", "--check"), ("ledger", "--audit"), ("replay",))


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """One-and-Thirty, exported: four hands, one of them void, readings put right."""
    folder = tmp_path_factory.mktemp("original")
    path = next(path for path in RECORDS if path.stem == "one-and-thirty")
    journal = keep(folder / "journal.sqlite3", [record_of(path)])
    assert main(["export", "--journal", str(journal), "--out", str(folder / "a.json")]) == 0
    return json.loads((folder / "a.json").read_text(encoding="utf-8"))


def judged(document, folder, *more):
    """Let every judge look at *document*; return their exit statuses."""
    path = folder / "tampered.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return [main([*words, *more, str(path)]) for words in JUDGES]


def one_token(document):
    settlement = document["results"]["hands"][0]["settlement"]
    settlement["0"] += 1
    settlement["1"] -= 1


def one_key(document):
    del document["results"]["hands"][0]["settlement"]


def one_hand(document):
    document["results"]["hands"].pop()


def one_card(document):
    deal = next(event for event in document["events"] if event.get("card", "??") != "??")
    seen = {event.get("card") for event in document["events"]}
    deal["card"] = next(code for code in ("2C", "3C", "4C", "5C", "6C") if code not in seen)


def one_event_less(document):
    del document["events"][-1]


def one_time(document):
    document["events"][3]["t"] += 60


def one_option(document):
    document["options"]["stake"] += 1


def one_name(document):
    document["players"][0]["name"] = "Nan"


def one_rule(document):
    document["options"]["draw_from"] = "any"


CHANGES = [
    one_token,
    one_key,
    one_hand,
    one_card,
    one_event_less,
    one_time,
    one_option,
    one_name,
    one_rule,
]


def test_the_original_passes_everywhere(original, tmp_path):
    assert judged(original, tmp_path) == [0, 0, 0]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_noticed_by_every_judge(original, tmp_path, change, capsys):
    document = deepcopy(original)
    change(document)
    assert document != original
    assert judged(document, tmp_path) == [1, 1, 1]
    said = capsys.readouterr()
    assert "digest: does not fit" in said.out + said.err


@pytest.mark.parametrize(
    "change", [one_token, one_key, one_hand, one_option], ids=lambda change: change.__name__
)
def test_what_touches_the_tokens_is_noticed_without_the_digest(original, tmp_path, change):
    document = deepcopy(original)
    change(document)
    del document["digest"]
    assert judged(document, tmp_path, "--unsealed") == [1, 1, 1]


@pytest.mark.parametrize("change", [one_token, one_option], ids=lambda change: change.__name__)
def test_and_with_a_digest_made_anew(original, tmp_path, change):
    document = deepcopy(original)
    change(document)
    document["digest"] = digest(document)
    assert judged(document, tmp_path) == [1, 1, 1]
    assert document["digest"] != original["digest"], "who wrote the old one down sees it"


def test_a_hand_that_is_told_anew_from_end_to_end_has_another_digest(original, tmp_path):
    """Nothing can tell it from a game that was played; only the digest on paper can."""
    document = deepcopy(original)
    one_name(document)
    document["digest"] = digest(document)
    assert judged(document, tmp_path) == [0, 0, 0]
    assert document["digest"][:16] != original["digest"][:16]


def test_program_and_title_may_change(original, tmp_path):
    document = {**original, "program": "boneace 9.9", "title": "The evening at Ann's"}
    assert judged(document, tmp_path) == [0, 0, 0]


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("none", [{}, {"digest": None}], ids=["missing", "null"])
def test_a_record_without_a_digest_proves_no_names(original, tmp_path, none, old, capsys):
    (kept,) = [path for path in RECORDS if path.stem == "one-and-thirty"]
    document = json.loads(kept.read_text(encoding="utf-8")) if old else deepcopy(original)
    document.pop("digest", None)
    one_name(document)
    one_time(document)
    assert judged({**document, **none}, tmp_path) == [1, 1, 1]
    said = capsys.readouterr()
    assert (said.out + said.err).count("no digest: times and names are not proved") == len(JUDGES)


def test_a_record_written_by_hand_needs_no_digest_if_one_says_so(original, tmp_path):
    document = {key: value for key, value in original.items() if key != "digest"}
    assert judged(document, tmp_path, "--unsealed") == [0, 0, 0]


def test_what_is_no_digest_is_not_excused(original, tmp_path):
    assert judged({**original, "digest": ""}, tmp_path, "--unsealed") == [1, 1, 1]


def test_the_referee_works_out_the_digest_to_compare_with_the_one_on_paper(
    original, tmp_path, capsys
):
    path = tmp_path / "tampered.json"
    path.write_text(json.dumps({**original, "digest": "0" * 64}), encoding="utf-8")
    assert main(["referee", "--check", str(path)]) == 1
    assert f"{path}: digest {original['digest'][:16]}, worked out again" in capsys.readouterr().out


def test_the_referee_counts_records_and_hands(original, tmp_path, capsys):
    paths = [tmp_path / f"{name}.json" for name in ("one", "two", "bad")]
    for path in paths:
        document = {**original, "digest": "0"} if path.stem == "bad" else original
        path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["referee", "--check", *map(str, paths)]) == 1
    told = capsys.readouterr().out
    assert "2 as expected, 1 not (each a record or a case); hands as expected: " in told
    assert f"hands as expected: {2 * len(original['results']['hands'])}\n" in told


def test_export_prints_the_digest_to_write_down(original, tmp_path, capsys):
    path = next(path for path in RECORDS if path.stem == "one-and-thirty")
    journal = keep(tmp_path / "journal.sqlite3", [record_of(path)])
    out = tmp_path / "again.json"
    assert main(["export", "--journal", str(journal), "--out", str(out)]) == 0
    assert f"digest {original['digest'][:16]}" in capsys.readouterr().out
    assert main(["export", "--journal", str(journal)]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["digest"] == original["digest"]
    assert f"digest {original['digest'][:16]}" in printed.err


def test_every_single_event_that_is_changed_or_lost_is_noticed(original):
    """The digest hangs on each of them."""
    digests = {original["digest"]}
    for place in range(len(original["events"])):
        lost, twice, late = (deepcopy(original) for _ in range(3))
        del lost["events"][place]
        twice["events"].insert(place, original["events"][place])
        late["events"][place]["t"] += 0.001
        digests |= {digest(each) for each in (lost, late)}
        assert digest(twice) not in (original["digest"], digest(lost))
    assert len(digests) == 1 + 2 * len(original["events"])


def test_another_machine_needs_the_file_alone(original, tmp_path, monkeypatch, capsys):
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "STATE_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "empty"))
    monkeypatch.chdir(tmp_path)
    assert judged(original, tmp_path) == [0, 0, 0]
    told = capsys.readouterr().out
    assert "1 as expected, 0 not" in told
    assert "Every hand's payments make its settlement" in told
    assert "The evening: " in told
    assert not (tmp_path / "empty").exists()


def test_the_digest_is_worked_out_as_the_page_says(original):
    page = (ROOT / "docs" / "reference" / "record.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert "assert" in program
    exec(program, {"record": original, "json": json, "hashlib": hashlib})
    changed = {**original, "started": "2026-11-22T19:30:00Z"}
    with pytest.raises(AssertionError):
        exec(program, {"record": changed, "json": json, "hashlib": hashlib})


def test_a_journal_that_was_changed_no_longer_gives_the_digest_on_paper(tmp_path, capsys):
    path = next(path for path in RECORDS if path.stem == "bone-ace")
    journal = keep(tmp_path / "journal.sqlite3", [record_of(path)])

    def exported(status=0):
        assert main(["export", "--journal", str(journal)]) == status
        return json.loads(capsys.readouterr().out)["digest"]

    on_paper = exported()
    assert exported() == on_paper
    with contextlib.closing(sqlite3.connect(journal)) as db:
        changed = db.execute(
            "UPDATE events SET event = replace(event, '7H', '8H') WHERE event LIKE '%7H%'"
        )
        assert changed.rowcount > 0
        db.commit()
    assert exported(1) != on_paper


@pytest.mark.parametrize("results", ["", "none", 7, [], [{}], True])
def test_results_that_are_none_are_an_error_and_no_crash(original, tmp_path, results, capsys):
    assert judged({**original, "results": results}, tmp_path) == [1, 1, 1]
    assert "results: " in capsys.readouterr().err


def test_results_cannot_excuse_an_event_that_is_refused(original, tmp_path):
    document = deepcopy(original)
    place = next(n for n, event in enumerate(document["events"]) if event["e"] == "next_hand")
    document["events"].insert(place, {"t": 1.0, "e": "roll", "seat": 0, "faces": [1]})
    document["results"]["rejected"] = [{"at": place, "code": "WRONG_PHASE"}]
    document["digest"] = digest(document)
    assert judged(document, tmp_path) == [1, 1, 1]
