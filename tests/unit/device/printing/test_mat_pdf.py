import math
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from device.cli import main
from device.printing.mat_pdf import (
    OVERLAP_MM,
    PAGE_MARGIN_MM,
    TILES,
    MatPdfError,
    _marks,
    mat_pdf,
    page_size,
    tiles,
)
from vision.mat.layout import ENOUGH
from vision.mat.pose import PAPERS, MatLayout, draw_mat, find_mat

pypdf = pytest.importorskip("pypdf", reason="pypdf reads the printed mat back")
pytest.importorskip("reportlab", reason="reportlab writes the mat")

POINT_MM = 25.4 / 72


def pages(path: Path) -> list["pypdf.PageObject"]:
    return list(pypdf.PdfReader(path).pages)


def size_mm(page: "pypdf.PageObject") -> tuple[float, float]:
    return float(page.mediabox.width) * POINT_MM, float(page.mediabox.height) * POINT_MM


def rendered(path: Path, px_per_mm: float, folder: Path) -> list[np.ndarray]:
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed (Debian: poppler-utils)")
    resolution = str(px_per_mm * 25.4)
    subprocess.run(
        ["pdftoppm", "-r", resolution, "-png", path, folder / "page"], check=True, timeout=120
    )
    images = [cv2.imread(str(file)) for file in sorted(folder.glob("page*.png"))]
    assert images
    return images


def test_whole_mat_is_one_page_of_its_true_size(tmp_path, capsys):
    path = tmp_path / "mat.pdf"
    assert main(["mat", "--seats", "6", "--paper", "a2", "-o", str(path)]) == 0
    (page,) = pages(path)
    assert size_mm(page) == pytest.approx((594, 420), abs=0.01)
    words = page.extract_text()
    for word in (*(f"seat {number}" for number in range(1, 7)), "dealer", "stock", "discard"):
        assert word in words
    assert "100 mm" in words
    assert "seat 0" not in words
    out, talk = capsys.readouterr()
    assert out == f"{path}: A2, 6 seats, 4 cards side by side in each\n"
    assert "true size (100 %)" in talk


def test_mat_is_vector_and_the_same_each_time():
    one = mat_pdf(MatLayout(4, "A2"))
    assert one == mat_pdf(MatLayout(4, "A2"))
    assert b"/Subtype /Image" not in one


@pytest.mark.parametrize(("seats", "paper"), [(6, "A2"), (8, "A1"), (4, "A3")])
def test_printed_mat_is_found_by_its_markers(seats, paper, tmp_path):
    path = tmp_path / "mat.pdf"
    path.write_bytes(mat_pdf(MatLayout(seats, paper)))
    (image,) = rendered(path, 1.5, tmp_path)
    pose = find_mat(image)
    assert pose is not None
    assert pose.layout == MatLayout(seats, paper)
    for zone, polygon in pose.layout.zones:
        assert pose.to_px(polygon) == pytest.approx(polygon * 1.5 - 0.5, abs=0.6), zone


def test_printed_and_drawn_mat_look_alike(tmp_path):
    layout = MatLayout(4, "A2")
    path = tmp_path / "mat.pdf"
    path.write_bytes(mat_pdf(layout))
    (printed,) = rendered(path, 2.0, tmp_path)
    drawn = draw_mat(layout, 2.0)
    assert printed.shape[:2] == pytest.approx(drawn.shape[:2], abs=1)
    common = np.minimum(printed.shape[:2], drawn.shape[:2])
    window = np.s_[: common[0], : common[1]]
    soft = [cv2.blur(image[window], (15, 15)).astype(int) for image in (printed, drawn)]
    assert np.abs(soft[0] - soft[1]).mean() < 3
    assert np.percentile(np.abs(soft[0] - soft[1]), 99) < 40


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("paper", ["A3", "A2", "A1", "ANSI-D"])
def test_tiles_cover_the_mat_and_overlap(paper, tile):
    layout = MatLayout(2, paper)
    wide, high = (side - 2 * PAGE_MARGIN_MM for side in page_size(layout, tile))
    found = tiles(layout, tile)
    for axis, span in ((0, wide), (1, high)):
        starts = sorted({(one.x_mm, one.y_mm)[axis] for one in found})
        assert starts[0] == 0
        assert starts[-1] + span >= layout.size_mm[axis]
        # None is spare, and each lies on the one before by the overlap.
        assert starts[-1] + OVERLAP_MM < layout.size_mm[axis]
        assert np.diff(starts) == pytest.approx(span - OVERLAP_MM)
    assert found[0].name == "A1"
    assert len({one.name for one in found}) == len(found)
    assert all(one.follows[0] == (one.x_mm > 0) for one in found)


@pytest.mark.parametrize(
    ("seats", "paper", "page"),
    [
        (3, "A3", "A4"),
        (4, "ANSI-C", "Letter"),
        (4, "ANSI-C", "Legal"),
        (4, "ANSI-C", "Tabloid"),
        (2, "A2", "A3"),
    ],
)
def test_pages_put_together_are_the_mat(seats, paper, page, tmp_path, capsys):
    path = tmp_path / "mat.pdf"
    words = ["mat", "--seats", str(seats), "--paper", paper, "--tile", page.lower()]
    assert main([*words, "-o", str(path)]) == 0
    layout = MatLayout(seats, paper)
    found = tiles(layout, page)
    assert len(pages(path)) == len(found)
    for sheet, tile in zip(pages(path), found, strict=True):
        assert size_mm(sheet) == pytest.approx(page_size(layout, page), abs=0.01)
        assert tile.name in sheet.extract_text()
    scale = 2.0
    images = rendered(path, scale, tmp_path)
    wide, high = (side - 2 * PAGE_MARGIN_MM for side in page_size(layout, page))
    far_x = max(tile.x_mm for tile in found) + wide
    far_y = max(tile.y_mm for tile in found) + high
    table = np.full((math.ceil(far_y * scale), math.ceil(far_x * scale), 3), 255, np.uint8)
    edge = round(PAGE_MARGIN_MM * scale)
    for tile, image in zip(found, images, strict=True):
        cut = image[edge : edge + int(high * scale), edge : edge + int(wide * scale)]
        x, y = round(tile.x_mm * scale), round(tile.y_mm * scale)
        table[y : y + cut.shape[0], x : x + cut.shape[1]] = cut
    pose = find_mat(table)
    assert pose is not None
    assert pose.layout == layout
    outline = np.array([[0, 0], layout.size_mm])
    assert pose.to_px(outline) == pytest.approx(outline * scale - 0.5, abs=1.5)
    assert f"{len(found)} pages on {page}" in capsys.readouterr().err


def test_marks_of_a_page_are_alike_on_both_sides(tmp_path):
    lines = []
    canvas = SimpleNamespace(
        saveState=list,
        restoreState=list,
        setLineWidth=float,
        setDash=list,
        line=lambda *ends: lines.append([end * POINT_MM for end in ends]),
    )
    layout = MatLayout(3, "A3")
    wide, high = page_size(layout, "A4")
    for tile in tiles(layout, "A4"):
        _marks(canvas, tile, (wide, high))
    assert lines
    level = {tuple(map(round, ends)) for ends in lines if ends[1] == pytest.approx(ends[3])}
    assert level
    assert level == {(round(wide) - x1, y0, round(wide) - x0, y1) for x0, y0, x1, y1 in level}
    for x0, y0, x1, y1 in lines:
        assert min(x0, y0, wide - x1, high - y1) == pytest.approx(3), "as near the edge as printed"


@pytest.mark.parametrize(
    ("seats", "paper", "room"), [("6", "A2", "4 cards"), ("8", "A2", "2 cards"), ("4", "A3", "2")]
)
def test_small_mat_says_so_and_names_a_paper_that_does(seats, paper, room, tmp_path, capsys):
    words = ["mat", "--seats", seats, "-o", str(tmp_path / "m.pdf"), "--paper"]
    assert main([*words, paper]) == 0
    talk = capsys.readouterr().err
    assert f"A seat holds only {room}" in talk
    named = re.findall(r"--paper (\S+?)[. ]", talk.replace("\n", " "))
    assert len(named) == 2
    for larger in named:
        assert main([*words, larger]) == 0
        out, talk = capsys.readouterr()
        assert "holds only" not in talk
        assert MatLayout(int(seats), larger).fits() >= ENOUGH
        assert f"{MatLayout(int(seats), larger).fits()} cards side by side" in out


def test_missing_reportlab_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "reportlab.pdfgen.canvas", None)
    path = tmp_path / "mat.pdf"
    assert main(["mat", "-o", str(path)]) == 1
    assert f"{sys.executable} -m pip install reportlab" in capsys.readouterr().err
    assert not path.exists()


def test_folder_that_is_not_there(tmp_path, capsys):
    assert main(["mat", "-o", str(tmp_path / "no" / "mat.pdf")]) == 1
    assert "cannot be written (No such file or directory)" in capsys.readouterr().err


def test_too_many_seats(tmp_path, capsys):
    assert main(["mat", "--seats", "9", "-o", str(tmp_path / "m.pdf")]) == 1
    assert "a mat has 2 to 8 seats" in capsys.readouterr().err


def test_unknown_paper_is_misuse(tmp_path, capsys):
    with pytest.raises(SystemExit) as left:
        main(["mat", "--paper", "B5", "-o", str(tmp_path / "m.pdf")])
    assert left.value.code == 2
    assert "'B5' is not known; choose one of A3, A2" in capsys.readouterr().err


@pytest.mark.parametrize("page", [page for page in TILES if page not in PAPERS])
def test_page_too_small_for_a_mat_says_how_to_print_one_on_it(page, tmp_path, capsys):
    words = ["mat", "-o", str(tmp_path / "m.pdf")]
    with pytest.raises(SystemExit) as left:
        main([*words, "--paper", page.lower()])
    assert left.value.code == 2
    cure = re.search(r"(--paper \S+ --tile \w+)", capsys.readouterr().err)
    assert main([*words, *cure[1].split()]) == 0
    talk = capsys.readouterr().err
    assert f"pages on {page}" in talk
    assert "holds only" not in talk


def test_unknown_page_is_refused():
    with pytest.raises(MatPdfError, match="unknown page 'A5'; choose one of A4, A3, Letter"):
        mat_pdf(MatLayout(), "A5")
