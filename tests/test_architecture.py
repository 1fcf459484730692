"""The arrows of the house: who may import whom, and what is imported only where it is used."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import architecture  # noqa: E402
import architecture_paths  # noqa: E402

ROOMS = ("engine", "vision", "display", "device")

ALLOWED = {
    "engine": {"engine"},
    "vision": {"vision", "engine", "numpy", "cv2", "onnxruntime"},
    "display": {"display", "engine", "pygame"},
    "device": {
        "device", "vision", "display", "engine", "numpy", "cv2", "pygame", "gpiozero", "reportlab",
        "picamera2", "libcamera",
    },
}  # fmt: skip
"""Besides the standard library."""

STANDARD = sys.stdlib_module_names | {"_typeshed"}
"""``_typeshed`` is the standard library's to type checkers, and imported for them alone."""

FROM_ENGINE_TO_VISION = {"engine.core.cards", "engine.core.bones", "engine.core.errors"}
"""Vision knows cards, faces and how errors are told; nothing of games."""

ONLY_WHERE_USED = {"gpiozero", "lgpio", "picamera2", "libcamera", "reportlab", "onnxruntime"}
"""Tied to the board or an extra: importing a module must not need them."""


def modules(room: str) -> list[Path]:
    """Every module of a room; training is a workshop of its own."""
    found = sorted((ROOT / room).rglob("*.py"))
    assert found, f"{room}/ holds no module"
    return [path for path in found if "training" not in path.parts]


def imports(tree: ast.AST) -> Iterator[tuple[str, ast.stmt]]:
    """Every module named by an import, with its statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield node.module or "", node


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_its_arrow_allows(room) -> None:
    wrong = []
    for path in modules(room):
        for name, node in imports(ast.parse(path.read_text(encoding="utf-8"))):
            top = name.split(".")[0]
            if top not in ALLOWED[room] | STANDARD:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_vision_takes_only_cards_and_faces_from_the_engine() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} imports {name}"
        for path in modules("vision")
        for name, node in imports(ast.parse(path.read_text(encoding="utf-8")))
        if name.split(".")[0] == "engine" and name not in FROM_ENGINE_TO_VISION
    ]
    assert not wrong, "\n".join(wrong)


def test_the_engine_has_no_clock_no_chance_and_no_files() -> None:
    impure = {"time", "datetime", "random", "secrets", "os", "io", "pathlib", "socket", "sqlite3"}
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} imports {name}"
        for path in modules("engine")
        for name, node in imports(ast.parse(path.read_text(encoding="utf-8")))
        if name.split(".")[0] in impure
    ]
    assert not wrong, "\n".join(wrong)


def test_hardware_and_extras_are_imported_only_inside_their_adapters() -> None:
    wrong = []
    for room in ROOMS:
        for path in modules(room):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in tree.body:
                if not isinstance(node, ast.Import | ast.ImportFrom):
                    continue
                for name, _ in imports(node):
                    if name.split(".")[0] in ONLY_WHERE_USED:
                        wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_one_module_imports_onnx_runtime() -> None:
    """It turns the telemetry off, which must be done before."""
    found = [
        str(path.relative_to(ROOT))
        for folder in (*ROOMS, "examples", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "onnxruntime" in (text := path.read_text(encoding="utf-8"))
        for name, _ in imports(ast.parse(text))
        if name.split(".")[0] == "onnxruntime"
    ]
    assert found == ["vision/inference.py"]


def test_training_is_never_imported_by_what_runs() -> None:
    for room in ROOMS:
        for path in modules(room):
            for name, _ in imports(ast.parse(path.read_text(encoding="utf-8"))):
                assert not name.startswith("vision.training"), path


def test_no_module_is_longer_than_500_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {count}"
        for room in ROOMS
        for path in modules(room)
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 500
    ]
    assert not long, "\n".join(long)


def test_a_command_is_imported_by_its_name_alone_or_by_another_command() -> None:
    for name, module in architecture.modules().items():
        if not name.startswith("device.commands."):
            asked = [each for each in architecture.imported(module) if "device.commands" in each]
            assert not asked, f"{name} imports {asked}; what both need belongs below the commands"


def test_what_runs_on_a_real_table_knows_nothing_of_the_drawn_one() -> None:
    for name, module in architecture.modules().items():
        if not name.startswith("device.simulator") and name not in (
            "device.app",
            "device.commands.demo",
        ):
            asked = [each for each in architecture.imported(module) if "device.simulator" in each]
            assert not asked, f"{name} imports {asked}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    left = {
        name: {each for each in architecture.imported(module, inside=False) if each != name}
        & set(architecture.modules())
        for name, module in architecture.modules().items()
    }
    assert sum(map(len, left.values())) > 500, "the imports are not found any more"
    while free := {name for name, needs in left.items() if not needs}:
        left = {name: needs - free for name, needs in left.items() if name not in free}
    assert not left, f"import each other, directly or by others: {', '.join(sorted(left))}"


def test_the_page_is_drawn_from_the_code_as_it_is() -> None:
    written = architecture.PAGE.read_text(encoding="utf-8")
    assert written == architecture.page(written), "run: python tests/architecture.py"


@pytest.mark.parametrize("name", architecture.PARTS)
def test_a_part_of_the_page_is_no_empty_one(name) -> None:
    assert len("".join(architecture.PARTS[name]())) > 200


def test_a_call_that_is_no_longer_made_stops_the_page() -> None:
    known = architecture.modules()
    path = "main\n  device.runtime.loop:Loop.step\n    device.runtime.camera_worker:ThreadedReadingSource.join"
    with pytest.raises(SystemExit, match="no longer calls"):
        architecture_paths.drawn(path, known)
    with pytest.raises(SystemExit, match="is not there"):
        architecture_paths.drawn("main\n  device.runtime.loop:Loop.hop", known)


def test_files_that_the_page_names_are_there() -> None:
    text = architecture.PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:engine|vision|display|device|docs|tests)/[\w./]+\.\w+)`", text))
    assert len(named) > 30
    assert not [name for name in sorted(named) if not (ROOT / name).is_file()]


def test_what_the_glossary_names_is_there() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* \| .* \| (`.*`) \|$", text, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert len(named) > 50
    for name in named:
        if "/" in name:
            assert (ROOT / name).is_file(), name
            continue
        module, _, defined = name.rpartition(".")
        body = architecture.modules()[module].tree.body
        assert defined in [getattr(node, "name", "") for node in body], name
