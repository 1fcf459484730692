"""``boneace teach``: enrol a deck of cards, or a set of bones; it is known from then on."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from device.commands.common import add_camera, complain
from device.config.model import load
from device.hardware.cameras import PICTURES, open_camera
from device.hardware.pictures import load_picture
from device.ports import Camera, EndOfFramesError, Image
from device.storage.custom_sets import load_set, save_set
from device.storage.taught import BONES, DECKS
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.words import card_words
from engine.core.text.counted import counted
from vision.bones.custom_set import SHOWINGS, BoneMatcher, CustomBoneSet
from vision.bones.enrolment import BoneSetEnrolment
from vision.cards.custom_deck import MOST_LOOKS, CustomDeck
from vision.cards.enrolment import DeckEnrolment, EnrolmentResult, EnrolmentStatus
from vision.errors import EnrolmentError, ImageError
from vision.mat.pose import find_mat
from vision.tracking.motion_gate import StillnessDetector

NAMED = re.compile(r"(?:(?P<card>[A23456789TJQKatjqk][SHDCshdc])|(?P<back>back))(?:[-_. ].*)?")
"""File names of pictures to teach from, without the suffix: ``AS``, ``TD-2``, ``back``."""

PATIENCE = 40
"""Still frames after which advice about a refused card is repeated."""

USUAL_SHOWINGS = 4
"""Pictures of each face that are asked for."""

FRESH_FRAMES = 5
"""Frames thrown away before one is taken: a camera buffers a few old ones."""

BEGUN = ".begun"
"""Suffix of the file of a set until all its faces have been shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace teach deck grandmother"
    things = parser.add_subparsers(dest="thing", metavar="WHAT", required=True)
    summary = "the cards of a deck"
    deck = things.add_parser("deck", help=summary, description=f"Teach {summary}.")
    deck.epilog = "Example: boneace teach deck grandmother --camera /dev/video0"
    deck.add_argument("name", help="the deck's name; play and read take it as --deck NAME")
    add_camera(deck)
    deck.add_argument(
        "--pictures", type=Path, nargs="+", metavar="FILE", help="pictures named AS.jpg, TD-2.jpg"
    )
    deck.add_argument(
        "--looks", type=int, choices=range(1, MOST_LOOKS + 1), default=1, help="looks a card"
    )
    deck.add_argument("--out", type=Path, metavar="FOLDER", help="where the deck's file goes")
    summary = "the four faces of a set of knucklebones"
    bones = things.add_parser("bones", help=summary, description=f"Teach {summary}.")
    bones.epilog = "Example: boneace teach bones red-resin --from pictures/"
    bones.add_argument("name", metavar="NAME", help="what the set is called from now on")
    bones.add_argument("--camera", metavar="SPEC", help="as for boneace play")
    bones.add_argument(
        "--from",
        dest="folder",
        type=Path,
        metavar="FOLDER",
        help="pictures in folders flat, concave, convex and twisted, instead of the camera",
    )
    bones.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file; default: the state folder"
    )


def run(args: argparse.Namespace) -> int:
    """Enrol a deck or a set; return 1 when it is not complete."""
    return teach_deck(args) if args.thing == "deck" else teach_bones(args)


def teach_deck(args: argparse.Namespace) -> int:
    """Enrol a deck, or resume an interrupted enrolment; return 1 when it is not complete."""
    path = DECKS.path(args.name, args.out)
    deck = load_set(CustomDeck, path) if path.exists() else CustomDeck(args.name)
    enrolment = DeckEnrolment(deck, looks=args.looks)
    if args.pictures is not None:
        whole = teach_from_pictures(enrolment, path, args.pictures)
    else:
        if enrolment.wanted is not None:
            print(f"{enrolment.left} looks to take; Ctrl-C stops, and the same command goes on.")
        with contextlib.closing(open_camera(args.camera or load().camera.spec)) as camera:
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
                left = f"({enrolment.left} left)"
                print(f"Lay down the {card_words(card)}, alone. {left}", flush=True)
            frame = camera.read()
            if not stillness.see(frame.image, frame.time_s):
                waited = 0
                continue
            waited += 1
            if waited % PATIENCE != 1:
                continue
            result = enrolment.show(frame.image)
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
    for named in files:
        inside = (
            sorted(p for p in named.iterdir() if p.is_file()) if os.path.isdir(named) else [named]
        )
        for file in inside:
            try:
                _learn(enrolment, file)
            except ImageError as problem:
                complain(f"boneace teach: {file}: {problem}")
                fine = False
    if enrolment.deck.looks or enrolment.deck.backs:
        save_set(enrolment.deck, path)
    return fine


def _learn(enrolment: DeckEnrolment, file: Path) -> None:
    """Learn the card, or the back, that the name of *file* tells.

    Raises:
        ImageError: it gives none; the message begins after the file's name.
    """
    named = NAMED.fullmatch(file.stem)
    if named is None:
        raise ImageError("the name tells no card; call it AS.jpg, TD-2.jpg or back.jpg")
    image = load_picture(file)
    if named["back"]:
        result = enrolment.show_back(image)
    else:
        result = enrolment.show(image, Card.parse(named["card"].upper()), surely=True)
    if result.status is not EnrolmentStatus.TAKEN:
        found = "several cards" if result.status is EnrolmentStatus.SEVERAL else "no card"
        raise ImageError(f"{found} in it; it must show one card alone")


def _report(enrolment: DeckEnrolment, path: Path) -> None:
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


def teach_bones(args: argparse.Namespace) -> int:
    """Enrol one set of bones; return 1 when it was stopped before its end."""
    path = args.output or BONES.path(args.name)
    enrolment = BoneSetEnrolment(CustomBoneSet(args.name))
    begun = path.with_name(path.name + BEGUN)
    if args.folder is not None:
        teach_from_folder(enrolment, args.folder)
    else:
        if begun.exists():
            _resume(enrolment, begun)
        with contextlib.closing(open_camera(args.camera or load().camera.spec)) as camera:
            try:
                ask_for_faces(enrolment, camera, input, lambda: save_set(enrolment.bones, begun))
            except (EOFError, KeyboardInterrupt):
                goes_on = "the same command goes on from here"
                why = goes_on if begun.exists() else "nothing has been shown yet"
                print(f"\nStopped; {why}.", file=sys.stderr)
                return 1
    taught = BoneMatcher(enrolment.bones)
    save_set(enrolment.bones, path)
    begun.unlink(missing_ok=True)
    print("\n".join(judgement(taught)))
    name = args.output or args.name
    print(f"kept in {path}; use it: boneace read --bones {name}", file=sys.stderr)
    return 0


def judgement(taught: BoneMatcher) -> Iterator[str]:
    """Say how well the faces of a set are told apart, in sentences."""
    report = taught.report
    yield (
        f"{taught.bones.name}: {report.right:.0%} of {report.looks} looks that were held out are "
        f"told right ({report.before:.0%} before it was taught)."
    )
    for face in Face:
        shown = sum(count for (a, _), count in report.table.items() if a is face)
        right = report.table.get((face, face), 0)
        yield f"  {face} ({face.points}): {right} of {shown}"
    for shown_face, read, count in report.confused[:3]:
        times = "once" if count == 1 else f"{count} times"
        yield (
            f"{shown_face} was taken for {read} {times}: show both again, in the light you play in."
        )


def teach_from_folder(enrolment: BoneSetEnrolment, folder: Path) -> None:
    """Learn each face from the pictures in its own folder below *folder*.

    Raises:
        EnrolmentError: a folder has too few, or a picture cannot be used.
    """
    for face in Face:
        place = folder / face.value
        files = sorted(f for f in place.glob("*") if f.suffix.lower() in PICTURES)
        if len(files) < SHOWINGS:
            raise EnrolmentError(
                f"{place}: holds {len(files)} pictures, at least {SHOWINGS} are needed; put "
                f"pictures there on which every bone lies with {face} uppermost"
            )
        for file in files:
            try:
                seen = _show(enrolment, face, load_picture(file))
            except ImageError as problem:
                raise EnrolmentError(f"{file}: {problem}; or take it out") from problem
            except EnrolmentError as problem:
                raise EnrolmentError(f"{file}: {problem}") from problem
            print(f"{file}: {seen}", file=sys.stderr)


def _resume(enrolment: BoneSetEnrolment, begun: Path) -> None:
    """Resume an interrupted enrolment; a damaged one starts over."""
    try:
        enrolment.bones.samples = load_set(CustomBoneSet, begun).samples
    except EnrolmentError as problem:
        print(f"{problem}. Beginning anew.", file=sys.stderr)
        return
    shown = ", ".join(f"{face} {enrolment.bones.showings(face)}" for face in Face)
    print(f"Going on with {enrolment.bones.name}, shown so far: {shown}.", file=sys.stderr)


def ask_for_faces(
    enrolment: BoneSetEnrolment,
    camera: Camera,
    ask: Callable[[str], str],
    keep: Callable[[], None] = lambda: None,
) -> None:
    """Ask for each face in turn until enough pictures of it are taken; call *keep* after each."""
    for face in Face:
        while (taken := enrolment.bones.showings(face)) < USUAL_SHOWINGS:
            turned = "" if taken == 0 else ", turned another way or moved"
            answer = ask(
                f"{face} ({face.points}), {taken + 1} of {USUAL_SHOWINGS}: lay all bones with "
                f"this face uppermost{turned}, take your hands away, press Enter"
                f"{' (n: next face)' if taken >= SHOWINGS else ''}: "
            )
            if answer.strip().lower() == "n" and taken >= SHOWINGS:
                break
            for _ in range(FRESH_FRAMES):
                frame = camera.read()
            try:
                print(_show(enrolment, face, frame.image), file=sys.stderr)
                keep()
            except EnrolmentError as problem:
                print(f"{problem}.", file=sys.stderr)


def _show(enrolment: BoneSetEnrolment, face: Face, image: Image) -> str:
    """Show one picture of *face*; return how many bones were seen on it."""
    mat = find_mat(image)
    return f"{counted(enrolment.show(face, image, mat.px_per_mm if mat else None), 'bone')} seen"
