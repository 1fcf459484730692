"""Tell what old and new weights give: on drawn designs held out, and on half of the photographs.

The photographs are split by deck in ``halves.csv``: settings are chosen on one half, and the other
is only reported. Whoever has looked at both has none left to report.

    python -m vision.training.compare --new FOLDER --work WORK --shared ../shared
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor

from vision import TableReader, inference
from vision.training.cards.tasks import TASKS
from vision.training.common.other_weights import weights
from vision.training.export import MODELS
from vision.training.halves import half_of
from vision.training.train import parser as training_options

MANIFESTS = {"dev": "manifest.csv", "dev2": "dev2/manifest.csv", "mat": "mat/manifest.csv"}


class Exported(torch.nn.Module):
    """An exported network, run as the product runs it."""

    def __init__(self, name: str, folder: Path) -> None:
        """Load it."""
        super().__init__()
        with weights(folder):
            self.network = inference.Network(name)

    def forward(self, pictures: Tensor) -> Tensor:
        """Return what it gives for pictures, float32 (n, 3, h, w), 0-1."""
        given = (pictures * 255).round().to(torch.uint8).permute(0, 2, 3, 1).numpy()
        return torch.from_numpy(np.concatenate([self.network.run([each]) for each in given]))


def drawn(folders: list[Path], work: Path, count: int) -> Iterator[str]:
    """Yield a line of figures for each network that differs."""
    for name, task in TASKS.items():
        files = [next(f for f in (folder / task.file, MODELS / task.file) if f.exists())
                 for folder in folders]  # fmt: skip
        if files[0].read_bytes() == files[1].read_bytes():
            continue
        args = training_options().parse_args(
            ["--model", name, "--work", str(work), "--device", "cpu"]
        )
        told = [
            task.judge(Exported(task.file, folder), task.batches(args, 97, held_out=True), count)
            for folder in folders
        ]
        for key in told[0]:
            yield f"{name:14} {key:28} old {told[0][key]:8.4f}  new {told[1][key]:8.4f}"


def photographs(shared: Path, half: str, every: int) -> Iterator[tuple[str, Path, Counter[str]]]:
    """Yield the set and source, the file and the cards of each photograph of a half."""
    for name, manifest in MANIFESTS.items():
        path = shared / "cards" / manifest
        with path.open(encoding="utf-8") as handle:
            rows = [row for row in csv.DictReader(handle) if row["kind"] != "stress"]
        mine = [row for row in rows if half_of(name, row["source"], row["file"]) == half]
        for row in mine[::every]:
            cards = Counter(word for word in row["labels"].split() if len(word) == 2)
            yield f"{name} {row['source']}", path.parent / row["file"], cards


def real(folders: list[Path], shared: Path, half: str, every: int) -> Iterator[str]:
    """Yield a line of counts for each source, then the sums of each set."""
    tallies: list[dict[str, Counter[str]]] = []
    for folder in folders:
        with weights(folder):
            reader = TableReader()
        tally: dict[str, Counter[str]] = {}
        for source, file, wanted in photographs(shared, half, every):
            reading = reader.read(cv2.imread(str(file)))
            seen = Counter(str(each.card) for each in reading.cards)
            counts = Counter(
                cards=wanted.total(),
                read=(wanted & seen).total(),
                wrong=(seen - wanted).total(),
                unsure=len(reading.unsure),
            )
            for key in (source, f"{source.split()[0]} ALL"):
                tally.setdefault(key, Counter()).update(counts)
        tallies.append(tally)
    for source in tallies[0]:
        old, new = (tally[source] for tally in tallies)
        yield f"{source:20} {old['cards']:5} cards  " + "  ".join(
            f"{key} {old[key]:4} -> {new[key]:4}" for key in ("read", "wrong", "unsure")
        )


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", type=Path, required=True, help="folder of exported networks")
    parser.add_argument("--old", type=Path, default=MODELS)
    parser.add_argument("--work", type=Path, help="folder of the gathered art: for drawn scenes")
    parser.add_argument("--count", type=int, default=400, help="samples drawn")
    parser.add_argument("--shared", type=Path, help="folder that holds cards/: for photographs")
    parser.add_argument("--half", choices=("choose", "report"), default="choose")
    parser.add_argument("--every", type=int, default=1, help="only every n-th photograph")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    folders = [args.old, args.new]
    if args.work:
        for line in drawn(folders, args.work, args.count):
            print(line, flush=True)
    if args.shared:
        for line in real(folders, args.shared, args.half, args.every):
            print(line, flush=True)


if __name__ == "__main__":
    main()
