"""Cut the cards out of the *train* photographs of whole tables, with the networks made so far.

A card is kept when the reader's best guess is the label: its outline is then surely right, and
the next training sees real paper, lamps and sensors. Writes ``tables.npy`` and
``tables-labels.npy``.

    python -m vision.training.cards.real_crops --work WORK --shared ../shared
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import cv2
import numpy as np

from vision import TableReader
from vision.training.cards.crops import ART_CORNERS
from vision.training.cards.crops import FACE_W as DRAWN_W
from vision.training.cards.deck_art import CODES, FACE_H, FACE_W


def main() -> None:
    """Cut and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    args = parser.parse_args()

    with (args.shared / "cards" / "train.csv").open(encoding="utf-8") as handle:
        rows = [
            r
            for r in csv.DictReader(handle)
            if r["source"] in ("gruppe9", "obind") and r["kind"] == "single"
        ]
    reader = TableReader(sure=0.0)
    corners = ART_CORNERS * (FACE_W / DRAWN_W)
    faces, labels = [], []
    for row in rows:
        image = cv2.imread(str(args.shared / "cards" / row["file"]))
        for read in reader.read(image).cards:
            if str(read.card) == row["labels"] and read.confidence > 0.3:
                quad = np.array(read.place.corners, np.float32)
                matrix = cv2.getPerspectiveTransform(quad, corners.astype(np.float32))
                faces.append(
                    cv2.warpPerspective(image, matrix, (FACE_W, FACE_H), flags=cv2.INTER_AREA)
                )
                labels.append(CODES.index(row["labels"]))
    np.save(args.work / "tables.npy", np.array(faces))
    np.save(args.work / "tables-labels.npy", np.array(labels, np.int64))
    print(f"{len(faces)} cards from {len(rows)} photographs")


if __name__ == "__main__":
    main()
