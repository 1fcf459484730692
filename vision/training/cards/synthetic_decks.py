"""Decks that no printer ever made: random indices, pips, layouts, frames and courts.

A reader trained on fifty real designs learns those designs. Drawing some hundred more, each with
its own type, pip shape and index size, leaves only what decks have in common to be learned.

    python -m vision.training.cards.synthetic_decks --work WORK --decks 120 --seed 1
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import subprocess
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.training.cards import stroke_types
from vision.training.cards.deck_art import CODES, FACE_H, FACE_W, FREE, HELD_OUT

SCALE = 2
"""Faces are drawn this much larger and reduced, for smooth edges."""

W, H = FACE_W * SCALE, FACE_H * SCALE

LETTERS = (
    *(("J", "Q", "K"),) * 10,
    ("V", "D", "R"),
    *(("B", "D", "K"),) * 4,
    ("B", "V", "H"),
    ("F", "D", "R"),
    ("W", "D", "K"),
    ("Kn", "D", "K"),
    ("S", "E", "K"),
    ("\u0412", "\u0414", "\u041a"),
    ("\u0392", "\u039d", "\u03a1"),
)
"""Jack, queen, king: English, French, German, Dutch, Italian, Polish, Swedish, Estonian, Russian,
Greek. The Dutch queen is V and the French jack too. Most decks are English: a jack called B looks
like an 8, and must not be expected too often; with one German deck of 19 it was told as one."""

ACES = {"V": "1", "F": "1", "\u0412": "\u0422", "Kn": "E"}
"""What the ace is called, half of the time, where the jack is called so."""

ROWS = {
    "2": [(0.5, 0.0), (0.5, 1.0)],
    "3": [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    "4": [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)],
    "6": [(x, y) for x in (0.0, 1.0) for y in (0.0, 0.5, 1.0)],
    "8": [(x, y) for x in (0.0, 1.0) for y in (0.0, 0.5, 1.0)] + [(0.5, 0.25), (0.5, 0.75)],
    "9": [(x, y) for x in (0.0, 1.0) for y in (0.0, 1 / 3, 2 / 3, 1.0)] + [(0.5, 0.5)],
    "T": [(x, y) for x in (0.0, 1.0) for y in (0.0, 1 / 3, 2 / 3, 1.0)]
    + [(0.5, 1 / 6), (0.5, 5 / 6)],
}
ROWS["5"] = [*ROWS["4"], (0.5, 0.5)]
ROWS["7"] = [*ROWS["6"], (0.5, 0.25)]
"""Where the pips of the standard layout lie, in parts of the pip field."""


def fonts(folder: Path | None = None) -> list[str]:
    """Every type in a folder, by default every installed one, that has Latin letters and digits.

    Without symbol and mono faces.
    """
    if folder is not None:
        files = sorted(map(str, folder.rglob("*.?tf")))
    else:
        listed = subprocess.run(
            ["fc-list", ":lang=en", "file"], capture_output=True, text=True, check=True
        ).stdout
        files = sorted(line.strip().rstrip(":") for line in listed.splitlines())
    unwanted = ("Symbol", "Emoji", "Mono", "Math", "Dingbat", "Initials", "Keyboard", "Icon", "GFS")
    return [f for f in files if f.endswith((".ttf", ".otf")) and not any(u in f for u in unwanted)]


@functools.cache
def has(file: str, text: str) -> bool:
    """Return whether a type has all letters of a text; what it lacks is drawn as a box."""
    try:
        font = ImageFont.truetype(file, 24)
    except OSError:
        return False
    lacking = bytes(font.getmask("\uffff"))
    return all(bytes(font.getmask(letter)) not in (lacking, b"") for letter in text)


def pip_outline(suit: str, rng: np.random.Generator) -> list[np.ndarray]:
    """Polygons of one pip in the unit square, y down; their union is the pip."""
    t = np.linspace(0, 2 * np.pi, 60)
    if suit == "D":
        bow, slim = rng.uniform(-0.05, 0.13), rng.uniform(0.32, 0.48)
        corners = np.array([[0.5, 0.02], [0.5 + slim, 0.5], [0.5, 0.98], [0.5 - slim, 0.5]])
        edge = []
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            s = np.linspace(0, 1, 12)[:, None]
            middle = (a + b) / 2 + (np.array([0.5, 0.5]) - (a + b) / 2) * bow * 2
            edge.append((1 - s) ** 2 * a + 2 * s * (1 - s) * middle + s**2 * b)
        return [np.concatenate(edge)]
    if suit in "HS":
        deep = rng.uniform(0.7, 1.25)
        x = 16 * np.sin(t) ** 3
        y = -(13 * np.cos(t) - 5 * np.cos(2 * t) * deep - 2 * np.cos(3 * t) - np.cos(4 * t))
        y = (y - y.min()) / (y.max() - y.min())
        # Sides that bend in towards the tip, or out.
        slim = 1 - rng.uniform(-0.06, 0.3) * np.sin(np.pi * np.clip((y - 0.3) / 0.7, 0, 1))
        x = 0.5 + x / 34 * rng.uniform(0.8, 1.06) * slim
        if suit == "H":
            return [np.stack([x, 0.04 + 0.92 * y], 1)]
        foot, top = rng.uniform(0.08, 0.34), rng.uniform(0.68, 0.86)
        stem = np.array([[0.5, 0.5], [0.5 + foot, 0.98], [0.5 - foot, 0.98]])
        return [np.stack([x, 0.02 + top * (1 - y)], 1), _stem(stem, rng)]
    r, spread, low = rng.uniform(0.175, 0.25), rng.uniform(0.2, 0.28), rng.uniform(0.54, 0.64)
    polygons = [
        np.stack([cx + r * np.cos(t), cy + r * np.sin(t)], 1)
        for cx, cy in ((0.5, 0.02 + r), (0.5 - spread, low), (0.5 + spread, low))
    ]
    foot = rng.uniform(0.08, 0.32)
    stem = np.array([[0.5, 0.4], [0.5 + foot, 0.98], [0.5 - foot, 0.98]])
    middle = np.array([[0.4, 0.45], [0.6, 0.45], [0.6, 0.65], [0.4, 0.65]])
    return [*polygons, _stem(stem, rng), middle]


def _stem(triangle: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Hollow the sides of the stem."""
    top, right, left = triangle
    s = np.linspace(0, 1, 10)[:, None]
    inner = np.array([0.5, rng.uniform(0.8, 0.97)])
    return np.concatenate(
        [
            (1 - s) ** 2 * top + 2 * s * (1 - s) * inner + s**2 * right,
            (1 - s) ** 2 * left + 2 * s * (1 - s) * inner + s**2 * top,
        ]
    )


def draw_pip(
    face: Image.Image,
    outline: list[np.ndarray],
    centre: tuple[float, float],
    size: float,
    colour: tuple[int, int, int],
    *,
    turned: bool = False,
    hollow: bool = False,
) -> None:
    """Draw a pip *size* pixels tall round *centre*; *hollow* leaves only its edge."""
    draw = ImageDraw.Draw(face)
    for fill, scale in ((colour, 1.0), ((255, 255, 255), 0.78)) if hollow else ((colour, 1.0),):
        for polygon in outline:
            p = (polygon - 0.5) * size * scale * (-1 if turned else 1) + np.array(centre)
            draw.polygon([tuple(q) for q in p], fill=fill)


def draw_ornate_ace(
    face: Image.Image,
    outline: list[np.ndarray],
    colour: tuple[int, int, int],
    type_file: str,
    rng: np.random.Generator,
) -> None:
    """Draw an ace as makers sign it: a large pip, engraved or grey, and their name round it."""
    size, centre = H * rng.uniform(0.2, 0.58), np.array([W / 2, H * rng.uniform(0.44, 0.56)])
    grey = tuple(int(v) for v in np.full(3, rng.uniform(0, 200)))
    draw_pip(face, outline, tuple(centre), size, grey if rng.random() < 0.6 else colour)
    draw = ImageDraw.Draw(face)
    scale = rng.uniform(0.6, 0.95)
    for k in np.linspace(scale, scale * rng.uniform(0.2, 0.7), int(rng.integers(0, 5))):
        tone = [(255, 255, 255), colour, grey][int(rng.integers(3))]
        draw_pip(face, outline, tuple(centre), size * k, tone)
    for _ in range(int(rng.integers(0, 90))):  # engraving
        x, y = centre + rng.normal(0, size * 0.16, 2)
        a, b = rng.uniform(1, size * 0.09, 2)
        tone = [(255, 255, 255), colour, grey][int(rng.integers(3))]
        if rng.random() < 0.5:
            draw.ellipse((x - a, y - a, x + a, y + a), outline=tone, width=int(rng.integers(1, 4)))
        else:
            draw.line((x - a, y - b, x + a, y + b), fill=tone, width=int(rng.integers(1, 5)))
    words = ["CARD COMPANY", "Trademark", "No. 808", "MADE IN", "PLAYING CARDS", "ESTABLISHED 1867"]
    for _ in range(int(rng.integers(0, 4))):
        word = words[rng.integers(len(words))]
        text = lettering(word, type_file, H * rng.uniform(0.015, 0.05), 1.0, colour)
        if rng.random() < 0.3:
            text = text.rotate(180)
        y = int(centre[1] + (size / 2 + H * rng.uniform(0.01, 0.14)) * rng.choice([-1, 1]))
        face.paste(text, (int(W / 2 - text.width / 2), y - text.height // 2), text)


def lettering(
    text: str,
    file: str,
    height: float,
    squeeze: float,
    colour: tuple[int, int, int],
    bold: float = 0.0,
) -> Image.Image:
    """Draw *text* to a transparent picture *height* pixels tall.

    *bold* makes strokes broader on each side, in parts of the height.
    """
    font = ImageFont.truetype(file, int(height * 2))
    more = round(bold * height * 2)
    left, top, right, bottom = font.getbbox(text, stroke_width=more)
    picture = Image.new("RGBA", (max(right - left, 1), max(bottom - top, 1)))
    draw = ImageDraw.Draw(picture)
    draw.text((-left, -top), text, font=font, fill=(*colour, 255), stroke_width=more)
    wide = max(int(picture.width * height / picture.height * squeeze), 2)
    if len(text) == 2:
        wide = int(wide * 0.85)
    return picture.resize((wide, max(int(height), 2)), Image.Resampling.LANCZOS)


BARE = 0.15
"""Part of the decks that is drawn without indices."""

SQUARE = 0.25
"""Part of the decks with indices whose type is one of square, even strokes."""

_SIZES, _OFTEN = ((0.035, 0.055), (0.055, 0.12), (0.12, 0.24)), (0.1, 0.6, 0.3)
"""Heights of indices in parts of the card: tiny, usual and jumbo; and how often they are so."""


def _panel(style: dict, rng: np.random.Generator) -> tuple:
    """An inner panel: where it lies, how round its corners are, and how it is painted.

    Half of the time the pips keep inside it.
    """
    inset_x, inset_y = rng.uniform(0.13, 0.25), rng.uniform(0.05, 0.3)
    if rng.random() < 0.5:
        style["pip"] = rng.uniform(0.06, 0.11)
        style["field"] = inset_x + rng.uniform(0.08, 0.14), inset_y + rng.uniform(0.05, 0.09)
    pale = rng.uniform(185, 255, 3) * (1, 1, rng.uniform(0.5, 1))
    fill = tuple(int(v) for v in pale) if rng.random() < 0.75 else None
    line = tuple(int(v) for v in rng.uniform(0, 190, 3))
    return (
        (W * inset_x, H * inset_y, W * (1 - inset_x), H * (1 - inset_y)),
        W * rng.uniform(0, 0.08),
        {"fill": fill, "outline": line if rng.random() < 0.7 else fill, "width": 3},
    )


def draw_figure(
    art: np.ndarray, style: dict, size: tuple[int, int], rng: np.random.Generator
) -> np.ndarray:
    """Redraw the figure of a court as another maker might: uint8 RGB of *size*, width and height.

    Whole or only its upper half, mirrored, bent, in other paints, or printed in one ink.
    """
    wide, tall = size
    # The source's own indices lie in its margins: take only what is between them.
    bottom = 0.52 if style["half"] else 0.95
    cut = art[int(FACE_H * 0.05) : int(FACE_H * bottom), int(FACE_W * 0.15) : int(FACE_W * 0.85)]
    figure = cv2.resize(cut, size)
    if style["bent"]:
        shift = rng.normal(0, style["bent"], (2, 5, 4)).astype(np.float32)
        dx, dy = (cv2.resize(s, size, interpolation=cv2.INTER_CUBIC) * wide for s in shift)
        y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
        figure = cv2.remap(
            figure, x + dx, y + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    rgb = cv2.cvtColor(figure, cv2.COLOR_BGR2RGB) @ style["paints"]
    if style["ink"] is not None:
        grey = rgb.mean(axis=2, keepdims=True) / 255
        rgb = style["ink"] * (1 - grey) + 255 * grey
    rgb = rgb if rng.random() < 0.5 else rgb[:, ::-1]
    return np.clip(rgb, 0, 255).astype(np.uint8)


WORDS = ("JOKER", "JOLLY", "JOKER", "WILD", "FOU", "JESTER", "BONUS", "*")
"""What stands in the corners of cards that are none of the 52."""


def draw_joker(
    rng: np.random.Generator, types: list[str], courts: dict[str, list[np.ndarray]]
) -> np.ndarray:
    """Draw a joker: a star or a figure, and a word down its corners: as a face of a deck."""
    face = Image.new("RGB", (W, H), tuple(int(v) for v in rng.uniform(232, 255, 3)))
    ink = tuple(int(v) for v in rng.uniform(0, 220, 3))
    if rng.random() < 0.6:
        every = courts[list(courts)[rng.integers(len(courts))]]
        paints = np.eye(3)[:, rng.permutation(3)] * 0.7 + rng.uniform(0, 0.3, (3, 3))
        style = {
            "paints": paints / paints.sum(axis=0),
            "half": True,
            "bent": rng.uniform(0.02, 0.09),
            "ink": rng.uniform(0, 140, 3) if rng.random() < 0.4 else None,
        }
        wide = int(W * rng.uniform(0.45, 0.75))
        tall = int(wide * rng.uniform(1.0, 1.6))
        figure = draw_figure(every[rng.integers(len(every))], style, (wide, tall), rng)
        face.paste(Image.fromarray(figure), ((W - wide) // 2, (H - tall) // 2))
    else:
        points = int(rng.integers(4, 9))
        angles = np.arange(2 * points) * np.pi / points - np.pi / 2
        radii = np.where(np.arange(2 * points) % 2, rng.uniform(0.08, 0.2), rng.uniform(0.2, 0.35))
        star = np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None] * W
        star += np.array([W / 2, H / 2])
        ImageDraw.Draw(face).polygon([tuple(p) for p in star], fill=ink)
    file = types[rng.integers(len(types))]
    size, y = H * rng.uniform(0.035, 0.07), H * 0.04
    for letter in WORDS[rng.integers(len(WORDS))]:
        mark = lettering(letter, file, size, 1.0, ink)
        face.paste(mark, (int(W * 0.08 - mark.width / 2), int(y)), mark)
        y += size * 1.15
    if rng.random() < 0.5:  # the word at the other end, too
        low = H * 2 // 3
        face.paste(face.rotate(180).crop((0, low, W, H)), (0, low))
    small = face.resize((FACE_W, FACE_H), Image.Resampling.BOX)
    return cv2.cvtColor(np.asarray(small), cv2.COLOR_RGB2BGR)


def draw_deck(
    rng: np.random.Generator,
    types: list[str],
    courts: dict[str, list[np.ndarray]],
    codes: list[str] = CODES,
    *,
    bare: bool = False,
) -> np.ndarray:
    """Draw the faces *codes* of one new deck: uint8 (len(codes), FACE_H, FACE_W, 3) BGR.

    A *bare* one has no indices, as before about 1875: its courts are told by their figures, with
    a pip beside the head, or two.
    """
    letters = LETTERS[rng.integers(len(LETTERS))]
    while True:
        type_file = types[rng.integers(len(types))]
        if has(type_file, "A234567890" + "".join(letters) + ACES.get(letters[0], "")):
            break
    ace = ACES.get(letters[0], "A") if rng.random() < 0.5 else "A"
    bold = rng.uniform(0.005, 0.04) if rng.random() < 0.3 else 0.0
    letter = functools.partial(lettering, file=type_file, bold=bold)
    if rng.random() < SQUARE and set("".join(letters) + ace) <= set(stroke_types.LETTERS):
        letter = stroke_types.StrokeType.random(rng).lettering
    style = {
        "index": rng.uniform(*_SIZES[rng.choice(3, p=_OFTEN)]),
        "squeeze": rng.uniform(0.6, 1.05),
        "x": rng.uniform(0.06, 0.11),
        "y": rng.uniform(0.03, 0.06),
        "small": rng.uniform(0.6, 1.05),
        "four": rng.random() < 0.3,
        "pip": rng.uniform(0.13, 0.21),
        "field": (rng.uniform(0.26, 0.33), rng.uniform(0.14, 0.22)),
        "hollow": rng.random() < 0.04,
    }
    # Bright red, or as dark as maroon.
    glow = int(rng.integers(170, 255)) if rng.random() < 0.6 else int(rng.integers(70, 170))
    red = (glow, int(rng.integers(0, glow // 4)), int(rng.integers(0, glow // 4)))
    dark = int(rng.integers(0, 50))
    colours = {"S": (dark, dark, dark), "C": (dark, dark, dark), "H": red, "D": red}
    if rng.random() < 0.2:
        colours["C"] = (0, int(rng.integers(90, 150)), int(rng.integers(0, 60)))
        colours["D"] = (int(rng.integers(0, 60)), int(rng.integers(40, 120)), 210)
    # Each maker has paints of its own: the colours of the figures are mixed a little, or a lot.
    paints = np.eye(3) * rng.uniform(0.7, 1) + np.abs(rng.normal(0, 0.12, (3, 3)))
    if not bare and rng.random() < 0.25:
        paints = paints[:, rng.permutation(3)] + np.abs(rng.normal(0, 0.2, (3, 3)))
    style |= {
        "paints": paints / paints.sum(axis=0),
        "half": rng.random() < (0.5 if bare else 0.2),
        "bent": rng.uniform(0.01, 0.05) if rng.random() < 0.6 else 0.0,
        "ink": rng.uniform(0, 110, 3) if rng.random() < 0.12 else None,
    }
    outlines = {suit: pip_outline(suit, rng) for suit in "SHDC"}
    paper = tuple(int(v) for v in np.array([255, 255, 255]) - rng.integers(0, 18, 3))
    frame = rng.random() < 0.5
    panel = _panel(style, rng) if rng.random() < 0.3 else None
    faces = []
    for code in codes:
        rank, suit = code
        face = Image.new("RGB", (W, H), paper)
        colour, outline = colours[suit], outlines[suit]
        if panel is not None and (rank not in "JQK" or rng.random() < 0.5):
            ImageDraw.Draw(face).rounded_rectangle(*panel[:2], **panel[2])
        if rank in "JQK":
            # Makers draw what they like: where there is an index, it and not the figure tells.
            other = not bare and rng.random() < 0.35
            figure = "JQK"[rng.integers(3)] + suit if other else code
            art = courts[figure][rng.integers(len(courts[figure]))]
            inset_x, inset_y = rng.uniform(0.1, 0.19), rng.uniform(0.05, 0.1)
            if bare:
                inset_x, inset_y = inset_x * 0.6, inset_y * 0.8
            wide, tall = int(W * (1 - 2 * inset_x)), int(H * (1 - 2 * inset_y))
            drawn = draw_figure(art, style, (wide, tall), rng)
            face.paste(Image.fromarray(drawn), (int(W * inset_x), int(H * inset_y)))
            if bare:
                size, place = H * rng.uniform(0.1, 0.17), (inset_x + 0.13, inset_y + 0.1)
                for turned in (False, True)[: 1 if style["half"] else 2]:
                    at = np.array(place) if not turned else 1 - np.array(place)
                    draw_pip(face, outline, tuple(at * (W, H)), size, colour, turned=turned)
            if frame:
                ImageDraw.Draw(face).rectangle(
                    (W * inset_x, H * inset_y, W * (1 - inset_x), H * (1 - inset_y)),
                    outline=(30, 30, 120),
                    width=3,
                )
        elif rank == "A":
            if rng.random() < (0.75 if suit == "S" else 0.1):
                draw_ornate_ace(face, outline, colour, type_file, rng)
            else:
                size = H * rng.uniform(0.16, 0.35)
                draw_pip(face, outline, (W / 2, H / 2), size, colour, hollow=style["hollow"])
        else:
            left, top = style["field"]
            for x, y in ROWS[rank]:
                centre = (W * (left + x * (1 - 2 * left)), H * (top + y * (1 - 2 * top)))
                draw_pip(
                    face,
                    outline,
                    centre,
                    H * style["pip"],
                    colour,
                    turned=y > 0.5,
                    hollow=style["hollow"],
                )
        if bare:
            small_face = face.resize((FACE_W, FACE_H), Image.Resampling.BOX)
            faces.append(cv2.cvtColor(np.asarray(small_face), cv2.COLOR_RGB2BGR))
            continue
        name = {"T": "10", "J": letters[0], "Q": letters[1], "K": letters[2]}.get(rank, rank)
        if rank == "A":
            name = ace
        mark = letter(name, height=H * style["index"], squeeze=style["squeeze"], colour=colour)
        small = H * style["index"] * style["small"]
        corner = Image.new("RGBA", (W, H))
        x, y = max(W * style["x"], mark.width / 2 + W * 0.015), H * style["y"]
        patch = Image.new(
            "RGBA", (max(mark.width, int(small)) + 10, int(mark.height + small * 1.2) + 8)
        )
        patch.paste(paper, (0, 0, patch.width, patch.height))
        corner.paste(patch, (int(x - patch.width / 2), int(y - 4)))
        corner.paste(mark, (int(x - mark.width / 2), int(y)), mark)
        draw_pip(corner, outline, (x, y + mark.height + small * 0.65), small, colour)
        face.paste(corner, (0, 0), corner)
        if style["four"]:
            other = Image.new("RGBA", (W, H))
            shift = int(W - 2 * x)
            other.paste(corner, (shift, 0))
            face.paste(other, (0, 0), other)
        # Only the top half carried its indices so far: turn the same corners to the bottom.
        turned = corner.rotate(180)
        face.paste(turned, (0, 0), turned)
        if style["four"]:
            turned = other.rotate(180)
            face.paste(turned, (0, 0), turned)
        small_face = face.resize((FACE_W, FACE_H), Image.Resampling.BOX)
        faces.append(cv2.cvtColor(np.asarray(small_face), cv2.COLOR_RGB2BGR))
    return np.array(faces)


def main() -> None:
    """Draw the decks: ``drawn.npy``, uint8 (decks, 52, FACE_H, FACE_W, 3)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--decks", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of types; by default the installed ones")
    args = parser.parse_args()
    seeds = np.random.SeedSequence(args.seed).spawn(args.decks)
    with multiprocessing.Pool(args.processes, _begin, [args.work, fonts(args.fonts)]) as pool:
        made = pool.map(_draw, seeds, chunksize=1)
    for name, column in zip(("", "-bare", "-jokers"), zip(*made, strict=True), strict=True):
        np.save(args.work / f"drawn{name}.npy", np.array(column))
    print(f"{len(made)} decks")


_types: list[str] = []
_courts: dict[str, list[np.ndarray]] = {}


def _begin(work: Path, types: list[str]) -> None:
    """Load what every deck of a process needs: type, and the figures of the courts."""
    faces = np.load(work / "faces.npy", mmap_mode="r")
    labels, decks = np.load(work / "labels.npy"), np.load(work / "decks.npy")
    free = np.array([deck.startswith(FREE) for deck in decks])
    # Large indices would be cut out with the figures.
    usable = free & ~np.isin(decks, HELD_OUT) & ~np.char.endswith(decks, "-bf")
    _types[:] = types
    for code in CODES:
        if code[0] in "JQK":
            own = np.flatnonzero(usable & (labels == CODES.index(code)))
            _courts[code] = [np.array(faces[i]) for i in own]


def _draw(seed: np.random.SeedSequence) -> tuple[np.ndarray, bool, np.ndarray]:
    """Draw a deck; return its faces, whether it lacks indices, and its two jokers."""
    rng = np.random.default_rng(seed)
    bare = bool(rng.random() < BARE)
    faces = draw_deck(rng, _types, _courts, bare=bare)
    return faces, bare, np.array([draw_joker(rng, _types, _courts) for _ in range(2)])


if __name__ == "__main__":
    main()
