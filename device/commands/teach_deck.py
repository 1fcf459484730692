"""``boneace teach deck NAME``: lay down one card after the other, and it is known from then on."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from device.commands.common import add_camera
from device.commands.read import load
from device.config.model import load as load_config
from device.hardware.cameras import open_camera
from device.ports import Camera, EndOfFramesError, Image
from device.storage.custom_sets import load_set, save_set
from device.storage.decks import deck_path, decks_folder
from engine.core.cards import Card
from engine.core.messages.words import card_words
from vision.cards.custom_deck import MOST_LOOKS, CustomDeck
from vision.cards.enrolment import DeckEnrolment, EnrolmentResult, EnrolmentStatus
from vision.tracking.motion_gate import StillnessDetector

NAMED = re.compile(r"(?:(?P<card>[A23456789TJQKatjqk][SHDCshdc])|(?P<back>back))(?:[-_. ].*)?")
"""File names of pictures to teach from, without the suffix: ``AS``, ``TD-2``, ``back``."""

PATIENCE = 40
"""Still frames after which advice about a refused card is repeated."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace teach deck grandmother --camera /dev/video0"
    parser.add_argument("name", help="the deck's name; play and read take it as --deck NAME")
    add_camera(parser)
    parser.add_argument(
        "--pictures", type=Path, nargs="+", metavar="FILE", help="pictures named AS.jpg, TD-2.jpg"
    )
    parser.add_argument(
        "--looks", type=int, choices=range(1, MOST_LOOKS + 1), default=1, help="looks a card"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the deck's file goes")


def run(args: argparse.Namespace) -> int:
    """Enrol a deck, or resume an interrupted enrolment; return 1 when it is not complete."""
    path = deck_path(args.out or decks_folder(), args.name)
    deck = load_set(CustomDeck, path) if path.exists() else CustomDeck(args.name)
    enrolment = DeckEnrolment(deck, looks=args.looks)
    if args.pictures is not None:
        whole = teach_from_pictures(enrolment, path, args.pictures)
    else:
        if enrolment.wanted is not None:
            print(f"{enrolment.left} looks to take; Ctrl-C stops, and the same command goes on.")
        config = load_config()
        with contextlib.closing(open_camera(args.camera or config.camera.spec)) as camera:
            whole = teach_from_camera(enrolment, path, camera)
    _report(enrolment, path)
    return 0 if whole else 1


def teach_from_camera(enrolment: DeckEnrolment, path: Path, camera: Camera) -> bool:
    """Ask for one card after the other; return whether all were taught before the frames ended."""
    stillness = StillnessDetector()
    asked: Card | None = None
    said, waited = "", 0
    try:
        while (card := enrolment.wanted) is not None:
            if card != asked:
                asked, said = card, ""
                print(
                    f"Lay down the {card_words(card)}, alone. ({enrolment.left} left)",
                    flush=True,
                )
            image, time_s = _frame(camera)
            if not stillness.see(image, time_s):
                waited = 0
                continue
            waited += 1
            if waited % PATIENCE != 1:
                continue
            result = enrolment.show(image)
            if result.status is EnrolmentStatus.TAKEN:
                save_set(enrolment.deck, path)
                continue
            words = advice(result, card)
            if words and words != said:
                print(words, flush=True)
            said = words
    except EndOfFramesError:
        return False
    except KeyboardInterrupt:
        print(f"Stopped; {enrolment.left} looks are left. The same command goes on.")
        return False
    return True


def _frame(camera: Camera) -> tuple[Image, float]:
    frame = camera.read()
    return frame.image, frame.time_s


def advice(result: EnrolmentResult, card: Card) -> str:
    """Say what to do when a card was not taken; nothing while the last card still lies there."""
    if result.status is EnrolmentStatus.NOTHING:
        return "I see no card; lay it flat, wholly in view, out of the glare."
    if result.status is EnrolmentStatus.SEVERAL:
        return "I see several cards; leave only one."
    if result.status is EnrolmentStatus.LOOKS_LIKE_ANOTHER and result.like is not None:
        like = card_words(result.like)
        return f"That looks like the {like}. If it is the {card_words(card)}, leave it there."
    return ""


def teach_from_pictures(enrolment: DeckEnrolment, path: Path, files: Iterable[Path]) -> bool:
    """Learn each picture's card by its file name; return whether every picture gave one."""
    fine = True
    for file, label in _named(files):
        if label is None:
            print(
                f"boneace teach: {file}: the name tells no card; call it AS.jpg, TD-2.jpg or "
                "back.jpg",
                file=sys.stderr,
            )
            fine = False
            continue
        image, problem = load(file)
        if image is None:
            print(f"boneace teach: {file}: {problem}", file=sys.stderr)
            fine = False
            continue
        if isinstance(label, Card):
            result = enrolment.show(image, label, surely=True)
        else:
            result = enrolment.show_back(image)
        if result.status is not EnrolmentStatus.TAKEN:
            found = "several cards" if result.status is EnrolmentStatus.SEVERAL else "no card"
            print(
                f"boneace teach: {file}: {found} in it; it must show one card alone",
                file=sys.stderr,
            )
            fine = False
    if enrolment.deck.looks or enrolment.deck.backs:
        save_set(enrolment.deck, path)
    return fine


def _named(files: Iterable[Path]) -> Iterator[tuple[Path, Card | str | None]]:
    for file in files:
        inside = sorted(p for p in file.iterdir() if p.is_file()) if file.is_dir() else [file]
        for one in inside:
            named = NAMED.fullmatch(one.stem)
            if named is None:
                yield one, None
            elif named["back"]:
                yield one, "back"
            else:
                yield one, Card.parse(named["card"].upper())


def _report(enrolment: DeckEnrolment, path: Path) -> None:
    """Print what is taught, what is missing, and what looks alike."""
    missing = enrolment.deck.missing()
    print(f"{52 - len(missing)} of 52 cards are taught: {path}")
    if missing:
        print("missing: " + " ".join(str(card) for card in missing))
        print("To go on, give the same command again; what is taught stays.")
    alike = enrolment.confusable()
    for one, other, likeness in alike[:10]:
        print(f"hard to tell apart: {one} and {other} (likeness {likeness:.2f}); teach more looks")
    if not missing and not alike:
        print(f"All can be told apart. Play with: boneace play --deck {enrolment.deck.name}")
