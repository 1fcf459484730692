"""What a room and a camera do to a batch of pictures: light, blur, noise, compression."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

from vision.training.common.dice import Dice

LUMA = (
    (16, 11, 10, 16, 24, 40, 51, 61),
    (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77),
    (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101),
    (72, 92, 95, 98, 112, 100, 103, 99),
)
"""How coarsely JPEG keeps brightness at quality 50 (ITU-T T.81, table K.1)."""

SHORT, LONG = 7, 17
"""Sides of the small and the large blur kernels, pixels."""


class Camera:
    """Photographs drawn pictures; *rough* 0 (kind) to 1 (cruel)."""

    def __init__(self, device: torch.device | str = "cpu", *, rough: float = 0.8) -> None:
        """Make what every picture needs."""
        self.device, self.rough = device, rough
        # Chance is drawn on the processor: an accelerator would have to be waited for.
        self.dice = Dice("cpu", 0)
        # Noise is cut out of a larger field: drawing it anew takes longer than a scene.
        self.noise = self.dice.n(1, 3, 1600, 1600).to(device)
        k = torch.arange(8, dtype=torch.float32, device=device)
        cosine = torch.cos((2 * k[None] + 1) * k[:, None] * math.pi / 16) / 2
        cosine[0] /= math.sqrt(2)
        self.cosine = torch.kron(cosine, cosine)
        self.steps = torch.tensor(LUMA, dtype=torch.float32, device=device).flatten()

    def seed(self, seed: int) -> None:
        """Begin again: the same pictures give the same photographs."""
        self.dice.generator.manual_seed(seed)

    def _one(self, low: float, high: float) -> float:
        return float(self.dice.u(low, high, 1))

    def _some(self, count: int, chance: float) -> list[int]:
        """Pick numbers below *count*, each with this chance."""
        return self.dice.chance(chance, count).nonzero()[:, 0].tolist()

    @torch.inference_mode()
    def photograph(self, pictures: Tensor) -> Tensor:
        """Take pictures, float32 (n, h, w, 3) BGR, 0-255: uint8 (n, 3, h, w)."""
        out = pictures.permute(0, 3, 1, 2).contiguous()
        self._light(out)
        self._colours(out)
        self._lens(out)
        self._small(out)
        self._sensor(out)
        self._jpeg(out)
        return out.clamp_(0, 255).round_().to(torch.uint8)

    def _light(self, out: Tensor) -> None:
        """Uneven light, vignettes, hard shadows and lamps, in place."""
        n, _, h, w = out.shape
        field = self.dice.n(1, n, 1, 3, 4) * self.dice.u(0, 0.25 * self.rough, n, 1, 1, 1)
        field = field.to(self.device)
        y = torch.linspace(-0.5, 0.5, h, device=self.device)[:, None]
        x = torch.linspace(-0.5, 0.5, w, device=self.device)[None] * (w / h)
        field = functional.interpolate(field, (h // 4, w // 4), mode="bicubic", align_corners=True)
        field = functional.interpolate(field, (h, w), mode="bilinear").exp_()
        for k in self._some(n, 0.3 * self.rough):
            field[k, 0] *= 1 - self._one(0, 0.5) * (x * x + y * y)
        for k in self._some(n, 0.22 * self.rough):  # the edge of a shadow
            angle, far, soft = self._one(0, 6.3), self._one(-0.3, 0.3), self._one(0.005, 0.06)
            side = x * math.cos(angle) + y * math.sin(angle) - far
            if self._one(0, 1) < 0.5:
                side = side.abs() - self._one(0.05, 0.2)
            field[k, 0] *= 1 - self._one(0.2, 0.65) * torch.sigmoid(side / soft)
        out *= field
        for k in self._some(n, 0.17 * self.rough):  # a lamp mirrored in everything
            cx, cy = self.dice.u(-0.6, 0.6, 2).tolist()
            a, b = self.dice.u(0.08, 0.5, 2).tolist()
            out[k] += self._one(30, 160) * torch.exp(-(((x - cx) / a) ** 2) - ((y - cy) / b) ** 2)

    def _colours(self, out: Tensor) -> None:
        """Exposure, casts, saturation, haze and tone curves, in place."""
        n, _, h, w = out.shape
        cast = torch.exp(
            self.dice.n(0.1 * self.rough, n, 3) + self.dice.n(0.24 * self.rough, n, 1) + 0.03
        )
        for k in self._some(n, 0.06):  # a coloured lamp
            cast[k] *= torch.exp(self.dice.n(0.45, 3))
        keep = torch.ones(n)
        dull = self._some(n, 0.35)
        keep[dull] = self.dice.u(0.3, 1.4, len(dull))
        keep[self._some(n, 0.04)] = 0.0  # a camera that sees no colours
        haze = torch.zeros(n)
        hazy = self._some(n, 0.25)
        haze[hazy] = self.dice.u(0, 50, len(hazy))
        eye = torch.eye(3) * keep[:, None, None]
        mix = (eye + (1 - keep)[:, None, None] / 3) * cast[:, None]
        mix = (mix * (1 - haze / 255)[:, None, None]).to(self.device)
        haze = haze.to(self.device)
        out.copy_(torch.baddbmm(haze[:, None, None], mix, out.flatten(2)).view(n, 3, h, w))
        for k in self._some(n, 0.3):
            out[k] = 255 * (out[k].clamp_(0, 255) / 255) ** self._one(0.65, 1.4)

    def _kernels(self, n: int, side: int) -> Tensor:
        """Draw blur kernels, float32 (n, side, side): discs, bells, motion, sharpening."""
        reach = torch.arange(side) - side // 2
        y, x = reach[:, None].float(), reach[None].float()
        kind = self.dice.u(0, 1, n, 1, 1)
        long = side > SHORT
        bell = self.dice.u(0.3, 0.9, n, 1, 1)
        soft = torch.exp(-(x * x + y * y) / (2 * bell**2))
        disc = self.dice.u(1.2, 4.5, n, 1, 1) if long else self.dice.u(0.7, 2.4, n, 1, 1)
        round_ = torch.sigmoid((disc - torch.hypot(x, y)) * 3)
        angle = self.dice.u(0, math.pi, n, 1, 1)
        half = self.dice.u(3, 7.5, n, 1, 1) if long else self.dice.u(1, 3.5, n, 1, 1)
        along, beside = x * angle.cos() + y * angle.sin(), x * angle.sin() - y * angle.cos()
        streak = torch.sigmoid((half - along.abs()) * 3) * torch.exp(-(beside**2) / 0.5)
        limit = 0.5 if long else 0.17
        blur = torch.where(kind < limit, round_, torch.where(kind < 2 * limit, streak, soft))
        blur = blur / blur.sum((1, 2), keepdim=True)
        if long:
            return blur
        bell = torch.exp(-(x * x + y * y) / (2 * 1.2**2))
        sharp = self.dice.u(0.3, 1.5, n, 1, 1)
        point = ((x == 0) & (y == 0)).float()
        sharpened = point * (1 + sharp) - sharp * bell / bell.sum()
        return torch.where(self.dice.u(0, 1, n, 1, 1) < 0.3, sharpened, blur)

    def _lens(self, out: Tensor) -> None:
        """Defocus, motion and sharpening, in place."""
        n, _, h, w = out.shape
        pick = self.dice.u(0, 1, n)
        rough = self.rough
        for side, low, high in ((LONG, 0.0, 0.07 * rough), (SHORT, 0.07 * rough, 0.55)):
            chosen = ((pick >= low) & (pick < high)).nonzero()[:, 0]
            if not len(chosen):
                continue
            kernels = self._kernels(len(chosen), side).repeat_interleave(3, 0)[:, None]
            kernels, chosen = kernels.to(self.device), chosen.to(self.device)
            given = out[chosen].view(1, -1, h, w)
            # Along one axis a copy of the edge, along the other too: no dark rim.
            given = functional.pad(given, (side // 2,) * 4, mode="replicate")
            done = functional.conv2d(given, kernels, groups=len(kernels))
            out[chosen] = done.view(-1, 3, h, w)

    def _small(self, out: Tensor) -> None:
        """Enlarge what had fewer pixels: digital zoom, a video's smaller size; in place."""
        _, _, h, w = out.shape
        for k in self._some(len(out), 0.12 * self.rough):
            part = self._one(0.45, 0.85)
            small = functional.interpolate(
                out[k : k + 1], (int(h * part), int(w * part)), mode="bilinear", antialias=True
            )
            way = "bicubic" if self._one(0, 1) < 0.4 else "bilinear"
            out[k] = functional.interpolate(small, (h, w), mode=way)[0]

    def _sensor(self, out: Tensor) -> None:
        """Noise of light and of the sensor, rolling bands, the smear of a video; in place."""
        n, _, h, w = out.shape
        top = self.dice.u(0, 1600 - h, n).long().tolist()
        left = self.dice.u(0, 1600 - w, n).long().tolist()
        shot, read = self.dice.u(0, 0.55 * self.rough, n), self.dice.u(0.3, 6 * self.rough, n)
        kind = self.dice.u(0, 1, n)
        noise = torch.stack(
            [self.noise[:, y : y + h, x : x + w] for y, x in zip(top, left, strict=True)]
        )
        # Grains as large as a demosaicing or a noise filter leaves them.
        grainy = ((kind >= 0.3) & (kind < 0.5)).nonzero()[:, 0].to(self.device)
        noise[grainy] = functional.avg_pool2d(noise[grainy], 3, 1, 1) * 2.2
        shot, read = (
            (each * (kind >= 0.3)).to(self.device).view(n, 1, 1, 1) for each in (shot, read)
        )
        bright = out.mean((2, 3), keepdim=True).clamp(min=0).sqrt()
        out.addcmul_(noise, bright * shot + read)
        for k in self._some(n, 0.05 * self.rough):
            y = torch.arange(h, device=self.device)[:, None]
            wave = torch.sin(y * self._one(0.03, 0.4) + self._one(0, 6.3))
            out[k] *= 1 + self._one(0.03, 0.15) * wave

    def _jpeg(self, out: Tensor) -> None:
        """Compress half of the pictures, in place; sides are multiples of 8."""
        chosen = self._some(len(out), 0.5)
        if not len(chosen):
            return
        n, _, h, w = out.shape
        n = len(chosen)
        chosen = torch.tensor(chosen, device=self.device)
        given = out[chosen].clamp_(0, 255)
        blue, green, red = given.unbind(1)
        bright = 0.299 * red + 0.587 * green + 0.114 * blue
        other = torch.stack([(blue - bright) * 0.564, (red - bright) * 0.713], 1)
        coarse = functional.avg_pool2d(other, 2)
        quality = self.dice.u(18, 95, n).to(self.device)
        scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50).clamp(min=0.02)
        bright = self._quantised(bright[:, None] - 128, scale) + 128
        if h % 16 == 0 and w % 16 == 0:
            coarse = self._quantised(coarse, scale * 1.5)
        other = functional.interpolate(coarse, scale_factor=2.0, mode="nearest")
        blue = bright + other[:, :1] / 0.564
        red = bright + other[:, 1:] / 0.713
        green = (bright - 0.299 * red - 0.114 * blue) / 0.587
        out[chosen] = torch.cat([blue, green, red], 1)

    def _quantised(self, planes: Tensor, scale: Tensor) -> Tensor:
        n, c, h, w = planes.shape
        blocks = planes.view(n, c, h // 8, 8, w // 8, 8).transpose(3, 4).reshape(n, -1, 64)
        steps = (self.steps * scale[:, None]).clamp(min=1)[:, None]
        told = (blocks @ self.cosine.T).div_(steps).round_().mul_(steps)
        done = (told @ self.cosine).view(n, c, h // 8, w // 8, 8, 8)
        return done.transpose(3, 4).reshape(n, c, h, w)
