"""The config: one TOML file, every key with a default, all problems told at once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from device.panels import Pins
from device.ports import Button
from engine.errors import BoneAceError
from engine.suggest import did_you_mean

SYSTEM_PATH = Path("/etc/boneace/config.toml")


class ConfigError(BoneAceError, ValueError):
    """A config that cannot be used; every problem on a line with file, key and cure."""


@dataclass(frozen=True, slots=True)
class GameConfig:
    """``[game]``: what is played, and by whom.

    Attributes:
        name: the game, such as ``"bone-ace"``.
        preset: rules after which source; empty for the game's first.
        players: names, from seat 0 clockwise.
        stake: tokens in one stake.
        dealer: seat of the first dealer; -1 to cut for it.
        options: single options laid over the preset.
    """

    name: str = "bone-ace"
    preset: str = ""
    players: tuple[str, ...] = ("Ann", "Bess", "Cecil", "Doll")
    stake: int = 1
    dealer: int = -1
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """``[camera]``: *spec* as ``boneace play --camera`` takes it."""

    spec: str = "auto"


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """``[panel]``: buttons and lamps, by BCM pin number.

    Attributes:
        backend: ``auto`` (the header where pins are named), ``gpio`` or ``keyboard``.
        console: button to pin, such as ``have = 17``.
        seats: seat to its ``have``, ``stick`` and ``lamp``.
        attention_lamp: the console's lamp; -1 for none.
    """

    backend: str = "auto"
    console: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, Any] = field(default_factory=dict)
    attention_lamp: int = -1

    def pins(self) -> Pins:
        """Return what is wired where."""
        buttons: dict[tuple[Button, int | None], int] = {
            (Button(name), None): pin for name, pin in self.console.items()
        }
        lamps = {}
        for seat, wires in self.seats.items():
            for name, pin in wires.items():
                if name == "lamp":
                    lamps[int(seat)] = pin
                else:
                    buttons[Button(name), int(seat)] = pin
        lamp = None if self.attention_lamp < 0 else self.attention_lamp
        return Pins(buttons, lamps, lamp)


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """``[display]``: the screen; sizes in pixels."""

    width: int = 800
    height: int = 480
    fullscreen: bool = False
    language: str = "en"


@dataclass(frozen=True, slots=True)
class JournalConfig:
    """``[journal]``: *path* of the file; empty for the state folder."""

    path: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set."""

    game: GameConfig = field(default_factory=GameConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)
    display: DisplayConfig = field(default_factory=DisplayConfig)
    journal: JournalConfig = field(default_factory=JournalConfig)


def user_path() -> Path:
    """Return where the user's own config lives."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "boneace" / "config.toml"


def load(paths: Sequence[Path] | None = None) -> Config:
    """Read the config files that are there, the later over the earlier.

    Args:
        paths: the files; the system's, then the user's when ``None``.

    Raises:
        ConfigError: with every problem of every file.
    """
    config = Config()
    problems: list[str] = []
    for path in (SYSTEM_PATH, user_path()) if paths is None else paths:
        try:
            text = path.read_text(encoding="utf-8")
            tables = tomllib.loads(text)
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as problem:
            problems.append(f"{path}: cannot be read ({problem}); check its owner")
            continue
        except tomllib.TOMLDecodeError as problem:
            problems.append(f"{path}: is not TOML ({problem}); mend the line or delete the file")
            continue
        found: list[str] = []
        config = _lay_over(config, tables, found.append)
        problems.extend(f"{path}: {what}" for what in found)
    problems.extend(_shared_pins(config.panel))
    if problems:
        raise ConfigError("\n".join(problems))
    return config


def _lay_over(config: Config, tables: Mapping[str, Any], complain: Callable[[str], None]) -> Config:
    names = [each.name for each in fields(config)]
    for name, table in tables.items():
        if name not in names:
            complain(f"{name}: unknown table; {did_you_mean(name, names)}")
        elif not isinstance(table, dict):
            complain(f"{name}: {table!r} is not a table; write [{name}] and its keys below it")
        else:
            config = replace(config, **{name: _table(getattr(config, name), name, table, complain)})
    return config


def _table(old: Any, name: str, table: Mapping[str, Any], complain: Callable[[str], None]) -> Any:
    known = [each.name for each in fields(old)]
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{name}.{key}"
        if key not in known:
            complain(f"{where}: unknown key; {did_you_mean(key, known)}")
            continue
        problem = _problem(where, getattr(old, key), value)
        if problem is not None:
            complain(problem)
        else:
            values[key] = tuple(value) if isinstance(value, list) else value
    return replace(old, **values)


def _problem(where: str, default: object, value: object) -> str | None:
    """Say what is wrong with *value*; ``None`` when it is good."""
    if where == "panel.console":
        return _wires(where, value, [button.value for button in Button])
    if where == "panel.seats":
        return _seats(where, value)
    if where == "panel.backend" and value not in ("auto", "gpio", "keyboard"):
        return f"{where}: {value!r} is not one of auto, gpio, keyboard"
    if isinstance(default, bool):
        return None if isinstance(value, bool) else f"{where}: {value!r}; write true or false"
    if isinstance(default, int):
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{where}: {value!r} is not a whole number; try {default}"
        least = -1 if default < 0 else 1
        return None if value >= least else f"{where}: {value} is below {least}; try {default}"
    if isinstance(default, tuple):
        if (
            isinstance(value, list)
            and len(value) > 1
            and all(isinstance(each, str) and each.strip() for each in value)
        ):
            return None
        return f'{where}: {value!r} is not a list of two or more names; try ["Ann", "Bess"]'
    if isinstance(default, Mapping):
        return None if isinstance(value, dict) else f"{where}: {value!r}; write [{where}]"
    return None if isinstance(value, str) else f'{where}: {value!r} is not text; try "{default}"'


def _wires(where: str, value: object, names: Sequence[str]) -> str | None:
    if not isinstance(value, dict):
        return f"{where}: {value!r}; write [{where}] and below it, for example, have = 17"
    for key, pin in value.items():
        if key not in names:
            return f"{where}.{key}: unknown button; {did_you_mean(key, names)}"
        if not isinstance(pin, int) or isinstance(pin, bool) or not 0 <= pin <= 27:
            return f"{where}.{key}: {pin!r} is not a BCM pin; choose one from 0 to 27"
    return None


def _seats(where: str, value: object) -> str | None:
    if not isinstance(value, dict):
        return f"{where}: {value!r}; write [{where}.0] and below it, for example, have = 5"
    for seat, wires in value.items():
        if not seat.isdecimal():
            return f"{where}.{seat}: is not a seat; write its number, 0 for the first"
        problem = _wires(f"{where}.{seat}", wires, ["have", "stick", "lamp"])
        if problem is not None:
            return problem
    return None


def _shared_pins(panel: PanelConfig) -> list[str]:
    """Name the pins that two wires want."""
    pins = panel.pins()
    wanted = [
        *pins.buttons.values(),
        *pins.turn_lamps.values(),
        *([] if pins.attention_lamp is None else [pins.attention_lamp]),
    ]
    return [
        f"panel: pin {pin} is used {wanted.count(pin)} times; give every button and lamp its own"
        for pin in sorted(set(wanted))
        if wanted.count(pin) > 1
    ]
