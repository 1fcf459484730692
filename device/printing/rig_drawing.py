"""The whole table as a drawing: camera, light, mat, screen and box, and three ways to hang it."""

from __future__ import annotations

from device.printing.shapes import INK, Box, Disc, Line, Shape, Size, Text

SIZE: Size = (1000, 900)

WOOD, DARK, FELT, CARD = "#b98a56", "#7a5730", "#1f5a49", "#fbf7ec"
METAL, GREY, LAMP, CABLE, MARK = "#8b949b", "#c9ced2", "#e6b654", "#3c6fb4", "#b23b2e"
SMALL, USUAL, LARGE = 15.0, 18.0, 26.0


def draw() -> list[Shape]:
    """Return the drawing, of :data:`SIZE` points."""
    return [
        Box(0, 0, *SIZE, "#ffffff"),
        Text("The whole table, seen from a player's side", 30, 36, LARGE),
        *_table(),
        *_hanging(),
        *_lights(),
        *_machine(),
        Text("Three ways to hang the camera", 30, 590, LARGE),
        *_way(30, "Lamp arm", "clamped to the table", _lamp_arm),
        *_way(355, "Boom", "on a stand beside it", _boom),
        *_way(680, "Gallows", "two posts and a beam", _gallows),
    ]


def _table() -> list[Shape]:
    cards = [Box(x, 441, 28, 9, CARD, INK, 1) for x in (330, 366, 402, 560, 596, 632)]
    return [
        Box(150, 455, 700, 22, WOOD, DARK, 3),
        *(Box(x, 477, 22, 85, WOOD, DARK, 2) for x in (180, 798)),
        Box(230, 450, 540, 6, FELT, "", 2),
        *cards,
        Text("printed mat, cards side by side", 320, 498, SMALL),
    ]


def _hanging() -> list[Shape]:
    sees = "#d8dde0"
    return [
        Line(((500, 118), (240, 450)), sees, 2),
        Line(((500, 118), (760, 450)), sees, 2),
        Line(((190, 455), (190, 86), (500, 86)), METAL, 8),
        Line(((190, 140), (244, 86)), METAL, 5),
        Box(478, 84, 44, 26, INK, "", 4),
        Disc(500, 114, 9, GREY, INK),
        Text("camera, over the middle", 532, 92, USUAL),
        Text("straight down", 532, 114, SMALL, DARK),
        Line(((880, 114), (880, 450)), MARK, 2),
        Line(((872, 126), (880, 114), (888, 126)), MARK, 2),
        Line(((872, 438), (880, 450), (888, 438)), MARK, 2),
        Text("43 to 120 cm", 894, 272, SMALL, MARK),
        Text("for A3 to A0", 894, 292, SMALL, MARK),
    ]


def _lights() -> list[Shape]:
    shapes: list[Shape] = []
    for side, x in ((1, 70), (-1, 840)):
        shapes += [
            Line(((x, 455), (x, 250)), METAL, 5),
            Line(((x, 250), (x + side * 34, 222)), METAL, 5),
            Line(((x + side * 20, 206), (x + side * 62, 238)), LAMP, 12),
            Line(((x + side * 70, 262), (x + side * 150, 400)), "#f3dba6", 3),
            Line(((x + side * 84, 250), (x + side * 210, 400)), "#f3dba6", 3),
        ]
    return [
        *shapes,
        Text("light from two sides,", 30, 168, SMALL, DARK),
        Text("no lamp above the mat", 30, 187, SMALL, DARK),
    ]


def _machine() -> list[Shape]:
    return [
        # The screen stands at the far side, the box before the dealer.
        Box(430, 356, 140, 84, INK, METAL, 5),
        Box(438, 364, 124, 68, FELT, "", 2),
        Text("?", 500, 398, LARGE, CARD, 0.5),
        Line(((500, 440), (500, 452)), METAL, 8),
        Text("screen", 420, 392, SMALL, INK, 1.0),
        Box(768, 438, 66, 18, DARK, INK, 4),
        *(Disc(x, 435, 5, colour, INK) for x, colour in zip(
            (778, 792, 806, 824), ("#3f9b4f", "#b23b2e", "#e6b654", "#ffffff"), strict=True)),
        Text("button box", 800, 418, SMALL, INK, 0.5),
        Box(205, 508, 96, 34, "#3f7d5a", INK, 4),
        Text("Raspberry Pi", 253, 525, 13.0, "#ffffff", 0.5),
        Line(((484, 80), (198, 80), (198, 200), (204, 508)), CABLE, 3),
        Line(((301, 520), (800, 520), (800, 457)), CABLE, 3),
        Line(((301, 532), (330, 545), (544, 545), (544, 440)), CABLE, 3),
        Text("cable of a USB camera", 212, 215, SMALL, CABLE),
        Text("under the table", 560, 544, SMALL, CABLE, 0.0),
    ]  # fmt: skip


def _way(x: float, name: str, where: str, arm: object) -> list[Shape]:
    assert callable(arm)
    return [
        Box(x, 615, 290, 255, "#f6f4ee", GREY, 8),
        Text(name, x + 16, 640, 22.0),
        Text(where, x + 274, 641, SMALL, DARK, 1.0),
        Box(x + 35, 820, 220, 10, WOOD, DARK, 2),
        Box(x + 75, 816, 140, 4, FELT, ""),
        *arm(x),
    ]


def _camera(x: float, y: float) -> list[Shape]:
    return [Box(x - 14, y - 8, 28, 16, INK, "", 3), Disc(x, y + 10, 5, GREY, INK)]


def _lamp_arm(x: float) -> list[Shape]:
    return [
        Box(x + 38, 808, 14, 34, METAL, INK, 2),
        Line(((x + 45, 810), (x + 60, 730), (x + 145, 690)), METAL, 6),
        Disc(x + 60, 730, 6, GREY, INK),
        *_camera(x + 145, 692),
        Text("springs sag: tighten every joint", x + 16, 852, SMALL, DARK),
    ]


def _boom(x: float) -> list[Shape]:
    return [
        Line(((x + 22, 860), (x + 22, 690)), METAL, 6),
        Line(((x + 8, 862), (x + 22, 846), (x + 40, 862)), METAL, 5),
        Line(((x + 6, 706), (x + 145, 676)), METAL, 6),
        Box(x + 4, 700, 16, 20, INK, "", 3),
        *_camera(x + 145, 680),
        Text("a weight at the short end", x + 60, 852, SMALL, DARK),
    ]


def _gallows(x: float) -> list[Shape]:
    return [
        Line(((x + 45, 820), (x + 45, 680), (x + 245, 680), (x + 245, 820)), WOOD, 9),
        Line(((x + 45, 712), (x + 77, 680)), WOOD, 6),
        Line(((x + 245, 712), (x + 213, 680)), WOOD, 6),
        *_camera(x + 145, 692),
        Text("steadiest; never in a hand's way", x + 16, 852, SMALL, DARK),
    ]
