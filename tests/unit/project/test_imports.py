"""What import-linter cannot check: imports inside functions, and folders outside the product."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import ROOT

PACKAGES = ("engine", "vision", "display", "device")

LIBRARIES = {
    "engine": set(),
    "vision": {"numpy", "cv2", "onnxruntime"},
    "display": {"pygame", "babel"},
    "device": {
        "numpy", "cv2", "pygame", "gpiozero", "reportlab", "picamera2", "libcamera",
        "pydantic", "pydantic_core", "starlette", "uvicorn", "jinja2", "segno", "aiomqtt",
    },
}  # fmt: skip
"""Besides the standard library."""

ONLY_IN_FUNCTIONS = {
    "gpiozero",
    "lgpio",
    "picamera2",
    "libcamera",
    "reportlab",
    "onnxruntime",
    "segno",
}
"""Tied to the board or to an extra: importing a module must not need them."""


@functools.cache
def parsed(*folders: str) -> list[tuple[Path, ast.Module]]:
    """Every module of these folders; those of training need libraries that nothing else does."""
    found = []
    for folder in folders:
        paths = sorted((ROOT / folder).rglob("*.py"))
        assert paths, f"{folder}/ holds no module"
        for path in paths:
            if "training" not in path.parts:
                found.append((path, ast.parse(path.read_text(encoding="utf-8"))))
    return found


def imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Every library imported in *node*, and where."""
    for each in ast.walk(node):
        if isinstance(each, ast.Import):
            for name in each.names:
                yield name.name.split(".")[0], f"line {each.lineno}"
        elif isinstance(each, ast.ImportFrom):
            assert each.level == 0, "imports are absolute here"
            yield str(each.module).split(".")[0], f"line {each.lineno}"


def test_a_package_imports_only_the_libraries_it_may() -> None:
    known = {*sys.stdlib_module_names, "_typeshed", *PACKAGES}
    wrong = [
        f"{path.relative_to(ROOT)}: {name}, {line}"
        for package, allowed in LIBRARIES.items()
        for path, tree in parsed(package)
        for name, line in imports(tree)
        if name not in known | allowed
    ]
    assert not wrong, "\n".join(wrong)


def test_hardware_and_extras_are_imported_only_inside_functions() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {name}, {line}"
        for path, tree in parsed(*PACKAGES)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name, line in imports(node)
        if name in ONLY_IN_FUNCTIONS
    ]
    assert not wrong, "\n".join(wrong)


def test_only_vision_imports_onnx_runtime() -> None:
    """It turns the telemetry off, which must be done before; import-linter checks the product."""
    wrong = [
        str(path.relative_to(ROOT))
        for path, tree in parsed("examples", "tests", "benchmarks")
        for name, _ in imports(tree)
        if name == "onnxruntime"
    ]
    assert not wrong, "\n".join(wrong)
