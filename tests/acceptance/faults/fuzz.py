"""The long fuzzing: python tests/acceptance/faults/fuzz.py [SECONDS]; make fuzz.

Goes on from where the suite stops: the same strangers' files, made up anew for as long as told,
each kind its share of the time. Whatever comes past a clear error is kept in cases/found, to be
looked at, mended and given a test. Counts what was tried in measured.json.
"""

import argparse
import contextlib
import io
import json
import logging
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path

import cv2
import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from device.clock import HandClock
from device.commands import replay as replay_command
from device.commands.common import find_session
from device.config import model
from device.runtime.session import Session
from device.storage.custom_sets import load_set
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from display.i18n.translate import Translator
from engine import Player
from engine.core.errors import BoneAceError
from engine.core.events import Deal
from engine.records.record import read as read_record
from engine.records.referee import cases_of, differences, replay
from tests.acceptance.faults import measured
from tests.support import untrusted_input
from vision.camera.image_files import decode
from vision.cards.custom_deck import CustomDeck

HERE = Path(__file__).parent
BATCH = 100


def pictures(folder):
    rng = np.random.default_rng(1)
    image = rng.integers(0, 255, (30, 40, 3)).astype(np.uint8)
    whole = [cv2.imencode(kind, image)[1].tobytes() for kind in (".jpg", ".png", ".webp", ".bmp")]
    whole.append(cv2.imencode(".tiff", image)[1].tobytes())
    least = min(len(data) for data in whole)

    def look(data):
        image = decode(data, most_pixels=4_000_000)
        assert image.dtype == np.uint8

    made = st.tuples(st.sampled_from(whole), untrusted_input.damage(least))
    return made.map(lambda pair: untrusted_input.damaged(*pair)), look, ".bin"


def cases(folder):
    def judge(document):
        for each in cases_of(document):
            said = differences(each, replay(each)) if "expect" in each else replay(each)
            json.dumps(said)

    return untrusted_input.spoilt(), judge, ".json"


def records(folder):
    def read(document):
        document = {"format": "boneace-record", "version": 1, "results": None, **document}
        document.pop("expect", None)
        read_record(document).final()

    return untrusted_input.spoilt(), read, ".json"


def configs(folder):
    path = folder / "config.toml"

    def load(text):
        path.write_text(text, encoding="utf-8", errors="replace")
        model.load([path])

    return untrusted_input.TOML, load, ".toml"


def journals(folder):
    path = folder / "whole.sqlite3"
    with Journal(path) as journal:
        company = [Player(seat, f"Player {seat}") for seat in range(3)]
        session = Session.begin(journal, HandClock(), "bone-ace", company, dealer=2)
        for number in range(6):
            session.apply(Deal(number % 3, None))
    whole = path.read_bytes()

    def tell(data):
        with tempfile.TemporaryDirectory() as place:
            hurt = Path(place) / "journal.sqlite3"
            hurt.write_bytes(data)
            with contextlib.suppress(BoneAceError), JournalReader(hurt) as journal:
                replay_command.story_of_session(
                    journal, find_session(journal, None), Translator.of("en")
                )
            with Journal(hurt) as journal:
                Session.resume_last(journal, HandClock())

    made = untrusted_input.damage(len(whole)).map(lambda harm: untrusted_input.damaged(whole, harm))
    return made, tell, ".sqlite3"


def decks(folder):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deck.json", json.dumps({"format": 1, "name": "mine"}))
        archive.writestr("AS-1.jpg", b"no picture")
    whole, path = out.getvalue(), folder / "hurt.deck"

    def load(data):
        path.write_bytes(data)
        load_set(CustomDeck, path)

    made = untrusted_input.damage(len(whole)).map(lambda harm: untrusted_input.damaged(whole, harm))
    return made, load, ".deck"


KINDS = {
    "pictures": pictures,
    "cases": cases,
    "records": records,
    "configs": configs,
    "journals": journals,
    "decks": decks,
}


def fuzz(kind, seconds):
    """Return how many inputs were tried, and how many came past a clear error."""
    tried, escaped = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        made, use, suffix = KINDS[kind](Path(folder))
        until = time.monotonic() + seconds

        @settings(
            max_examples=BATCH,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(made)
        def batch(value):
            nonlocal tried, escaped
            tried += 1
            try:
                use(value)
            except BoneAceError:
                pass
            except Exception:
                escaped += 1
                keep(kind, value, suffix, escaped)

        while time.monotonic() < until:
            batch()
    return tried, escaped


def keep(kind, value, suffix, number):
    """Keep what came past, beside the cases, with how it did."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    if isinstance(value, str):
        data = value.encode("utf-8", "replace")
    path = HERE / "cases" / "found" / f"{kind}-{number}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{path}:\n{traceback.format_exc()}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seconds", nargs="?", type=float, default=600.0)
    seconds = parser.parse_args().seconds
    logging.disable(logging.CRITICAL)
    found = {kind: fuzz(kind, seconds / len(KINDS)) for kind in KINDS}
    for kind, (tried, escaped) in found.items():
        print(f"{kind}: {tried} tried, {escaped} came past a clear error")
    tried, escaped = map(sum, zip(*found.values(), strict=True))
    measured.tell(fuzz={"inputs": tried, "escaped": escaped})
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
