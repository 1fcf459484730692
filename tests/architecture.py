"""The parts of docs/architecture.md that are drawn from the code: python tests/architecture.py.

Nothing is imported: the modules are read as text, so a page can be made where no camera, screen
or network is. Between two marks of the page stands what one of :data:`PARTS` returns.
"""

from __future__ import annotations

import ast
import functools
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import architecture_paths

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "architecture.md"
ROOMS = ("engine", "vision", "display", "device")
WORKSHOP = "vision.training"
"""Makes the networks; nothing that runs imports it, so it is no part of the picture."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One module, read as text."""

    name: str
    tree: ast.Module

    @property
    def group(self) -> str:
        """The package that holds it; a package's own module belongs to itself."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @property
    def is_package(self) -> bool:
        return names()[self.name].name == "__init__.py"


@functools.cache
def names() -> dict[str, Path]:
    """Every module by its dotted name; the workshop's are left out."""
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            name = dotted.removesuffix(".__init__")
            if not name.startswith(WORKSHOP):
                found[name] = path
    return found


@functools.cache
def modules() -> dict[str, Module]:
    return {
        name: Module(name, ast.parse(path.read_text(encoding="utf-8")))
        for name, path in names().items()
    }


def first_line(node: ast.Module | ast.ClassDef | Function) -> str:
    return (ast.get_docstring(node) or "").partition("\n")[0]


# Who imports whom


def imported(module: Module, *, inside: bool = True) -> Iterator[str]:
    """The modules that *module* needs while it runs; what only type checkers import is left out.

    Without *inside*, only those that it needs to be imported itself: none from within a function.
    """
    for node in running(module.tree) if inside else module.tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                # ``from device import notices`` names a module; ``from engine import Card`` none.
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in names() else str(node.module)


def running(node: ast.AST) -> Iterator[ast.AST]:
    """Everything below *node* but what stands under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from running(child)


@functools.cache
def arrows() -> dict[str, set[str]]:
    """Which package imports from which others."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in modules().values():
        for name in imported(module):
            if name in modules() and modules()[name].group != module.group:
                found[module.group].add(modules()[name].group)
    return dict(found)


def rooms() -> list[str]:
    """The packages and their arrows, as a picture."""
    groups = sorted({module.group for module in modules().values()}, key=_in_order)
    lines = ["```mermaid", "flowchart TD"]
    for room in reversed(ROOMS):
        lines.append(f'  subgraph {room}_room["{room}/"]')
        for group in groups:
            if group.split(".")[0] == room:
                lines.append(f'    {_node(group)}["{group}"]')
        lines.append("  end")
    for group in groups:
        others = sorted(arrows().get(group, ()), key=_in_order)
        if others:
            lines.append(f"  {_node(group)} --> {' & '.join(map(_node, others))}")
    return [*lines, "```"]


def libraries() -> list[str]:
    """What each room imports from outside the house and the standard library."""
    lines = ["| room | modules | imports of the house | libraries |", "|---|---|---|---|"]
    for room in ROOMS:
        mine = [each for each in modules().values() if each.name.split(".")[0] == room]
        tops = {name.split(".")[0] for each in mine for name in imported(each)}
        own = ", ".join(f"`{top}`" for top in ROOMS if top in tops - {room}) or "nothing"
        known = {"numpy", "cv2", "pygame", "gpiozero", "reportlab", "picamera2", "libcamera"}
        outside = ", ".join(f"`{top}`" for top in sorted(tops & (known | {"onnxruntime"})))
        lines.append(f"| `{room}/` | {len(mine)} | {own} | {outside or 'none'} |")
    return lines


def _in_order(group: str) -> tuple[int, str]:
    return ROOMS.index(group.split(".")[0]), group


def _node(group: str) -> str:
    return group.replace(".", "_")


# Threads, processes, and what passes between them


@dataclass(frozen=True)
class Place:
    """A statement, and the class or function that it stands in."""

    module: str
    owners: tuple[ast.ClassDef | Function, ...]
    call: ast.Call

    @property
    def where(self) -> str:
        return ".".join([self.module, *(owner.name for owner in self.owners)])

    @property
    def why(self) -> str:
        """What the innermost function does, or the class where that is its making."""
        told = (first_line(owner) for owner in self.owners[::-1] if owner.name != "__init__")
        return next((line for line in told if line), "")


def _called(call: ast.Call) -> str:
    """What is called, as it is written: of ``SimpleQueue[Reading]()`` only ``SimpleQueue``."""
    return re.sub(r"\[.*\]$", "", ast.unparse(call.func))


def calls(*wanted: str) -> list[Place]:
    """Every call of these dotted names, wherever it stands."""
    found: list[Place] = []

    def walk(node: ast.AST, module: str, owners: tuple[ast.ClassDef | Function, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            is_owner = isinstance(child, ast.ClassDef | Function)
            if isinstance(child, ast.Call) and _called(child) in wanted:
                found.append(Place(module, owners, child))
            walk(child, module, (*owners, child) if is_owner else owners)

    for name, module in modules().items():
        # Most modules start nothing: only those that name what is wanted are walked.
        if any(each in names()[name].read_text(encoding="utf-8") for each in wanted):
            walk(module.tree, name, ())
    return found


def threads() -> list[str]:
    """Every thread and process that the program starts, and whose thread calls us back."""
    lines = ["| what | started in | what it does |", "|---|---|---|"]
    lines.append("| thread *main* | `device.cli.main` | the loop: all that changes the game |")
    for place in calls("threading.Thread"):
        told = {each.arg: each.value for each in place.call.keywords}
        name = ast.literal_eval(told["name"])
        lines.append(f"| thread *{name}* | `{place.where}` | {place.why} |")
    for where, why in callbacks():
        lines.append(f"| gpiozero's threads | `{where}` | {why} |")
    for place in calls("subprocess.Popen", "subprocess.run"):
        lines.append(f"| process | `{place.where}` | {place.why} |")
    return lines


def callbacks() -> list[tuple[str, str]]:
    """The functions whose result gpiozero calls: what is kept as its ``when_pressed`` and so on."""
    found = {}
    for name, module in modules().items():
        for owner in [node for node in module.tree.body if isinstance(node, ast.ClassDef)]:
            for made in _called_back(owner):
                maker = next(each for each in owner.body if _name(each) == made)
                assert isinstance(maker, ast.FunctionDef)
                found[f"{name}.{owner.name}.{made}"] = first_line(maker)
    return sorted(found.items())


def _called_back(owner: ast.ClassDef) -> Iterator[str]:
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            kept = node.targets[0]
            if isinstance(kept, ast.Attribute) and kept.attr.startswith("when_"):
                yield _called(node.value).removeprefix("self.")


def _name(node: ast.stmt) -> str:
    return node.name if isinstance(node, ast.ClassDef | Function) else ""


def between_threads() -> list[str]:
    """What threads hand to each other, and what keeps them from each other."""
    locks = ("threading.Lock", "threading.Condition", "threading.Event")
    lines = ["| what | in | attribute |", "|---|---|---|"]
    for place in calls("queue.SimpleQueue", "Future", *locks):
        owner = next((each for each in place.owners if isinstance(each, ast.ClassDef)), None)
        kind = _called(place.call).rpartition(".")[2]
        for target, held in _assigned(place):
            inside = place.module if owner is None else f"{place.module}.{owner.name}"
            lines.append(
                f"| {kind}{held} | `{inside}` | `{target}` |".replace(" | None", " or none")
            )
    return lines


def _assigned(place: Place) -> Iterator[tuple[str, str]]:
    """The attribute that keeps what *place* makes, and the type of what it holds."""
    for node in ast.walk(place.owners[-1]):
        if isinstance(node, ast.Assign | ast.AnnAssign) and place.call in ast.walk(node):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            held = ""
            if isinstance(node, ast.AnnAssign):
                told = re.search(r"SimpleQueue\[(.*)\]$", ast.unparse(node.annotation))
                # A bar would end the cell of the table.
                held = f" of `{told[1].replace(' | ', ' or ')}`" if told else ""
            yield ast.unparse(targets[-1]).removeprefix("self."), held


# Contracts


def contracts() -> list[str]:
    """Every protocol, and who keeps it."""
    lines = ["| protocol | what it is | asked of it | kept by |", "|---|---|---|---|"]
    for module in modules().values():
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and _is_protocol(node):
                wanted = _methods(node)
                kept = [f"`{name}`" for name in keepers(node) if wanted]
                asked = ", ".join(f"`{name}`" for name in wanted)
                who = ", ".join(kept) or "tests"
                title = f"`{module.name}.{node.name}`"
                lines.append(f"| {title} | {first_line(node)} | {asked} | {who} |")
    return lines


def keepers(protocol: ast.ClassDef) -> list[str]:
    """The classes that have every method of *protocol*, with the same parameters and result."""
    wanted = _methods(protocol)
    return sorted(
        name
        for name, nodes in _classes().items()
        for node in nodes
        if not _is_protocol(node)
        and all(_have(node).get(asked) == told for asked, told in wanted.items())
    )


def _is_protocol(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).startswith("Protocol") for base in node.bases)


Shape = tuple[tuple[str, ...], str]
"""The names of a method's parameters, and its result."""

ANY: Shape = ((), "")
"""An attribute: what type it has is mypy's to say."""


def _methods(node: ast.ClassDef) -> dict[str, Shape]:
    """The public methods and attributes of a class's own body."""
    found: dict[str, Shape] = {}
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and not child.name.startswith("_"):
            taken = [arg.arg for arg in (*child.args.args, *child.args.kwonlyargs)][1:]
            result = "" if child.returns is None else ast.unparse(child.returns)
            decorated = [ast.unparse(each) for each in child.decorator_list]
            found[child.name] = ANY if "property" in decorated else (tuple(taken), result)
        elif isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
            found[child.target.id] = ANY
    return found


@functools.cache
def _have(node: ast.ClassDef) -> dict[str, Shape]:
    """What an instance of a class has: its methods and attributes, and those of its bases."""
    found: dict[str, Shape] = {}
    for base in node.bases:
        for other in _classes().get(ast.unparse(base), ()):
            found |= _have(other)
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and child.name == "__init__":
            found |= dict.fromkeys(_attributes(child), ANY)
    return found | _methods(node)


def _attributes(init: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(init):
        is_set = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if is_set and ast.unparse(node.value) == "self" and not node.attr.startswith("_"):
            yield node.attr


@functools.cache
def _classes() -> dict[str, list[ast.ClassDef]]:
    found: dict[str, list[ast.ClassDef]] = defaultdict(list)
    for module in modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(node)
    return found


# The journal's tables


def journal() -> list[str]:
    """The tables of the journal, from the statement that makes them."""
    tree = modules()["device.storage.schema"].tree
    told = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    db = sqlite3.connect(":memory:")
    db.executescript(told["_SCHEMA"])
    lines = [f"Version {told['SCHEMA_VERSION']}.", ""]
    lines += ["| table | columns, the key in **bold** |", "|---|---|"]
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        foreign = db.execute(f"PRAGMA foreign_key_list({table})").fetchall()
        links = {row[3]: f" of `{row[2]}`" for row in foreign}
        columns = []
        for _, name, kind, _, _, key in db.execute(f"PRAGMA table_info({table})").fetchall():
            told_name = f"**`{name}`**" if key else f"`{name}`"
            columns.append(f"{told_name} {kind}{links.get(name, '')}")
        lines.append(f"| `{table}` | {', '.join(columns)} |")
    db.close()
    return lines


# One line a module


def every_module() -> list[str]:
    """Each module with the first line of its docstring, package by package."""
    lines: list[str] = []
    for group in sorted({module.group for module in modules().values()}, key=_in_order):
        lines += [f"### {group.replace('.', '/')}/", "", "| module | what |", "|---|---|"]
        for module in modules().values():
            if module.group == group:
                short = "`__init__`" if module.is_package else f"`{module.name.split('.')[-1]}`"
                lines.append(f"| {short} | {first_line(module.tree)} |")
        lines.append("")
    return lines[:-1]


PARTS = {
    "rooms": rooms,
    "libraries": libraries,
    "frame": lambda: architecture_paths.drawn(architecture_paths.FRAME, modules()),
    "press": lambda: architecture_paths.drawn(architecture_paths.PRESS, modules()),
    "threads": threads,
    "between threads": between_threads,
    "contracts": contracts,
    "journal": journal,
    "modules": every_module,
}
"""What stands between the marks of the page, by the name on them."""


def page(text: str) -> str:
    """Return the page with every drawn part made anew."""
    for name, make in PARTS.items():
        text = _put(text, name, make())
    return text


def _put(text: str, name: str, lines: Iterable[str]) -> str:
    begin, end = f"<!-- drawn: {name} -->\n", f"<!-- end: {name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"{PAGE}: the marks {begin.strip()} and {end} are missing; put them back")
    return before + begin + "\n".join(["", *lines, "", ""]) + end + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
