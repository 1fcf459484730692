"""Table tops under bones: drawn grounds, printed mats, and cards, coins and paper lying on them."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor

from vision.training.cards import things as other_things
from vision.training.cards.art import draw_back
from vision.training.common.atlas import Atlas
from vision.training.common.dice import Dice

GROUNDS, BACKS, EACH = 160, 80, 16
"""How many table tops, backs, and things of each kind are drawn."""

FLAT = 4
"""The most flat things on a table."""

CARD_MM, BONE_MM = 63.0, 31.0

CARDS_FILE = "bones-cards.npz"


def gather_cards(work: Path, count: int = 260) -> None:
    """Keep some faces of the free decks, courts most of all, as a small file of JPEGs."""
    from vision.training.cards.deck_art import FREE, HELD_OUT

    rng = np.random.default_rng(5)
    faces = np.load(work / "faces.npy", mmap_mode="r")
    labels, names = np.load(work / "labels.npy"), np.load(work / "decks.npy")
    free = np.array([str(n).startswith(FREE) and str(n) not in HELD_OUT for n in names])
    courts = free & (labels % 13 >= 10)
    drawn = np.load(work / "drawn.npy", mmap_mode="r")
    chosen = [faces[k] for k in rng.permutation(np.flatnonzero(courts))[: count // 2]]
    chosen += [faces[k] for k in rng.permutation(np.flatnonzero(free & ~courts))[: count // 6]]
    for _ in range(count - len(chosen)):
        chosen.append(drawn[rng.integers(len(drawn)), rng.integers(52)])
    small = [
        cv2.resize(np.asarray(each), (144, 202), interpolation=cv2.INTER_AREA) for each in chosen
    ]
    coded = [cv2.imencode(".jpg", each, [cv2.IMWRITE_JPEG_QUALITY, 85])[1] for each in small]
    np.savez(
        work / CARDS_FILE,
        ends=np.cumsum([len(each) for each in coded]),
        bytes=np.concatenate(coded),
    )


def _cards(work: Path) -> list[np.ndarray]:
    if not (work / CARDS_FILE).exists():
        if not (work / "faces.npy").exists():
            return []
        gather_cards(work)
    with np.load(work / CARDS_FILE) as kept:
        coded = np.split(kept["bytes"], kept["ends"][:-1])
    return [cv2.imdecode(each, cv2.IMREAD_COLOR) for each in coded]


class Tops:
    """Draws the tables of a batch."""

    def __init__(self, work: Path, device: torch.device | str, *, held_out: bool = False) -> None:
        """Draw and load all pictures."""
        rng = np.random.default_rng(22 if held_out else 21)
        few = 4 if held_out else 1
        pictures: list[np.ndarray] = []

        def add(some: list[np.ndarray]) -> Tensor:
            pictures.extend(np.ascontiguousarray(each) for each in some)
            return torch.arange(len(pictures) - len(some), len(pictures), device=device)

        self.device = torch.device(device)
        self.grounds = add(other_things.grounds(GROUNDS // few, rng))
        mats = other_things.mats()
        self.mats = add([each for each, _ in mats])
        self.mats_mm = torch.tensor([wide for _, wide in mats], device=device)
        self.printed = torch.from_numpy(np.stack([_printed(each) for each, _ in mats])).to(device)
        backs = add([draw_back(rng) for _ in range(BACKS // few)])
        faces = add(_cards(work))
        made = other_things.things(EACH // few + 1, rng)
        # How often what lies there, its width in cards and its roundness.
        flat = [(faces if len(faces) else backs, 0.42, 1.0, 0.05), (backs, 0.24, 1.0, 0.05)]
        flat += [(add(made[name]), 0.05, size[0], size[2])
                 for name, size in other_things.SIZES.items()]  # fmt: skip
        self.atlas = Atlas(pictures, device)
        self.many = torch.tensor([len(each[0]) for each in flat], device=device)
        long = int(max(len(each[0]) for each in flat))
        self.flat = torch.stack([each[0].repeat(long)[:long] for each in flat])
        self.often = torch.tensor([each[1] for each in flat], device=device)
        self.wide = torch.tensor([each[2] for each in flat], device=device)
        self.round = torch.tensor([each[3] for each in flat], device=device)

    def _look(self, picture: Tensor, across: Tensor, u: Tensor, v: Tensor) -> Tensor:
        """Colours of a picture for each scene, (m, 3, h, w), at places *u*, *v*, (m, h, w)."""
        place = self.atlas.places[picture, self.atlas.levels(picture, across)]
        spread = place[:, None].expand(-1, u[0].numel(), -1).reshape(-1, 3)
        out = self.atlas.look_up(spread, u.reshape(-1), v.reshape(-1))[:, :3]
        return out.view(len(u), u[0].numel(), 3).transpose(1, 2).reshape(-1, 3, *u.shape[1:])

    @torch.inference_mode()
    def draw(
        self, bone_px: Tensor, size: tuple[int, int], dice: Dice, print_there: Tensor
    ) -> Tensor:
        """Draw table tops on which bones are *bone_px* long: float32 (b, 3, h, w), 0-255.

        Where *print_there* is true, (b,), a print or a card lies in the middle.
        """
        b, (width, height) = len(bone_px), size
        px_per_mm = bone_px / BONE_MM * dice.u(0.85, 1.2, b)
        x = torch.arange(width, device=self.device) + 0.5 - width / 2
        y = torch.arange(height, device=self.device)[:, None] + 0.5 - height / 2
        on_mat = dice.chance(0.22, b) | (print_there & dice.chance(0.4, b))
        which = dice.whole(len(self.mats), b)
        picture = torch.where(on_mat, self.mats[which], dice.one_of(self.grounds, b))
        across = torch.where(
            on_mat, self.mats_mm[which] * px_per_mm, bone_px * dice.log(3, 18, b) + width * 0.3
        )
        ratio = self.atlas.size[picture, 0] / self.atlas.size[picture, 1]
        angle = dice.u(0, 2 * math.pi, b)
        cosine, sine = (each[:, None, None] / across[:, None, None]
                        for each in (angle.cos(), angle.sin()))  # fmt: skip
        printed = self.printed[which, dice.whole(self.printed.shape[1], b)]
        anywhere = dice.u(0.05, 0.95, b, 2)
        middle = torch.where((print_there | dice.chance(0.3, b))[:, None], printed, anywhere)
        u = middle[:, 0, None, None] + cosine * x + sine * y
        v = middle[:, 1, None, None] + (cosine * y - sine * x) * ratio[:, None, None]
        out_of_it = ((u - 0.5).abs().maximum((v - 0.5).abs()) > 0.5) & on_mat[:, None, None]
        u, v = (w - torch.round(w / 2) * 2 for w in (u, v))
        image = self._look(picture, across, u.abs(), v.abs())
        beyond = dice.u(10, 220, b, 1, 1, 1) + dice.n(20, b, 3, 1, 1)
        image = torch.where(out_of_it[:, None], beyond, image)
        tint = (dice.n(0.12, b, 3, 1, 1) + dice.n(0.2, b, 1, 1, 1)).exp()
        image = image * torch.where(on_mat[:, None, None, None], tint * 0 + 1, tint)
        some = dice.chance(0.33, b) | (print_there & ~on_mat)
        for k in range(FLAT):
            there = some & (dice.chance(0.5, b) | (print_there if k == 0 else print_there & False))
            self._lay(image, there, px_per_mm, x, y, dice, print_there if k == 0 else None)
        return image.clamp_(0, 255)

    def _lay(
        self,
        image: Tensor,
        there: Tensor,
        px_per_mm: Tensor,
        x: Tensor,
        y: Tensor,
        dice: Dice,
        middle: Tensor | None,
    ) -> None:
        """Lay a flat thing on each table where *there* is true, in place."""
        b, _, height, width = image.shape
        kind = torch.multinomial(
            self.often.expand(b, -1), 1, replacement=True, generator=dice.generator
        )[:, 0]
        number = (dice.u(0, 0.9999, b) * self.many[kind]).long()
        wide = self.wide[kind] * CARD_MM * px_per_mm * dice.u(0.9, 1.12, b)
        centre = dice.u(-0.6, 0.6, b, 2) * torch.tensor([width, height], device=self.device)
        if middle is not None:
            near = dice.u(-0.45, 0.45, b, 2) * wide[:, None]
            centre = torch.where(middle[:, None], near, centre)
        angle, bend = dice.u(0, 2 * math.pi, b), dice.u(-0.15, 0.15, b)
        added = dice.n(12, b, 3)
        chosen = there.nonzero()[:, 0]
        if not len(chosen):
            return
        kind, number, wide, angle, bend, added = (
            each[chosen] for each in (kind, number, wide, angle, bend, added)
        )
        picture = self.flat[kind, number]
        tall = wide * self.atlas.size[picture, 1] / self.atlas.size[picture, 0]
        dx, dy = (w - centre[chosen, k, None, None] for k, w in enumerate((x, y)))
        cosine, sine = angle.cos()[:, None, None], angle.sin()[:, None, None]
        across, down = cosine * dx + sine * dy, cosine * dy - sine * dx
        half = wide[:, None, None] / 2, tall[:, None, None] / 2
        radius = (self.round[kind] * wide)[:, None, None]
        qx, qy = across.abs() - half[0] + radius, down.abs() - half[1] + radius
        far = torch.hypot(qx.clamp(min=0), qy.clamp(min=0)) - radius
        far = far + torch.maximum(qx, qy).clamp(max=0)
        cover = (0.5 - far).clamp(0, 1)[:, None]
        u, v = across / (2 * half[0]) + 0.5, down / (2 * half[1]) + 0.5
        colour = self._look(picture, wide, u.clamp(0, 1), v.clamp(0, 1))
        light = 1 + bend[:, None, None, None] * (u - 0.5)[:, None]
        colour = (colour + added[:, :, None, None]) * light
        below = image[chosen]
        soft = (px_per_mm[chosen] * 1.2)[:, None, None]
        below = below * (1 - 0.35 * torch.exp(-((far.clamp(min=0) / soft) ** 2)))[:, None]
        image[chosen] = below.lerp(colour.clamp(0, 255), cover)


def _printed(mat: np.ndarray, count: int = 400) -> np.ndarray:
    """Places of a mat's print, in parts of its size, float32 (count, 2): words and frames."""
    small = cv2.resize(mat, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA).astype(np.float32)
    edge = np.abs(cv2.Laplacian(small, cv2.CV_32F)).sum(2)
    busy = cv2.boxFilter(edge, -1, (9, 9))
    rng = np.random.default_rng(0)
    weight = np.clip(busy - np.quantile(busy, 0.6), 0, None).ravel()
    chosen = rng.choice(busy.size, count, p=weight / weight.sum())
    rows, columns = np.divmod(chosen, busy.shape[1])
    return np.stack([columns / busy.shape[1], rows / busy.shape[0]], 1).astype(np.float32)
