"""The config: one TOML file, every key with a default, all problems told at once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from device import wiring
from device.panels import Pins
from device.ports import Button
from display.languages import language_of_environment, languages
from display.theme import THEMES
from engine.errors import BoneAceError
from engine.suggest import did_you_mean

_HIGHEST = {
    "panel.attention_lamp": 27,
    "panel.buzzer": 27,
    "panel.lamp_brightness": 100,
    "sound.volume": 100,
    "sound.words_per_minute": 450,
    "booth.seats": 8,
}
_LOWEST = {"booth.seats": 2, "sound.volume": 0, "sound.words_per_minute": 80}
"""Bounds of whole numbers; without one 1 is the lowest. 80 and 450 are espeak-ng's own."""

MOST_SEATS = 8
"""As many as the largest play mat has."""

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
        bones: the taught set of knucklebones on the table, such as ``"brass"``; empty for any.
    """

    name: str = "bone-ace"
    preset: str = ""
    players: tuple[str, ...] = ("Ann", "Bess", "Cecil", "Doll")
    stake: int = 1
    dealer: int = -1
    options: Mapping[str, Any] = field(default_factory=dict)
    bones: str = ""


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
        knob: ``a``, ``b`` and ``push`` of a rotary encoder.
        seats: seat to its ``have``, ``stick`` and ``lamp``.
        attention_lamp: the console's lamp; -1 for none.
        buzzer: an active buzzer; -1 for none.
        lamp_brightness: how bright a lit lamp looks, in per cent.
        interfaces: what else the header is used for (see :data:`device.wiring.INTERFACES`); its
            pins are then taken.
    """

    backend: str = "auto"
    console: Mapping[str, Any] = field(default_factory=dict)
    knob: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, Any] = field(default_factory=dict)
    attention_lamp: int = -1
    buzzer: int = -1
    lamp_brightness: int = 100
    interfaces: tuple[str, ...] = ()

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
        if "push" in self.knob:
            buttons[Button.PUSH, None] = self.knob["push"]
        return Pins(
            buttons,
            lamps,
            None if self.attention_lamp < 0 else self.attention_lamp,
            (self.knob["a"], self.knob["b"]) if {"a", "b"} <= set(self.knob) else None,
            None if self.buzzer < 0 else self.buzzer,
        )


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """``[display]``: the screen; sizes in pixels.

    Attributes:
        language: of all that is shown and said, such as ``"fr"``; else that of the environment
            (``LC_ALL``, ``LC_MESSAGES``, ``LANG``).
        theme: ``felt``, ``contrast`` or ``large``.
        four_colours: each suit has a colour of its own; else the old two.
        teaching: chances are shown beside what the croupier says.
    """

    width: int = 800
    height: int = 480
    fullscreen: bool = False
    language: str = field(default_factory=language_of_environment)
    theme: str = "felt"
    four_colours: bool = True
    teaching: bool = False


@dataclass(frozen=True, slots=True)
class SoundConfig:
    """``[sound]``: what is heard. Everything heard can be seen as well.

    Attributes:
        mute: nothing is heard at all.
        volume: of chimes and voice, in per cent.
        chimes: a chime for every moment.
        voice: prompts and results are spoken, where ``espeak-ng`` is installed.
        words_per_minute: how fast.
    """

    mute: bool = False
    volume: int = 70
    chimes: bool = True
    voice: bool = True
    words_per_minute: int = 150


@dataclass(frozen=True, slots=True)
class BoothConfig:
    """``[booth]``: a table that runs itself, for strangers who walk up to it.

    Attributes:
        enabled: ``boneace play`` begins with the screen that waits for people.
        idle_s: seconds after which a finished hand that nobody goes on with becomes the ledger,
            and the ledger the screen that waits; a hand in play is left five times as long.
        seats: how many seats the table has.
    """

    enabled: bool = False
    idle_s: int = 120
    seats: int = 8


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
    sound: SoundConfig = field(default_factory=SoundConfig)
    journal: JournalConfig = field(default_factory=JournalConfig)
    booth: BoothConfig = field(default_factory=BoothConfig)


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
    problems.extend(wiring.problems(config.panel.pins(), config.panel.interfaces))
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
        # The push belongs to the knob: named twice, one of the two wires would be lost.
        return _wires(where, value, [each.value for each in Button if each is not Button.PUSH])
    if where == "panel.knob":
        return _knob(where, value)
    if where == "panel.interfaces":
        return _interfaces(where, value)
    if where in _HIGHEST and isinstance(value, int) and value > _HIGHEST[where]:
        return f"{where}: {value} is above {_HIGHEST[where]}; try {default}"
    if where == "display.language":
        return _language(where, value)
    if where == "display.theme":
        names = list(THEMES)
        known = isinstance(value, str) and value in names
        return None if known else f"{where}: unknown theme; {did_you_mean(str(value), names)}"
    if where == "panel.seats":
        return _seats(where, value)
    if where == "panel.backend" and value not in ("auto", "gpio", "keyboard"):
        return f"{where}: {value!r} is not one of auto, gpio, keyboard"
    if isinstance(default, bool):
        return None if isinstance(value, bool) else f"{where}: {value!r}; write true or false"
    if isinstance(default, int):
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{where}: {value!r} is not a whole number; try {default}"
        least = -1 if default < 0 else _LOWEST.get(where, 1)
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


def _wires(
    where: str, value: object, names: Sequence[str], example: str = "have = 17"
) -> str | None:
    if not isinstance(value, dict):
        return f"{where}: {value!r}; write [{where}] and below it, for example, {example}"
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
        if int(seat) >= MOST_SEATS:
            return f"{where}.{seat}: a mat has {MOST_SEATS} seats; write 0 to {MOST_SEATS - 1}"
        problem = _wires(f"{where}.{seat}", wires, ["have", "stick", "lamp"])
        if problem is not None:
            return problem
    return None


def _knob(where: str, value: object) -> str | None:
    problem = _wires(where, value, ["a", "b", "push"], "a = 22")
    if problem is None and isinstance(value, dict) and ("a" in value) != ("b" in value):
        lacks = "b" if "a" in value else "a"
        return f"{where}: a knob has two phases, {lacks} is missing; name its pin too: {lacks} = 23"
    return problem


def _interfaces(where: str, value: object) -> str | None:
    if not isinstance(value, list):
        return f'{where}: {value!r} is not a list; write ["spi"], or [] for none'
    for name in value:
        if name not in wiring.INTERFACES:
            return f"{where}: unknown interface; {did_you_mean(str(name), wiring.INTERFACES)}"
    return None


def _language(where: str, value: object) -> str | None:
    there = languages()
    if not isinstance(value, str) or not value:
        return f'{where}: {value!r} is not a language; try "fr", or leave the key out to take LANG'
    if value.replace("-", "_").split("_")[0].lower() not in there:
        return f"{where}: there are no words in {value!r} yet; choose {', '.join(there)}"
    return None
