"""How well replica bones of eight materials are read: scenes by a path tracer, Mitsuba 3.

python benchmarks/replicas.py --work WORK [--count 128] [--seed 1] [--weights FOLDER]

Draws the scenes that are not in WORK yet, with the shapes and grounds of ../shared/bones, and reads
them untaught as ``boneace read`` does. To draw needs mitsuba, trimesh and scipy; reading does not.
*wrong* counts bones told as another face, *elsewhere* what is told or asked where no bone lies.
The networks never saw a picture of a path tracer.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import cv2
import numpy as np

from tests.support.paths import SHARED
from vision import TableReader
from vision.bones.pipeline import BoneReader
from vision.training.common.other_weights import weights

SIZE = 704, 528

Colour = tuple[float, float, float]

METALS: dict[str, tuple[list[Colour], tuple[float, float]]] = {
    "pewter": ([(0.55, 0.55, 0.57), (0.4, 0.41, 0.42)], (0.25, 0.5)),
    "brass": ([(0.85, 0.62, 0.3), (0.72, 0.5, 0.22)], (0.1, 0.4)),
    "steel": ([(0.6, 0.6, 0.62), (0.8, 0.8, 0.82)], (0.05, 0.35)),
    "bronze": ([(0.6, 0.38, 0.2), (0.4, 0.26, 0.14)], (0.2, 0.5)),
}
"""Colours and roughnesses."""

PATINA: dict[str, Colour] = {
    "pewter": (0.05, 0.05, 0.05),
    "brass": (0.16, 0.1, 0.04),
    "steel": (0.1, 0.09, 0.08),
    "bronze": (0.14, 0.3, 0.22),
}

SOLID: dict[str, list[Colour]] = {
    "plain": [(0.8, 0.75, 0.62), (0.5, 0.06, 0.05), (0.08, 0.16, 0.45), (0.06, 0.06, 0.07)],
    "painted": [(0.78, 0.7, 0.52), (0.62, 0.6, 0.58), (0.45, 0.3, 0.15)],
    "amber": [(0.95, 0.62, 0.16), (0.85, 0.4, 0.08), (0.95, 0.78, 0.4)],
    "wood": [(0.55, 0.36, 0.19), (0.34, 0.2, 0.1), (0.72, 0.56, 0.36)],
}

MATERIALS = (*METALS, *SOLID)

NEAR_PX = 30
"""How far from the middle of a bone what is read of it may lie; bones are some 90 pixels long."""

COLUMNS = ("bones", "read", "wrong", "asked", "missed", "elsewhere", "asked elsewhere")


def surface(material: str, hollow: np.ndarray, points: np.ndarray, rng: np.random.Generator):
    """Colours of each vertex, (n, 3), and the rest of Mitsuba's description of a surface."""
    pick = METALS[material][0] if material in METALS else SOLID[material]
    base = np.array(pick[rng.integers(len(pick))]) * rng.uniform(0.85, 1.15)
    colours = np.ones((len(points), 3)) * base
    if material in METALS:
        part = np.clip(hollow * rng.uniform(0, 1), 0, 1)[:, None]
        colours = colours * (1 - part) + np.array(PATINA[material]) * part
        rough = rng.uniform(*METALS[material][1])
        rest = {"metallic": 1.0, "roughness": float(rough), "specular": 0.5}
    elif material == "amber":
        tint = {"type": "rgb", "value": np.clip(base, 0.02, 0.97).tolist()}
        return colours, {
            "type": "roughdielectric",
            "alpha": float(rng.uniform(0.02, 0.2)),
            "int_ior": 1.54,
            "specular_transmittance": tint,
        }
    else:
        gloss = {"plain": (0.08, 0.4), "painted": (0.2, 0.7), "wood": (0.3, 0.8)}[material]
        if material == "painted":  # a dark wash runs into the hollows
            part = np.clip(hollow * rng.uniform(0.3, 1), 0, 0.95)[:, None]
            colours = colours * (1 - part) + np.array([0.08, 0.05, 0.03]) * part
        if material == "wood":
            along = points @ rng.normal(0, 1, 3)
            rings = np.sin(along * rng.uniform(0.6, 2) + 3 * np.sin(points[:, 0] * 0.15))
            colours = colours * (1 + rng.uniform(0.05, 0.3) * rings)[:, None]
        rest = {"roughness": float(rng.uniform(*gloss)), "specular": float(rng.uniform(0.3, 0.6))}
    colour = {"type": "mesh_attribute", "name": "vertex_color"}
    return np.clip(colours, 0.01, 0.97), {"type": "principled", "base_color": colour} | rest


def room(rng: np.random.Generator) -> np.ndarray:
    """A room that metal mirrors: walls, a darker floor, windows; radiance (64, 128, 3)."""
    wall = rng.uniform(0.1, 0.6) * np.array([1, rng.uniform(0.9, 1), rng.uniform(0.8, 1)])
    picture = np.ones((64, 128, 3)) * wall
    picture[40:] *= rng.uniform(0.2, 0.8)
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.integers(0, 118), rng.integers(4, 30)
        wide, tall = rng.integers(4, 20), rng.integers(4, 14)
        picture[y : y + tall, x : x + wide] = rng.uniform(1, 6)
    return cv2.GaussianBlur(picture.astype(np.float32), (0, 0), rng.uniform(0.5, 2))


class Tracer:
    """Draws scenes with the parts of ../shared/bones."""

    def __init__(self, shared: Path) -> None:
        """Load the shapes."""
        sys.path.insert(0, str(shared / "bones"))
        try:
            import mitsuba
            import render_scenes  # sets Mitsuba's variant
        except ModuleNotFoundError as problem:
            raise SystemExit(
                f"{problem.name} is missing: to draw needs {shared}, and: "
                "pip install mitsuba trimesh scipy pillow"
            ) from problem
        if "llvm_ad_rgb" in mitsuba.variants():
            mitsuba.set_variant("llvm_ad_rgb")
        self.mi, self.scenes = mitsuba, render_scenes
        self.model = render_scenes.BoneModel(str(shared / "bones" / "bone_model_public.npz"))

    def draw(self, rng: np.random.Generator, material: str):
        """A photograph, uint8 BGR, and where each bone lies: a face, x and y in pixels."""
        mi, old = self.mi, self.scenes
        width, height = SIZE
        count = int(rng.choice([2, 3, 4, 5, 5, 5, 6, 8]))
        faces = rng.choice(list(old.WEIGHTS), count, p=list(old.WEIGHTS.values()))
        shapes = [
            old.rest_on_table(
                self.model.sample(rng, spread=0.9, wear=rng.choice([0, 0, 1.0])), f, rng
            )
            for f in map(int, faces)
        ]
        half = np.array([width / height, 1]) * rng.uniform(55, 85)
        bones = old.place(shapes, rng, half - 12, bool(rng.random() < 0.3))
        parts = {}
        for k, bone in enumerate(bones):
            hollow = 1 - old.colours(bone, np.random.default_rng(1), (0.7,) * 3).mean(1) / 0.7
            hollow = hollow / max(np.percentile(hollow, 95), 1e-3)
            colours, bsdf = surface(material, hollow, np.asarray(bone.vertices), rng)
            own = mi.Properties()
            own["bsdf"] = mi.load_dict(bsdf)
            mesh = mi.Mesh(
                f"b{k}", len(bone.vertices), len(bone.faces), has_vertex_normals=True, props=own
            )
            given = mi.traverse(mesh)
            given["vertex_positions"] = np.asarray(bone.vertices, np.float32).ravel()
            given["vertex_normals"] = np.asarray(bone.vertex_normals, np.float32).ravel()
            given["faces"] = np.asarray(bone.faces, np.uint32).ravel()
            given.update()
            mesh.add_attribute("vertex_color", 3, colours.astype(np.float32).ravel())
            parts[f"bone{k}"] = mesh
        tilt = np.radians(min(abs(rng.normal(0, 12)), 28))
        az, far = rng.uniform(0, 2 * np.pi), rng.uniform(350, 700)
        way = [np.sin(tilt) * np.cos(az), np.sin(tilt) * np.sin(az), np.cos(tilt)]
        camera = far * np.array(way)
        fov = 2 * np.degrees(np.arctan(half[0] * 1.15 / far))
        turn = mi.ScalarTransform4f()
        up = [-np.cos(az), -np.sin(az), 0.01] if tilt > 0.05 else [np.cos(az), np.sin(az), 0.01]
        view = turn.look_at(origin=camera.tolist(), target=[0, 0, 5], up=up)
        lamp = np.array([*rng.uniform(-500, 500, 2), rng.uniform(250, 800)])
        radius = min(rng.uniform(15, 150), 0.5 * lamp[2], 0.35 * np.linalg.norm(lamp - camera))
        power = rng.uniform(0.8, 2.6) * (np.linalg.norm(lamp) / radius) ** 2 / np.pi
        warm = np.array([1, rng.uniform(0.8, 1), rng.uniform(0.6, 1)])
        ground = {
            "type": "bitmap",
            "bitmap": mi.Bitmap(old.ground(rng, 1024)),
            "raw": True,
            "to_uv": turn.scale([float(rng.uniform(1, 3))] * 3),
        }
        around = turn.rotate([1, 0, 0], 90).rotate([0, 1, 0], float(rng.uniform(0, 360)))
        light = {"type": "rgb", "value": (power * warm).tolist()}
        scene = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 8 if material == "amber" else 5},
            "sensor": {
                "type": "perspective",
                "fov": float(fov),
                "to_world": view,
                "film": {
                    "type": "hdrfilm",
                    "width": width,
                    "height": height,
                    "rfilter": {"type": "gaussian"},
                },
                "sampler": {"type": "independent", "sample_count": 64},
            },
            "env": {"type": "envmap", "bitmap": mi.Bitmap(room(rng)), "to_world": around},
            "lamp": {
                "type": "sphere",
                "center": lamp.tolist(),
                "radius": float(radius),
                "emitter": {"type": "area", "radiance": light},
            },
            "ground": {
                "type": "rectangle",
                "to_world": turn.rotate([0, 0, 1], float(rng.uniform(0, 360))).scale([700] * 3),
                "bsdf": {"type": "diffuse", "reflectance": ground},
            },
            **parts,
        }
        image = np.array(mi.render(mi.load_dict(scene), seed=int(rng.integers(2**31))))[..., :3]
        image = image / max(np.percentile(image, 98.5), 1e-3) * rng.uniform(0.75, 1.05)
        image = np.clip(image, 0, 1) ** (1 / rng.uniform(1.9, 2.3))
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.9))
        image = image + rng.normal(0, rng.uniform(0.002, 0.015), image.shape)
        inward, focal = (
            np.linalg.inv(np.array(view.matrix)),
            width / 2 / np.tan(np.radians(fov) / 2),
        )
        lying = []
        for face, bone in zip(faces, bones, strict=True):
            q = inward.reshape(4, 4) @ np.append(bone.bounds.mean(0), 1)
            x, y = width / 2 - focal * q[0] / q[2], height / 2 - focal * q[1] / q[2]
            lying.append((old.FACE_NAME[int(face)], round(float(x)), round(float(y))))
        return (np.clip(image, 0, 1) * 255).astype(np.uint8)[..., ::-1], lying


def draw(work: Path, shared: Path, count: int, seed: int) -> list[tuple[Path, str, list]]:
    """Draw what is not there yet; return files, materials and what lies in each."""
    work.mkdir(parents=True, exist_ok=True)
    tracer, out = None, []
    for k in range(count):
        material = MATERIALS[k % len(MATERIALS)]
        file = work / f"{seed}_{k:03d}_{material}.jpg"
        told = file.with_suffix(".json")
        if not told.exists():
            tracer = tracer or Tracer(shared)
            rng = np.random.default_rng([seed, k])
            while True:
                try:
                    picture, lying = tracer.draw(rng, material)
                except RuntimeError:  # no room
                    continue
                inside = (40 < x < SIZE[0] - 40 and 40 < y < SIZE[1] - 40 for _, x, y in lying)
                if all(inside):
                    break
            cv2.imwrite(str(file), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(82, 96))])
            told.write_text(json.dumps(lying))
        out.append((file, material, json.loads(told.read_text())))
    return out


def read(scenes: list[tuple[Path, str, list]]) -> dict[str, Counter[str]]:
    """Read all scenes; count by material."""
    reader = TableReader(bones=BoneReader())
    counts: dict[str, Counter[str]] = {name: Counter() for name in MATERIALS}
    for file, material, lying in scenes:
        reading = reader.read(cv2.imread(str(file)))
        n = counts[material]
        left = [(each, getattr(each, "face", None)) for each in reading.bones]
        left += [(each, None) for each in reading.unsure_bones]
        for name, x, y in lying:
            n["bones"] += 1
            near = [each for each in left if math.dist(each[0].spot.centre, (x, y)) < NEAR_PX]
            if not near:
                n["missed"] += 1
                continue
            face = near[0][1]
            n["asked" if face is None else "read" if str(face) == name else "wrong"] += 1
            left.remove(near[0])
        n["elsewhere"] += sum(face is not None for _, face in left)
        n["asked elsewhere"] += sum(face is None for _, face in left)
    return counts


def main() -> None:
    """Print a line for each material, and for all."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--work", type=Path, required=True, help="folder of the scenes")
    options.add_argument("--count", type=int, default=128, help="scenes")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--shared", type=Path, default=SHARED)
    options.add_argument("--weights", type=Path, help="folder of other networks to read with")
    args = options.parse_args()
    scenes = draw(args.work, args.shared, args.count, args.seed)

    with weights(args.weights) if args.weights else nullcontext():
        counts = read(scenes)
    counts["all"] = sum(counts.values(), Counter())
    print(f"| material | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}")
    for material, n in counts.items():
        print(f"| {material} | {' | '.join(str(n[column]) for column in COLUMNS)} |")


if __name__ == "__main__":
    main()
