"""What a signature cannot say is said: shapes of arrays, and errors that are raised on purpose."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator

import pytest

from tests.support.paths import ROOT

SHAPE = re.compile(r"shape|\(\s*[\w.]+(\([\w.]+\))?,(\s*[\w.]+,?)*\s*\)")
"""``shape (4, 2)``, ``(height, width, 3)``, ``(len(crops), numbers)``, ``(n,)``."""

COMMANDS = "device.commands."
"""Whatever a command raises, ``device/cli.py`` prints: the package says so once for all."""


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Every module of the product by its dotted name, parsed; not those of training."""
    found = {}
    for package in ("engine", "vision", "display", "device"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if not name.startswith("vision.training"):
                found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def public() -> Iterator[tuple[str, ast.ClassDef | None, ast.FunctionDef]]:
    """Every function and method that others may call, with its module and its class."""
    for name, module in modules().items():
        for node in module.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield name, None, node
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and (
                        inner.name == "__init__" or not inner.name.startswith("_")
                    ):
                        yield name, node, inner


def place(module: str, owner: ast.ClassDef | None, node: ast.FunctionDef) -> str:
    inside = "" if owner is None else f"{owner.name}."
    return f"{module}.{inside}{node.name} (line {node.lineno})"


# Arrays


def aliases() -> dict[tuple[str, str], str]:
    """Every name for an array type, by module and name, with what is said below it."""
    found = {}
    for name, module in modules().items():
        for node, after in zip(module.body, [*module.body[1:], None], strict=True):
            if isinstance(node, ast.Assign) and "NDArray[" in ast.unparse(node.value):
                told = ""
                if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                    told = str(after.value.value)
                found[name, ast.unparse(node.targets[0])] = told
    return found


def home(module: str, alias: str) -> tuple[str, str]:
    """Where *alias* is defined, as *module* sees it."""
    for node in modules()[module].body:
        if isinstance(node, ast.ImportFrom) and alias in [each.name for each in node.names]:
            return str(node.module), alias
    return module, alias


def test_every_array_of_a_public_function_has_its_shape_told() -> None:
    known = aliases()
    assert len(known) > 8
    names = {name for _, name in known}
    wrong, looked_at = [], 0
    for module, owner, node in public():
        told = [arg.annotation for arg in (*node.args.args, *node.args.kwonlyargs)]
        types = [ast.unparse(each) for each in (*told, node.returns) if each is not None]
        arrays = [each for each in types if "NDArray[" in each]
        named = False
        for each in types:
            for alias in sorted(names & set(re.findall(r"\w+", each))):
                named = True
                if not SHAPE.search(known.get(home(module, alias), "no array here (0, 0)")):
                    arrays.append(each)
        looked_at += bool(arrays) or named
        if arrays and not SHAPE.search(ast.get_docstring(node) or ""):
            wrong.append(f"{place(module, owner, node)}: {', '.join(arrays)}")
    assert looked_at > 50, "the arrays are not found any more"
    assert not wrong, "say the shape, in the docstring or below the type's name:\n" + "\n".join(
        wrong
    )


# Errors


def bases() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for module in modules().values():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(map(ast.unparse, node.bases))
    return found


BASES = bases()


def ancestors(name: str) -> set[str]:
    """A class of ours and all that it descends from, by name."""
    found, left = {name, "Exception"}, [name]
    while left:
        new = BASES.get(left.pop(), set()) - found
        found |= new
        left += new
    return found


class Raised(ast.NodeVisitor):
    """The errors of ours that a function lets out: its own, and those of its private helpers."""

    def __init__(self, module: ast.Module, owner: ast.ClassDef | None) -> None:
        self.module, self.owner = module, owner
        self.found: set[str] = set()
        self._caught: list[set[str]] = []
        self._inside: list[ast.FunctionDef] = []

    def of(self, node: ast.FunctionDef) -> set[str]:
        self._inside.append(node)
        for each in node.body:
            self.visit(each)
        self._inside.pop()
        return self.found

    def visit_Try(self, node: ast.Try) -> None:
        caught = {"Exception"} if any(each.type is None for each in node.handlers) else set()
        for handler in node.handlers:
            if handler.type is not None:
                caught |= set(re.findall(r"[\w.]+", ast.unparse(handler.type)))
        self._caught.append(caught)
        for each in node.body:
            self.visit(each)
        self._caught.pop()
        for each in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(each)

    def visit_Raise(self, node: ast.Raise) -> None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        name = "" if raised is None else ast.unparse(raised)
        is_ours = "BoneAceError" in ancestors(name)
        if is_ours and not any(ancestors(name) & each for each in self._caught):
            self.found.add(name)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """What is defined inside is called later, by others."""

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Likewise."""

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        called = ast.unparse(node.func)
        inside = self.owner if called.startswith(("self._", "cls._")) else self.module
        name = called.rpartition(".")[2] if inside is self.owner else called
        if inside is None or not name.startswith("_"):
            return
        for each in inside.body:
            is_called = isinstance(each, ast.FunctionDef) and each.name == name
            if is_called and each not in self._inside:
                self.of(each)


def test_every_error_that_a_public_function_raises_is_named() -> None:
    wrong, looked_at = [], 0
    for module, owner, node in public():
        if module.startswith(COMMANDS) and node.name == "run":
            continue
        raised = Raised(modules()[module], owner).of(node)
        told = set(re.findall(r"^\s*(\w+Error):", ast.get_docstring(node) or "", re.MULTILINE))
        silent = sorted(name for name in raised if not ancestors(name) & told)
        looked_at += bool(raised)
        if silent:
            wrong.append(f"{place(module, owner, node)}: {', '.join(silent)}")
    assert looked_at > 100, "the raised errors are not found any more"
    assert not wrong, 'name it under "Raises:":\n' + "\n".join(wrong)


@pytest.mark.parametrize(
    ("code", "raised"),
    [
        ("raise CameraError('no')", {"CameraError"}),
        ("raise ValueError('no')", set()),
        ("_helper()", {"JournalError"}),
        ("try:\n    _helper()\nexcept JournalError:\n    pass", set()),
        ("try:\n    _helper()\nexcept (OSError, ValueError):\n    pass", set()),
        ("try:\n    _helper()\nexcept CameraError:\n    pass", {"JournalError"}),
        ("try:\n    pass\nexcept OSError:\n    _helper()", {"JournalError"}),
        ("later(lambda: _helper())", set()),
        ("try:\n    _helper()\nexcept JournalError:\n    pass\n_helper()", {"JournalError"}),
    ],
)
def test_what_a_function_lets_out_is_found(code, raised) -> None:
    body = "\n".join(f"    {line}" for line in code.split("\n"))
    tree = ast.parse(f"def asked():\n{body}\ndef _helper():\n    raise JournalError('no')\n")
    asked = tree.body[0]
    assert isinstance(asked, ast.FunctionDef)
    assert Raised(tree, None).of(asked) == raised
