"""Deck art for training: faces of many designs, gathered into one array on disk.

Sources (installed by name, never committed; see ``docs/how-to/training.md``): Debian's
``gnome-cards-data`` and ``kdegames-card-data-kf5``, the npm packages ``deck-of-cards``,
``svg-cards``, ``cardsJS``, ``@heruka_urgyen/react-playing-cards``, ``@letele/playing-cards`` and
``@younestouati/playing-cards-standard-deck``. Only what is in :data:`FREE` is trained on; the rest
is there to test with.

    python -m vision.training.cards.deck_art --work WORK --npm NPM_FOLDER
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

FACE_W, FACE_H = 240, 336
"""Pixels of one stored face."""

RANKS = "A23456789TJQK"
SUITS = "SHDC"
CODES = [rank + suit for suit in SUITS for rank in RANKS]
"""The 52 codes in the order of every label: index = 13 * suit + rank."""

HELD_OUT = ("gnome-rheinland", "gnome-plastic", "gnome-paris", "gnome-neoclassical")
"""Designs never trained on: they show what carries to a deck never seen."""

FREE = ("npm-", "kde-tigullio-international", "openclipart-")
"""How the names of decks begin whose terms allow the weights to be given away: MIT, CC0, LGPL, or
in the public domain."""

BARE = ("npm-deck-of-cards", "gnome-guyenne-classic")
"""Designs without indices."""

GNOME = Path("/usr/share/aisleriot/cards")
KDE = Path("/usr/share/carddecks")
OPENCLIPART = Path("/usr/share/openclipart/svg/recreation/games/cards")
OPAQUE = 250
"""Alpha, 0-255, of what is no shadow."""

GNOME_SKIP = ("swiss-xvii", "anglo_bitmap", "gnomangelo_bitmap")
KDE_SKIP = ("future", "xskat-german", "xskat-french", "konqi-modern", "gm-paris", "oxygen-air")

Deck = tuple[str, dict[str, np.ndarray], list[np.ndarray]]
"""A name, the faces by code, and whatever else there is: jokers and backs."""


def shown(picture: np.ndarray) -> np.ndarray:
    """Cut a picture with alpha to what it shows, and stand it up.

    Some sheets give a card with empty room round it, and some lay it on its side.
    """
    if picture.ndim != 3 or picture.shape[2] != 4:
        return picture
    rows = np.flatnonzero((picture[..., 3] > 40).mean(axis=1) > 0.02)
    columns = np.flatnonzero((picture[..., 3] > 40).mean(axis=0) > 0.02)
    if len(rows) and len(columns):
        picture = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if picture.shape[1] > picture.shape[0]:
        picture = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)
    return picture


def flatten(picture: np.ndarray) -> np.ndarray:
    """Lay what a picture shows on white and bring it to the stored size (BGR)."""
    picture = shown(picture)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.shape[2] == 4:
        alpha = picture[..., 3:].astype(np.float32) / 255
        picture = (picture[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
    return cv2.resize(picture, (FACE_W, FACE_H), interpolation=cv2.INTER_AREA)


def render(svg: Path, out: Path, *options: str) -> np.ndarray | None:
    """Draw an SVG with ``rsvg-convert``; ``None`` if it cannot be drawn."""
    if not out.exists():
        subprocess.run(
            ["rsvg-convert", *options, str(svg), "-o", str(out)], capture_output=True, check=False
        )
    return cv2.imread(str(out), cv2.IMREAD_UNCHANGED) if out.exists() else None


def gnome_decks(work: Path) -> Iterator[Deck]:
    """Cut each sheet of 13 columns and 5 rows into its faces, jokers and backs."""
    for sheet_file in sorted(GNOME.glob("*.svgz")):
        if sheet_file.stem in GNOME_SKIP:
            continue
        sheet = render(sheet_file, work / f"gnome-{sheet_file.stem}.png", "-w", "3250")
        if sheet is None:
            continue
        tall, wide = sheet.shape[0] / 5, sheet.shape[1] / 13

        def cell(row: int, column: int, s: np.ndarray = sheet, t: float = tall, w: float = wide):
            return s[
                round(row * t) : round((row + 1) * t), round(column * w) : round((column + 1) * w)
            ]

        faces = {
            RANKS[column] + suit: flatten(cell(row, column))
            for row, suit in enumerate("CDHS")
            for column in range(13)
        }
        yield f"gnome-{sheet_file.stem}", faces, [flatten(cell(4, column)) for column in range(3)]


def kde_decks(work: Path) -> Iterator[Deck]:
    """Draw each card by its element id."""
    ranks = dict(zip("A23456789TJQK", [*"123456789", "10", "jack", "queen", "king"], strict=True))
    suits = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
    for folder in sorted(KDE.glob("svg-*")):
        name = folder.name[4:]
        if name in KDE_SKIP:
            continue
        plain = work / f"kde-{name}.svg"
        if not plain.exists():
            plain.write_bytes(gzip.decompress(next(folder.glob("*.svgz")).read_bytes()))
        cards = work / f"kde-{name}"
        cards.mkdir(exist_ok=True)

        def draw(ident: str, plain: Path = plain, cards: Path = cards) -> np.ndarray | None:
            return render(plain, cards / f"{ident}.png", "-w", "250", "-i", ident)

        faces = {}
        for code in CODES:
            picture = draw(f"{ranks[code[0]]}_{suits[code[1]]}")
            # A card drawn tiny on a large sheet has no print left to learn from.
            if picture is not None and shown(picture).shape[1] >= 70:
                faces[code] = flatten(picture)
        back = draw("back")
        yield f"kde-{name}", faces, [] if back is None else [flatten(back)]


def npm_decks(npm: Path, work: Path) -> Iterator[Deck]:
    """Decks from unpacked npm packages (``npm pack NAME``, then ``tar xf`` into a folder each)."""
    words = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
    courts = {"J": "jack", "Q": "queen", "K": "king"}
    numbers = {rank: str(place + 1) for place, rank in enumerate(RANKS)}
    work = work / "npm"
    work.mkdir(exist_ok=True)

    def svg(file: Path) -> np.ndarray | None:
        name = "-".join(file.parts[-3:]).replace(".svg", ".png")
        return render(file, work / name, "-w", "250") if file.exists() else None

    folder = next(npm.glob("svg-cards-*/package"), None)
    if folder:
        faces = {}
        for code in CODES:
            name = f"{words[code[1]]}_{courts.get(code[0], numbers[code[0]])}.png"
            picture = cv2.imread(str(folder / "png" / "2x" / name), cv2.IMREAD_UNCHANGED)
            if picture is not None:
                faces[code] = flatten(picture)
        backs = [
            flatten(cv2.imread(str(file), cv2.IMREAD_UNCHANGED))
            for file in sorted((folder / "png" / "2x").glob("back*.png"))
        ]
        yield "npm-svg-cards", faces, backs
    folder = next(npm.glob("deck-of-cards-*/package/example/faces"), None)
    if folder:
        suits = {"S": 0, "H": 1, "C": 2, "D": 3}
        found = {c: svg(folder / f"{suits[c[1]]}_{numbers[c[0]]}.svg") for c in CODES}
        yield "npm-deck-of-cards", {c: flatten(p) for c, p in found.items() if p is not None}, []
    folder = next(npm.glob("cardsJS-*/package/cards"), None)
    if folder:
        found = {code: svg(folder / f"{code}.svg") for code in CODES}
        others = (svg(folder / f"{name}_Back.svg") for name in ("Blue", "Red"))
        yield (
            "npm-cardsjs",
            {c: flatten(p) for c, p in found.items() if p is not None},
            [flatten(p) for p in others if p is not None],
        )
    folder = next(npm.glob("heruka*/package/src/images"), None)
    for style in sorted(folder.iterdir()) if folder else ():
        found = {c: svg(style / f"{c}.svg") for c in CODES}
        faces = {c: flatten(p) for c, p in found.items() if p is not None}
        if len(faces) >= 40:
            yield f"npm-heruka-{style.name}", faces, []
    folder = next(npm.glob("letele*/drawn"), None)
    if folder:
        shown_as = {code: f"{code[1]}{numbers[code[0]]}" for code in CODES}
        courts = {"A": "a", "J": "j", "Q": "q", "K": "k"}
        shown_as |= {code: f"{code[1]}{courts[code[0]]}" for code in CODES if code[0] in courts}
        found = {code: svg(folder / f"{name}.svg") for code, name in shown_as.items()}
        others = (svg(folder / f"{name}.svg") for name in ("B1", "B2"))
        yield (
            "npm-letele",
            {c: flatten(p) for c, p in found.items() if p is not None},
            [flatten(p) for p in others if p is not None],
        )
    folder = next(npm.glob("younestouati*/package/cards"), None)
    if folder:
        found = {c: svg(folder / f"{numbers[c[0]]}{c[1].lower()}.svg") for c in CODES}
        yield "npm-younestouati", {c: flatten(p) for c, p in found.items() if p is not None}, []


def openclipart_decks(work: Path) -> Iterator[Deck]:
    """Draw Nicu Buculei's deck, in the public domain, on three papers; the others are jokers."""
    work = work / "openclipart"
    work.mkdir(exist_ok=True)
    names = {code: f"{code[1]}_{code[0].replace('T', '10')}".lower() for code in CODES}
    for paper in ("white", "ornamental", "bordered"):
        found = {}
        for card in (*names.values(), "jk_b", "jk_r"):
            file = OPENCLIPART / paper / f"{paper}_{card}.svg"
            picture = render(file, work / f"{file.stem}.png", "-w", "420")
            if picture is not None:
                # Cut off the shadow that is drawn beside the card: it is not opaque.
                picture[picture[..., 3] < OPAQUE] = 0
                found[card] = flatten(picture)
        faces = {code: found.pop(name) for code, name in names.items() if name in found}
        if faces:
            yield f"openclipart-nicu-{paper}", faces, list(found.values())


def gather(work: Path, npm: Path) -> None:
    """Write ``faces.npy``, ``labels.npy``, ``decks.npy`` (a name a face); the same of backs."""
    faces, labels, names, backs, back_names = [], [], [], [], []
    every = (gnome_decks(work), kde_decks(work), npm_decks(npm, work), openclipart_decks(work))
    for decks in every:
        for name, deck, extra in decks:
            print(f"{name}: {len(deck)} faces, {len(extra)} others")
            for code, face in deck.items():
                if code[0] in "JQK" and face[80:250, 60:180].std() < 12:
                    continue  # a court drawn elsewhere, by a script the SVG does not carry
                faces.append(face)
                labels.append(CODES.index(code))
                names.append(name)
            # The last of a GNOME sheet's extras is the back; jokers come before it.
            jokers = {"gnome": extra[:-1], "openclipart": extra}.get(name.split("-")[0], [])
            own = extra[len(jokers) :]
            backs.extend(own)
            back_names.extend([name] * len(own))
            faces.extend(jokers)
            labels.extend([-1] * len(jokers))
            names.extend([name] * len(jokers))
    np.save(work / "faces.npy", np.array(faces))
    np.save(work / "labels.npy", np.array(labels))
    np.save(work / "decks.npy", np.array(names))
    np.save(work / "backs.npy", np.array(backs))
    np.save(work / "back-decks.npy", np.array(back_names))


def main() -> None:
    """Gather everything that is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--npm", type=Path, required=True)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    gather(args.work, args.npm)


if __name__ == "__main__":
    main()
