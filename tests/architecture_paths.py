"""How a picture and a press travel through the house, call by call, checked against the code.

Only the choice of the calls is written here. That each is made, and what it does, is read from
the code: a call that is no longer made stops :func:`drawn` with what to mend.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Protocol

Function = ast.FunctionDef | ast.AsyncFunctionDef

FRAME = """
thread camera
  device.hardware.cameras:LiveCamera._work
thread eyes
  device.runtime.camera_worker:ThreadedReadingSource._look_through_one_camera
    device.hardware.cameras:LiveCamera.read
    device.runtime.observer:Looking.see
      vision.tracking.motion_gate:MotionGate.see
        vision.tracking.motion_gate:Stillness.see
        vision.table_reader:TableReader.follow
          vision.tracking.change_tracker:Follower.look
            vision.tracking.change_tracker:Follower._find
              vision.mat.pose:find_mat
            vision.tracking.change_tracker:Follower._look_where
              vision.cards.pipeline:Looker.look_on_mat
          vision.table_reader:TableReader._reading
thread main
  device.runtime.loop:Loop.step
    device.runtime.camera_worker:ThreadedReadingSource.poll
    device.runtime.table:App.see
      device.croupier.base:Croupier.see
        device.croupier.seat_cards:CardCroupier._remember
          device.croupier.mat_tracker:Memory.update
        device.croupier.base:Croupier.look
          device.croupier.seat_cards:CardCroupier._think
            device.croupier.seat_cards:CardCroupier._deal
              device.croupier.seat_cards:CardCroupier._deal_one
                device.croupier.proposal:Draft.play
                  engine.table.state:apply
      device.runtime.table:App._follow
        device.runtime.session:Session.apply
          engine.table.state:apply
          device.storage.journal:Journal.append
          engine.table.visibility:view
    device.runtime.table:App.show
      device.runtime.table:App.prompt
        device.runtime.table:App._prompt_now
          display.prompts.moments:prompt_for
      display.window:Window.show
        display.table.screen:TableScreen.draw
"""
"""A card laid down at a table of One-and-Thirty, until its total is on the screen."""

PRESS = """
gpiozero's thread
  device.hardware.buttons:GpioPanel._edge
thread main
  device.runtime.loop:Loop.step
    device.hardware.buttons:GpioPanel.poll
      device.hardware.debounce:Debounce.edge
    device.runtime.table:App.press
      device.croupier.base:Croupier.press
        device.croupier.base:Croupier._have_or_stick
          device.croupier.proposal:Draft.play
            engine.table.state:apply
        device.croupier.base:Croupier._after
      device.runtime.table:App._follow
        device.runtime.session:Session.apply
    device.runtime.table:App.lamps
    device.hardware.buttons:GpioPanel.show
      device.hardware.lamps:LampBoard.show
    device.runtime.table:App.show
"""
"""STICK pressed at a player's place, until the next one's lamp is lit."""


class Read(Protocol):
    """A module, read as text."""

    tree: ast.Module


def drawn(path: str, modules: Mapping[str, Read]) -> list[str]:
    """Return *path* as a tree in plain text, each call with what it does.

    Raises:
        SystemExit: a call of the path is not made any more, or is not there.
    """
    rows: list[tuple[str, str]] = []
    above: list[tuple[str, Function | None]] = []
    for line in path.strip("\n").split("\n"):
        depth = (len(line) - len(line.lstrip())) // 2
        place = line.strip()
        del above[depth:]
        if ":" not in place:
            above.append((place, None))
            rows.append((place, ""))
            continue
        function = _found(place, modules)
        caller, body = above[-1]
        if body is not None and not _names(body, place):
            raise SystemExit(
                f"{caller} no longer calls {place}; mend the path in tests/architecture_paths.py"
            )
        above.append((place, function))
        module, _, name = place.partition(":")
        rows.append((f"{'  ' * depth}{name}", f"{module}: {_told(function, modules)}"))
    width = max(len(left) for left, right in rows if right) + 2
    lines = [f"{left:{width}}{right}".rstrip() for left, right in rows]
    return ["```text", *lines, "```"]


def _found(place: str, modules: Mapping[str, Read]) -> Function:
    name, _, dotted = place.partition(":")
    body: list[ast.stmt] = modules[name].tree.body if name in modules else []
    found: ast.stmt | None = None
    for part in dotted.split("."):
        found = next(
            (
                node
                for node in body
                if isinstance(node, ast.ClassDef | Function) and node.name == part
            ),
            None,
        )
        body = found.body if isinstance(found, ast.ClassDef) else []
    if not isinstance(found, Function):
        raise SystemExit(f"{place} is not there; mend the path in tests/architecture_paths.py")
    return found


def _told(function: Function, modules: Mapping[str, Read]) -> str:
    """Return what a function does; one that fills in for another's may leave it to that."""
    told = ast.get_docstring(function)
    if told is None:
        same = (
            ast.get_docstring(node)
            for module in modules.values()
            for owner in module.tree.body
            if isinstance(owner, ast.ClassDef)
            for node in owner.body
            if isinstance(node, Function) and node.name == function.name and _is_abstract(node)
        )
        told = next((each for each in same if each), "")
    return told.partition("\n")[0]


def _is_abstract(node: Function) -> bool:
    return any(ast.unparse(each) == "abstractmethod" for each in node.decorator_list)


def _names(body: Function, place: str) -> bool:
    """Say whether *body* speaks of the function at *place*, by its own name."""
    wanted = place.rpartition(":")[2].rpartition(".")[2]
    return any(
        (isinstance(node, ast.Attribute) and node.attr == wanted)
        or (isinstance(node, ast.Name) and node.id == wanted)
        for node in ast.walk(body)
    )
