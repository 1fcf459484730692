"""What bones and other small things are made of: bone, resin, paint, metal, amber, wood, glass.

A material is a row of numbers (:data:`COLUMNS`); whole tables of them are drawn at once. Colours
are BGR and linear.
"""

from __future__ import annotations

import torch
from torch import Tensor

from vision.training.common.dice import Dice

COLUMNS = (
    "blue", "green", "red", "second_blue", "second_green", "second_red",
    "rough", "metal", "clear", "cloudy", "wrap", "dirt", "wear", "blotch", "bump", "patina",
    "grain", "pores", "grain_x", "grain_y", "fine", "u", "v",
)  # fmt: skip
"""The second colour is that of patina, of a second paint, and of the dark lines of wood; *clear* is
how much of the table is seen through, *cloudy* how much of that is lost in it; *wrap* is how far
light creeps round; *dirt* darkens pits and *wear* pales ridges; the last five place the pattern."""

KINDS = {
    "bone": (
        0.30, (0.25, 0.8), 0, (0, 0), (0, 0), (0.1, 0.4), (0.0, 0.6),
        (0.0, 0.15), (0.0, 0.3), (0.0, 0.10), (0.0, 0.06), (0, 0), (0.0, 0.5),
    ),
    "dyed": (
        0.12, (0.2, 0.8), 0, (0, 0), (0, 0), (0.0, 0.3), (-0.2, 0.5),
        (0.0, 0.5), (0.0, 0.3), (0.0, 0.08), (0.0, 0.15), (0, 0), (0.0, 0.4),
    ),
    "resin": (
        0.09, (0.04, 0.4), 0, (0, 0), (0, 0), (0.0, 0.3), (0.0, 0.25),
        (0.0, 0.05), (0.0, 0.12), (0.0, 0.03), (0.0, 0.05), (0, 0), (0, 0),
    ),
    "painted": (
        0.09, (0.1, 0.75), 0, (0, 0), (0, 0), (0.0, 0.1), (0.0, 1.0),
        (0.0, 0.9), (0.0, 0.1), (0.0, 0.06), (0.0, 0.7), (0, 0), (0.0, 0.2),
    ),
    "pewter": (
        0.06, (0.18, 0.55), 1, (0, 0), (0, 0), (0, 0), (0.1, 1.0),
        (0.0, 0.3), (0.0, 0.1), (0.0, 0.04), (0.0, 0.35), (0, 0), (0.0, 0.3),
    ),
    "brass": (
        0.06, (0.06, 0.45), 1, (0, 0), (0, 0), (0, 0), (0.0, 0.9),
        (0.0, 0.3), (0.0, 0.1), (0.0, 0.025), (0.0, 0.4), (0, 0), (0.0, 0.2),
    ),
    "steel": (
        0.05, (0.02, 0.4), 1, (0, 0), (0, 0), (0, 0), (0.0, 0.6),
        (0.0, 0.2), (0.0, 0.1), (0.0, 0.025), (0.0, 0.2), (0, 0), (0.0, 0.1),
    ),
    "bronze": (
        0.06, (0.18, 0.55), 1, (0, 0), (0, 0), (0, 0), (0.1, 1.0),
        (0.0, 0.4), (0.0, 0.15), (0.0, 0.04), (0.0, 0.9), (0, 0), (0.0, 0.2),
    ),
    "clear": (
        0.04, (0.02, 0.25), 0, (0.7, 0.97), (0.0, 0.3), (0.0, 0.3), (0.0, 0.15),
        (0, 0), (0.0, 0.05), (0.0, 0.02), (0, 0), (0, 0), (0, 0),
    ),
    "amber": (
        0.05, (0.02, 0.35), 0, (0.4, 0.95), (0.1, 0.8), (0.1, 0.5), (0.0, 0.2),
        (0, 0), (0.0, 0.2), (0.0, 0.02), (0, 0), (0, 0), (0, 0),
    ),
    "wood": (
        0.05, (0.2, 0.8), 0, (0, 0), (0, 0), (0.0, 0.2), (0.0, 0.35),
        (0.0, 0.15), (0.0, 0.15), (0.0, 0.08), (0.0, 0.1), (0.15, 0.8), (0.0, 0.5),
    ),
    "glass": (
        0.03, (0.01, 0.08), 0, (0.8, 0.98), (0.0, 0.1), (0, 0), (0.0, 0.1),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ),
}  # fmt: skip
"""How often each is drawn, and bounds: roughness, metal or not, clear, cloudy, wrap, dirt, wear,
blotches, bumps, patina, grain, pores."""

NATURAL = ((0.60, 0.74, 0.80), (0.76, 0.80, 0.82), (0.27, 0.52, 0.72), (0.13, 0.26, 0.42),
           (0.50, 0.53, 0.55), (0.06, 0.11, 0.18), (0.40, 0.62, 0.78),
           (0.66, 0.72, 0.74))  # fmt: skip
DYES = ((0.05, 0.06, 0.50), (0.42, 0.14, 0.06), (0.10, 0.32, 0.08), (0.03, 0.03, 0.03),
        (0.03, 0.03, 0.40), (0.45, 0.10, 0.03), (0.06, 0.20, 0.04), (0.04, 0.03, 0.03),
        (0.35, 0.06, 0.30), (0.06, 0.35, 0.65), (0.08, 0.60, 0.75), (0.45, 0.40, 0.08),
        (0.75, 0.75, 0.75), (0.12, 0.12, 0.12))  # fmt: skip
COLOURS = {
    "bone": NATURAL,
    "dyed": DYES,
    "resin": NATURAL + DYES,
    "painted": NATURAL + DYES,
    "pewter": ((0.56, 0.56, 0.55), (0.40, 0.41, 0.41), (0.28, 0.28, 0.28), (0.68, 0.70, 0.70)),
    "brass": ((0.30, 0.62, 0.82), (0.43, 0.76, 0.89), (0.34, 0.72, 0.97), (0.20, 0.48, 0.70)),
    "steel": ((0.58, 0.57, 0.56), (0.85, 0.86, 0.86), (0.42, 0.42, 0.42), (0.92, 0.93, 0.95)),
    "bronze": ((0.25, 0.45, 0.70), (0.15, 0.30, 0.50), (0.50, 0.62, 0.93), (0.10, 0.18, 0.30)),
    "clear": ((0.92, 0.94, 0.94), (0.85, 0.92, 0.95), (0.92, 0.80, 0.60), (0.70, 0.85, 0.70)),
    "amber": ((0.10, 0.42, 0.85), (0.03, 0.22, 0.75), (0.02, 0.12, 0.45), (0.20, 0.70, 0.93),
              (0.03, 0.05, 0.50), (0.05, 0.35, 0.10), (0.55, 0.20, 0.05)),
    "wood": ((0.20, 0.38, 0.58), (0.10, 0.20, 0.36), (0.38, 0.58, 0.74), (0.04, 0.07, 0.13),
             (0.08, 0.13, 0.33)),
    "glass": ((0.92, 0.94, 0.92), (0.75, 0.90, 0.75), (0.92, 0.75, 0.50), (0.06, 0.20, 0.70)),
}  # fmt: skip
DARK = ((0.03, 0.03, 0.03), (0.05, 0.09, 0.15))
SECONDS = {
    "bone": (*DARK, (0.30, 0.42, 0.50)),
    "dyed": NATURAL,
    "resin": DYES,
    "painted": DYES + NATURAL,
    "pewter": (*DARK, (0.12, 0.12, 0.12)),
    "brass": (*DARK, (0.30, 0.40, 0.16)),
    "steel": (*DARK, (0.03, 0.12, 0.35)),
    "bronze": ((0.45, 0.55, 0.22), (0.38, 0.45, 0.14), *DARK),
}
"""Colours of patina, verdigris, rust and second paints; of the others dark ones."""


class Materials:
    """Draws tables of materials."""

    def __init__(self, device: torch.device | str) -> None:
        """Put the bounds on a device."""
        self.often = torch.tensor([each[0] for each in KINDS.values()], device=device)
        bounds = [
            [each[1], (each[2], each[2]), *each[3:]] for each in KINDS.values()
        ]  # as in COLUMNS from "rough" on
        self.bounds = torch.tensor(bounds, dtype=torch.float32, device=device)
        self.colours = self._palette(COLOURS, device)
        self.seconds = self._palette({name: SECONDS.get(name, DARK) for name in KINDS}, device)

    @staticmethod
    def _palette(colours: dict[str, tuple], device: torch.device | str) -> Tensor:
        """Colours by kind, each list repeated to the same length."""
        long = max(map(len, colours.values()))
        rows = [[own[k % len(own)] for k in range(long)] for own in colours.values()]
        return torch.tensor(rows, dtype=torch.float32, device=device)

    def _rows(self, kind: Tensor, dice: Dice) -> Tensor:
        shape = kind.shape
        low, high = self.bounds[kind].unbind(-1)
        values = low + (high - low) * dice.u(0, 1, *low.shape)
        # Polished, wet or varnished, now and then, whatever it is.
        polished = dice.chance(0.15, *shape)
        values[..., 0] = torch.where(polished, values[..., 0] * 0.35, values[..., 0])
        rich = self.bounds[kind][..., 9, 1] > 0
        values[..., 9] *= (dice.chance(0.6, *shape) & rich).float()
        colours = []
        for palette in (self.colours, self.seconds):
            pick = dice.whole(palette.shape[1], *shape)
            colour = palette[kind, pick]
            # Metals and what is clear keep their colours, the rest comes in any shade.
            spread = torch.where(values[..., 1] + values[..., 2] > 0, 0.12, 0.3)[..., None]
            colour = colour * (dice.n(1, *shape, 1) * spread + dice.n(0.07, *shape, 3)).exp()
            colours.append(colour.clamp(0.012, 0.97))
        angle = dice.u(0, 6.2832, *shape)
        fine = dice.log(27, 107, *shape)
        where = [angle.cos(), angle.sin(), fine, dice.u(0, 512, *shape), dice.u(0, 512, *shape)]
        return torch.cat([*colours, values, torch.stack(where, -1)], -1)

    def draw(self, scenes: int, things: int, dice: Dice) -> Tensor:
        """Draw a row for each thing, (scenes, things, columns): mostly sets of one material."""
        kinds = torch.multinomial(
            self.often.expand(scenes, -1), things, replacement=True, generator=dice.generator
        )
        rows = self._rows(kinds, dice)
        base = rows[:, :1].expand(-1, things, -1).clone()
        shape = scenes, things
        # A set differs a little: in shade, in wear, in where its patterns fall.
        base[..., :3] *= (dice.n(0.1, *shape, 1) + dice.n(0.03, *shape, 3)).exp()
        base[..., -2:] = rows[..., -2:]
        base[..., 11:13] *= dice.u(0.7, 1.3, *shape, 2)
        one_set = dice.chance(0.75, scenes, 1, 1)
        return torch.where(one_set, base, rows)

    def a_set(self, name: str, dice: Dice) -> Tensor:
        """Draw one material of a kind named in :data:`KINDS`, (columns,)."""
        kind = torch.tensor([list(KINDS).index(name)], device=self.often.device)
        return self._rows(kind, dice)[0]
