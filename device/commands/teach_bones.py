"""``boneace teach bones NAME``: show each face of a set of bones, and it is known from then on."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from device.config.model import load
from device.hardware.cameras import open_camera
from device.ports import Camera, Image
from device.storage.bone_sets import bones_path
from device.storage.custom_sets import load_set, save_set
from engine.core.bones import Face
from vision.bones.custom_set import SHOWINGS, BoneMatcher, CustomBoneSet
from vision.bones.enrolment import BoneSetEnrolment
from vision.camera.image_files import load_picture
from vision.errors import EnrolmentError, ImageError
from vision.mat.pose import find_mat

USUAL_SHOWINGS = 4
"""Pictures of each face that are asked for."""

FRESH_FRAMES = 5
"""Frames thrown away before one is taken: a camera buffers a few old ones."""

BEGUN = ".begun"
"""Suffix of the file of a set until all its faces have been shown."""

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace teach bones red-resin --from pictures/"
    parser.add_argument("name", metavar="NAME", help="what the set is called from now on")
    parser.add_argument("--camera", metavar="SPEC", help="as for boneace play")
    parser.add_argument(
        "--from",
        dest="folder",
        type=Path,
        metavar="FOLDER",
        help="pictures in folders flat, concave, convex and twisted, instead of the camera",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file; default: the state folder"
    )


def run(args: argparse.Namespace) -> int:
    """Enrol one set."""
    path = args.output or bones_path(args.name)
    enrolment = BoneSetEnrolment(CustomBoneSet(args.name))
    begun = path.with_name(path.name + BEGUN)
    if args.folder is not None:
        _from_folder(enrolment, args.folder)
    else:
        if begun.exists():
            _resume(enrolment, begun)
        camera = open_camera(args.camera or load().camera.spec)
        try:
            _from_camera(enrolment, camera, input, lambda: save_set(enrolment.bones, begun))
        except (EOFError, KeyboardInterrupt):
            if not begun.exists():
                print("\nStopped; nothing has been shown yet.", file=sys.stderr)
                return 1
            print("\nStopped; the same command goes on from here.", file=sys.stderr)
            return 1
        finally:
            camera.close()
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


def _from_folder(enrolment: BoneSetEnrolment, folder: Path) -> None:
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
                count = _show(enrolment, face, load_picture(file))
            except ImageError as problem:
                raise EnrolmentError(f"{file}: {problem}; or take it out") from problem
            except EnrolmentError as problem:
                raise EnrolmentError(f"{file}: {problem}") from problem
            print(f"{file}: {_bones(count)}", file=sys.stderr)


def _resume(enrolment: BoneSetEnrolment, begun: Path) -> None:
    """Resume an interrupted enrolment; a damaged one starts over."""
    try:
        enrolment.bones.samples = load_set(CustomBoneSet, begun).samples
    except EnrolmentError as problem:
        print(f"{problem}. Beginning anew.", file=sys.stderr)
        return
    shown = ", ".join(f"{face} {enrolment.bones.showings(face)}" for face in Face)
    print(f"Going on with {enrolment.bones.name}, shown so far: {shown}.", file=sys.stderr)


def _from_camera(
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
                print(_bones(_show(enrolment, face, frame.image)), file=sys.stderr)
                keep()
            except EnrolmentError as problem:
                print(f"{problem}.", file=sys.stderr)


def _show(enrolment: BoneSetEnrolment, face: Face, image: Image) -> int:
    mat = find_mat(image)
    return enrolment.show(face, image, mat.px_per_mm if mat else None)


def _bones(count: int) -> str:
    return "1 bone seen" if count == 1 else f"{count} bones seen"
