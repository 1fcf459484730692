"""``boneace calibrate``: assess the view of the mat, and measure the lens."""

from __future__ import annotations

import argparse
import contextlib
import sys

from device.commands.common import add_camera, read_frames
from device.config.model import load
from device.hardware.cameras import open_camera
from device.ports import Image
from device.storage.lens_file import lens_path, load_lens, save_lens
from vision.camera.lens import fit_lens
from vision.image_quality import assess
from vision.mat.pose import find_mat, marker_points

FRAMES = 8
"""Number of frames: a single one may be blurred or half dark."""

WORTH_MM = 0.15
"""Gain that a lens correction must have to be kept, in millimetres at the markers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace calibrate --camera /dev/video0 --lens"
    add_camera(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--lens", action="store_true", help="measure how the lens bends, and keep it")
    what.add_argument("--forget", action="store_true", help="forget what was measured of the lens")


def run(args: argparse.Namespace) -> int:
    """Find the mat; return 1 if it is not seen well enough to play."""
    if args.forget:
        lens_path().unlink(missing_ok=True)
        print("What was measured of the lens is forgotten.")
        return 0
    spec = args.camera or load().camera.spec
    with contextlib.closing(open_camera(spec)) as camera:
        frames = read_frames(camera, FRAMES)
    if args.lens and not _measure_lens(frames):
        return 1
    for remark in assess(frames, load_lens()):
        print(f"{remark.kind.value}: {remark.measured}; {remark.cure}", file=sys.stderr)
    pose = find_mat(frames[-1], load_lens())
    if pose is None:
        print(
            "The mat is not found; show all of it, or, with a wide-angle lens, measure that: "
            "boneace calibrate --lens",
            file=sys.stderr,
        )
        return 1
    paper = "x".join(f"{side:.0f}" for side in pose.layout.size_mm)
    card_px = 60 * pose.px_per_mm
    print(f"The mat for {pose.layout.seats} ({paper} mm) is seen; a card is {card_px:.0f} px wide.")
    return 0


def _measure_lens(frames: list[Image]) -> bool:
    """Measure the lens and save it if it bends; return whether enough of the mat was seen."""
    views = [view for frame in frames if (view := marker_points(frame)) and len(view[0]) >= 8]
    if not views:
        print("Too few markers are seen; show all four and run this again.", file=sys.stderr)
        return False
    height, width = frames[-1].shape[:2]
    fit = fit_lens(views, (width, height))
    gain = f"the markers agree to {fit.after_mm:.2f} mm with it, {fit.before_mm:.2f} mm without"
    if fit.before_mm - fit.after_mm < WORTH_MM:
        print(f"The lens hardly bends ({fit.lens.bend:+.3f}; {gain}): nothing to correct.")
        lens_path().unlink(missing_ok=True)
        return True
    path = save_lens(fit.lens)
    print(f"The lens bends by {fit.lens.bend:+.3f}: {gain}. Kept in {path}.")
    return True
