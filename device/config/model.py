"""The config: TOML files over defaults; all problems are reported at once.

Each key's meaning, type and range are fields of its table's dataclass; validation and ``boneace
config --explain`` are made from them.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import socket
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from device.config import checks
from device.config.fields import Key, Name, key, nearest, quoted, toml, validate
from device.config.legible import farthest_m, usual_m
from device.croupier.open_cards import OpenCards, settings_of
from device.files import read_file
from device.hardware import camera_names, panel_names
from device.hardware import pins as wiring
from device.hardware.buttons import Pins
from device.hardware.panel_size import panel_inches
from device.ports import MOST_SEATS, Button, Talk
from device.storage.journal.reader import default_folder, default_path
from display.drawing.theme import THEMES
from display.i18n.languages import LANGUAGES, language_of_environment
from display.i18n.money import token_value
from engine.core.errors import BoneAceError
from engine.core.options import describe, parse_changes, uses_ages
from engine.games import catalog

SYSTEM_PATH = Path("/etc/boneace/config.toml")

VARIABLE = "BONEACE_CONFIG"
"""Environment variable that names one more file; ``--config`` takes its place."""

RUNTIME = Path("/run/boneace")
"""The folder of the service while it runs."""

FEED = "feed.sock"
"""The socket by which a table tells what happens."""

LARGEST = 1_000_000
"""Largest file that is read, in bytes."""

_config_file: ContextVar[Path | None] = ContextVar("boneace_config", default=None)


class ConfigError(BoneAceError, ValueError):
    """A config that cannot be used; every problem on a line with file, key and cure."""

    def __str__(self) -> str:
        """Return the problems, each on its own line."""
        return "\n".join(self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the problems."""
        return tuple(map(str, self.args))


@dataclass(frozen=True, slots=True)
class GameConfig:
    """``[game]``: what is played, and by whom."""

    name: str = key(
        "bone-ace",
        "The game, by its name or another that the sources give it or one of its variants.",
        choices=lambda: [each.name for each in catalog.all_games()],
        validator=checks.game,
    )
    preset: str = key(
        "",
        "Rules after which source; empty for the game's first. "
        "They are listed by: boneace rules GAME.",
        example='"willughby"',
        form="text: a preset of the game",
    )
    players: tuple[str, ...] = key(
        ("Ann", "Bess", "Cecil", "Doll"),
        "Names of the players, clockwise from seat 1 of the mat. A booth proposes them only with "
        "keep_settings, at home; without it only how many there are counts.",
        form="a list of two or more names",
        cure=' is not a list of two or more names; try ["Ann", "Bess"]',
        validator=checks.names,
    )
    ages: tuple[int, ...] = key(
        (),
        "Ages of the players, in their order; asked for only by rules in which the older player "
        "goes first or wins ties, such as the preset davis.",
        example="[34, 28, 45, 61]",
        form="a list of whole numbers, one for each player, or [] for none",
        cure=" is not a list of ages; try [34, 28, 45, 61], or [] for none",
        validator=checks.ages,
    )
    stake: int = key(
        1,
        "Tokens in one stake. Where each player lays a stake of their own, it is what they lay at "
        "first.",
    )
    dealer: int = key(
        -1,
        "Seat of the first dealer: 0 is seat 1 of the mat; -1 to cut for it (at bones: the last).",
        least=-1,
        most=MOST_SEATS - 1,
    )
    open_cards: str = key(
        "none",
        "Which cards everybody sees where cards lie at the places: none but those that the rules "
        "lay open, those that are drawn too, or all. Then the table shows totals, and who is over "
        "or has 31, as the cards fall. It changes no rule.",
        choices=lambda: list(OpenCards),
        validator=checks.open_cards,
    )
    token_value: str = key(
        "",
        "What one token is worth in money; empty to play without. Ledger, settling up and the page "
        "of the evening show both.",
        example='"0.25"',
        form="an amount in quotes",
    )
    currency: str = key("EUR", "Of the money, by its code (ISO 4217).", form="a code such as EUR")
    options: Mapping[str, Any] = key(
        {},
        "Single options laid over the preset. They are listed by: boneace rules GAME.",
        example="{decks = 2}",
        form="a table: option = value",
        cure="; write [game.options]",
    )
    bones: str = key(
        "",
        'The taught set of knucklebones on the table, such as "brass"; empty for any.',
    )
    deck: str = key(
        "",
        'The taught deck on the table, such as "heirloom", or its file; empty for any.',
    )

    @property
    def has_stake(self) -> bool:
        """Whether the players agree on one stake; in some games each lays their own."""
        rules = catalog.find(self.name)
        return any(info.name == "stake" for info in describe(rules.options_type))

    @property
    def changes(self) -> dict[str, Any]:
        """Single options over the preset, and the stake where there is one.

        Words are understood as ``--set`` does: ``"yes"`` for ``true``.
        """
        words = [f"{name}={value}" for name, value in self.options.items() if type(value) is str]
        options = {**self.options, **parse_changes(catalog.find(self.name).options_type, words)}
        return {"stake": self.stake, **options} if self.has_stake else options

    @property
    def rules(self) -> Any:
        """The options in force: single ones over the preset over the defaults.

        Raises:
            OptionError: an option or a preset that the game does not have or does not allow.
        """
        game, preset = catalog.choose(self.name, self.preset or None)
        return catalog.make_options(game, preset, self.changes)

    @property
    def settings(self) -> dict[str, Any]:
        """What is agreed at the table and is no rule, as a session keeps it.

        Raises:
            MoneyError: a token cannot be worth that.
        """
        found = settings_of(self.name, self.open_cards)
        if self.token_value:
            found |= token_value(self.token_value, self.currency).settings
        return found

    @property
    def people(self) -> tuple[tuple[str, int | None], ...]:
        """Each player's name, and age where it is told and decides something."""
        ages = self.ages if uses_ages(self.rules) else ()
        return tuple(zip_longest(self.players, ages[: len(self.players)]))


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """``[camera]``: where the pictures come from."""

    spec: str = key(
        "auto",
        "The camera, as boneace play --camera takes it: picamera2 for the Raspberry Pi's own; "
        "/dev/video0, v4l2:0 or a name below /dev/v4l/by-id for a video device; a video or a "
        "folder of pictures; or auto for the first camera that gives a picture.",
        example='"/dev/video0"',
        form=lambda: f"text: {camera_names.forms()}",
        validator=checks.camera,
    )


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """``[panel]``: buttons and lamps, by BCM pin number."""

    backend: str = key(
        "auto",
        "What is pressed: gpio for the header, keyboard for the keyboard alone; "
        "auto uses the header where pins are named. What a box that was added needs to know "
        "stands after a colon.",
        choices=panel_names.forms,
        validator=panel_names.problem_with,
    )
    chip: int = key(
        -1,
        "Number of the header's device, N of /dev/gpiochipN; -1 leaves the choice to gpiozero, "
        "which knows every Raspberry Pi.",
        least=-1,
        most=99,
    )
    console: Mapping[str, Any] = key(
        {},
        "Buttons of the dealer's console, each between its pin and ground.",
        example="{have = 17, stick = 27, next = 22, undo = 23, menu = 24}",
        form=f"a table: button = pin; buttons are {', '.join(checks.CONSOLE)}; pins 0 to 27",
        cure="; write [panel.console] and below it, for example, have = 17",
        validator=checks.console,
    )
    knob: Mapping[str, Any] = key(
        {},
        "A rotary encoder: its two phases and its push button.",
        example="{a = 5, b = 6, push = 26}",
        form="a table: a, b, push = pin",
        cure="; write [panel.knob] and below it, for example, a = 22",
        validator=checks.knob,
    )
    seats: Mapping[str, Any] = key(
        {},
        "Buttons and lamp of each seat.",
        example="{0 = {have = 5, stick = 6, lamp = 13}}",
        form=f"a table for each seat, 0 to {MOST_SEATS - 1}: have, stick, out, tell, again, lamp = "
        "pin",
        cure="; write [panel.seats.0] and below it, for example, have = 5",
        validator=checks.seats,
    )
    attention_lamp: int = key(
        -1,
        "Pin of the console's lamp: the table waits for an answer; -1 for none.",
        least=-1,
        most=27,
    )
    buzzer: int = key(-1, "Pin of an active buzzer; -1 for none.", least=-1, most=27)
    lamp_brightness: int = key(100, "How bright a lit lamp looks, in per cent.", most=100)
    interfaces: tuple[str, ...] = key(
        (),
        "What else the header is used for; its pins are then taken.",
        example='["spi"]',
        form=f"a list of {', '.join(wiring.INTERFACES)}",
        validator=checks.interfaces,
    )

    def pins(self) -> Pins:
        """Return what is wired where."""
        buttons: dict[tuple[Button, int | None], int] = {
            (Button(name), None): pin for name, pin in self.console.items()
        }
        for seat, wires in self.seats.items():
            for name, pin in wires.items():
                if name != "lamp":
                    buttons[Button(name), int(seat)] = pin
        if "push" in self.knob:
            buttons[Button.PUSH, None] = self.knob["push"]
        return Pins(
            buttons,
            {int(seat): wires["lamp"] for seat, wires in self.seats.items() if "lamp" in wires},
            None if self.attention_lamp < 0 else self.attention_lamp,
            (self.knob["a"], self.knob["b"]) if {"a", "b"} <= set(self.knob) else None,
            None if self.buzzer < 0 else self.buzzer,
        )


@dataclass(frozen=True, slots=True)
class PowerConfig:
    """``[power]``: switching the machine off at the table."""

    buttons: tuple[str, ...] = key(
        (),
        "Buttons of the console that switch the machine off when they are held down together; "
        "none are set by default. Two are safer than one, which may stick.",
        example='["menu", "undo"]',
        form=f"a list of {', '.join(checks.CONSOLE)}",
        validator=checks.buttons,
    )
    hold_s: int = key(5, "How many seconds they are held.", least=2, most=30)


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """``[display]``: the screen."""

    width: int = key(800, "Width of the window in pixels.", least=320, most=16384)
    height: int = key(480, "Height of the window in pixels.", least=240, most=16384)
    fullscreen: bool = key(False, "The whole screen, in its own resolution.")
    language: str = key(
        "",
        "The language of all that is shown and said; without the key that of the environment "
        "(LC_ALL, LC_MESSAGES, LANG).",
        example='"fr"',
        choices=lambda: LANGUAGES.names,
        cure=' is not a language; try "fr", or leave the key out to take LANG',
        validator=checks.language,
        factory=language_of_environment,
    )
    diagonal_in: float = key(
        0.0,
        "The diagonal of the panel in inches; 0 for what the screen tells, where it tells it.",
        least=0,
        most=200,
        example="7.0",
    )
    distance_m: float = key(
        0.0,
        "From how many metres it is read in the look large; 0 for 0.6 where the panel has less "
        "than 10 inches, else 1.5. More than the panel can serve is refused.",
        least=0,
        most=20,
        example="0.6",
    )
    theme: str = key("felt", "How it looks.", choices=lambda: THEMES.names, validator=checks.theme)
    four_colours: bool = key(
        False,
        "Each suit has a colour of its own, as always in the looks contrast and large; else the "
        "old two.",
    )
    teaching: bool = key(False, "Chances are shown beside what the croupier says.")
    less_motion: bool = key(False, "Nothing glides or grows; coins lie still.")

    @property
    def has_four_colours(self) -> bool:
        """Whether each suit has a colour of its own."""
        return self.four_colours or THEMES[self.theme].four_colours


@dataclass(frozen=True, slots=True)
class SoundConfig:
    """``[sound]``: what is heard. Everything heard can be seen as well."""

    mute: bool = key(False, "Nothing is heard at all.")
    volume: int = key(70, "Of chimes and voice, in per cent.", least=0, most=100)
    chimes: bool = key(True, "A chime for every moment.")
    voice: bool = key(True, "Prompts and results are spoken, where espeak-ng is installed.")
    words_per_minute: int = key(175, "How fast it speaks.", least=80, most=450)
    talk: str = key(
        "normal",
        "How much it says: results, payments, questions and whose turn it is (few); open cards and "
        "totals as well, and each question in full once (normal); all that the screen says (all).",
        choices=lambda: [each.value for each in Talk],
    )


@dataclass(frozen=True, slots=True)
class BoothConfig:
    """``[booth]``: a table that runs itself, for strangers who walk up to it."""

    enabled: bool = key(False, "boneace play begins with the screen that waits for people.")
    idle_s: int = key(
        0,
        "Seconds without a press or a card after which the table asks whether anybody is there; 0: "
        "60, or 120 with keep_settings. The ledger and the screen that waits go by it as well.",
        least=0,
        most=86_400,
    )
    seats: int = key(8, "How many seats the table has.", least=2, most=MOST_SEATS)
    keep_settings: bool = key(
        False,
        "What is set at the table stays for the next company; else this file counts again as soon "
        "as the screen that waits is back.",
    )

    @property
    def asked_s(self) -> float:
        """Seconds without a sign of life after which a hand in play is asked after."""
        return float(self.idle_s or (120 if self.keep_settings else 60))

    @property
    def left_s(self) -> float:
        """Seconds without one after which a hand in play is left."""
        return self.asked_s * (3 if self.keep_settings else 2.5)

    @property
    def result_s(self) -> float:
        """Seconds for which a result is shown, and then the ledger."""
        return self.asked_s if self.keep_settings else self.asked_s * 2 / 3


@dataclass(frozen=True, slots=True)
class JournalConfig:
    """``[journal]``: where every event is written down."""

    path: str = key("", "The journal's file; empty for the state folder.")

    @property
    def file(self) -> Path:
        """The journal's file."""
        return Path(self.path) if self.path else default_path()


@dataclass(frozen=True, slots=True)
class BackupConfig:
    """``[backup]``: copies of the journal, made by boneace backup and its timer."""

    folder: str = key("", "Where the copies go; empty for backups in the state folder.")
    keep: int = key(48, "How many copies are kept in each place; the oldest go first.", most=10_000)
    max_mb: int = key(
        500,
        "How many million bytes the copies of this table may take in each place; the oldest go "
        "first.",
        most=1_000_000,
    )
    stick: str = key(
        "BONEACE",
        "Label of a USB stick: while one with it is mounted it gets a copy too; empty for none.",
    )

    def folder_of(self, journal: Path) -> Path:
        """Return the folder of the copies of *journal*."""
        return Path(self.folder) if self.folder else journal.parent / "backups"


@dataclass(frozen=True, slots=True)
class PrivacyConfig:
    """``[privacy]``: how long it is kept who played what."""

    keep_days: int = key(
        -1,
        "Days after which a sitting is erased from journal and copies; 0 for never; "
        "-1 for one day with [booth] enabled, and never elsewhere.",
        least=-1,
        most=36_500,
    )


@dataclass(frozen=True, slots=True)
class WebConfig:
    """``[web]``: the table on phones and other screens. Off, nothing of it is open."""

    enabled: bool = key(
        False,
        "The table tells what everybody at it may see to programs on this machine, such as "
        "boneace web, and shows codes by which phones become buttons.",
    )
    socket: str = key(
        "",
        "The socket by which it tells them; empty for feed.sock in /run/boneace where the table "
        "is a service, else beside the journal.",
        validator=checks.socket,
    )
    url: str = key(
        "",
        "Where phones find the pages; empty for host and port, or this machine's name with .local "
        "where host is 0.0.0.0.",
        example='"http://192.168.1.20:8031"',
        validator=checks.url,
    )
    host: str = key("0.0.0.0", "The address of this machine at which boneace web is found.")
    port: int = key(8031, "Its port.", least=1, most=65_535)

    @property
    def address(self) -> str:
        """Where phones find the pages."""
        name = f"{socket.gethostname()}.local"
        if self.host not in ("0.0.0.0", "::", ""):  # it is found at this address alone
            name = f"[{self.host}]" if ":" in self.host else self.host
        return self.url.rstrip("/") or f"http://{name}:{self.port}"

    def feed_of(self, journal: Path, *, reads: bool = False) -> Path:
        """Return the socket of the table whose journal is *journal*, for it or who *reads* it.

        That of a table that runs as a service is in its own folder below ``/run``.
        """
        if self.socket:
            return Path(self.socket)
        service = RUNTIME / FEED
        if reads:
            # A unit names the folder: the table may begin later than who reads it.
            is_service = "FEED_DIRECTORY" in os.environ or service.exists()
        else:
            is_service = os.environ.get("RUNTIME_DIRECTORY") == str(RUNTIME)
        return service if is_service else journal.parent / FEED


@dataclass(frozen=True, slots=True)
class HallConfig:
    """``[hall]``: the broker that this table publishes to, or that a hall listens to."""

    broker: str = key(
        "",
        "Host of the MQTT broker; empty for none: then neither boneace publish nor boneace hall "
        "runs.",
        example='"192.168.1.20"',
        validator=checks.broker,
    )
    port: int = key(0, "Its port; 0 for 8883 with tls, else 1883.", least=0, most=65_535)
    tls: bool = key(False, "The way to the broker is encrypted, and its certificate is checked.")
    ca_file: str = key(
        "",
        "The certificate of who has signed the broker's; empty for those that the system trusts.",
        example='"/etc/boneace/broker-ca.pem"',
    )
    user: str = key(
        "",
        "The user at the broker: for a table the name of the table, for a hall that of the hall. "
        "Empty is that name where there is a password, else none.",
        example='"red-otter"',
    )
    password_file: str = key(
        "",
        "A file whose first line is the password of that user.",
        example='"/etc/boneace/broker-password"',
    )
    name: str = key(
        "hall",
        "The name of this hall: up to 30 small letters a to z, digits and hyphens. No two halls at "
        "one broker have the same.",
        validator=checks.hall_name,
    )
    file: str = key("", "What the hall keeps; empty for hall.sqlite3 in the state folder.")
    host: str = key("127.0.0.1", "The address at which the pages of the hall are served.")
    page_port: int = key(8032, "The port of these pages.", most=65_535)

    @property
    def at(self) -> tuple[str, int]:
        """Host and port of the broker."""
        return self.broker, self.port or (8883 if self.tls else 1883)

    def of(self, name: str) -> HallConfig:
        """Return it with the user as whom the table or hall called *name* comes to the broker."""
        return replace(self, user=self.user or (name if self.password_file else ""))

    @property
    def store(self) -> Path:
        """The hall's file."""
        return Path(self.file) if self.file else default_folder() / "hall.sqlite3"


@dataclass(frozen=True, slots=True)
class Config:
    """All tables of the config."""

    game: GameConfig = field(default_factory=GameConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)
    display: DisplayConfig = field(default_factory=DisplayConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    booth: BoothConfig = field(default_factory=BoothConfig)
    power: PowerConfig = field(default_factory=PowerConfig)
    journal: JournalConfig = field(default_factory=JournalConfig)
    backup: BackupConfig = field(default_factory=BackupConfig)
    privacy: PrivacyConfig = field(default_factory=PrivacyConfig)
    web: WebConfig = field(default_factory=WebConfig)
    hall: HallConfig = field(default_factory=HallConfig)

    @property
    def keep_days(self) -> int:
        """After how many days a sitting is erased; 0 for never.

        A booth that only a command asks for may have somebody's own journal: nothing goes from it.
        """
        chosen = self.privacy.keep_days
        return chosen if chosen >= 0 else int(self.booth.enabled)


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of the config for people.

    Attributes:
        table: such as ``game``.
        last: its name in the table, such as ``stake``.
        source: the file that set it; empty for the default.
    """

    table: str
    last: str
    key: Key
    default: Any
    value: Any
    source: str

    @property
    def name(self) -> str:
        """The name with its table, such as ``game.stake``."""
        return f"{self.table}.{self.last}"

    @property
    def example(self) -> str:
        """What to write, in TOML."""
        return self.key.example or toml(self.default)


@dataclass(frozen=True, slots=True)
class LayeredConfig:
    """The config, and the file of each value.

    Attributes:
        config: the files laid over the defaults.
        sources: key, such as ``"game.stake"``, to the last file that sets it.
        files: the files that exist, in order.
    """

    config: Config = field(default_factory=Config)
    sources: Mapping[str, Path] = field(default_factory=dict)
    files: tuple[Path, ...] = ()

    def entries(self) -> tuple[Entry, ...]:
        """Return every key, in the order of the tables."""
        return tuple(
            Entry(
                table.name,
                each.name,
                each.metadata["key"],
                getattr(default, each.name),
                getattr(getattr(self.config, table.name), each.name),
                str(self.sources.get(f"{table.name}.{each.name}", "")),
            )
            for table in fields(self.config)
            for default in [getattr(Config(), table.name)]
            for each in fields(default)
        )


def user_path() -> Path:
    """Return the path of the user's own config."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return (Path(home) if home else Path.home() / ".config") / "boneace" / "config.toml"


def chosen_path() -> Path | None:
    """Return the file named by ``--config`` or the environment; it must exist."""
    named = os.environ.get(VARIABLE)
    return _config_file.get() or (Path(named) if named else None)


def paths() -> tuple[Path, ...]:
    """Return the config files, the later over the earlier; not all need to exist."""
    chosen = chosen_path()
    return (SYSTEM_PATH, user_path(), *(() if chosen is None else (chosen,)))


@contextlib.contextmanager
def with_config_file(path: Path | None) -> Iterator[None]:
    """Lay the config file *path* over all others in a ``with`` block; ``None`` changes nothing.

    Raises:
        ConfigError: it cannot be opened. What is wrong in it is told by what loads it.
    """
    if path is not None:
        try:
            read_file(path, LARGEST)
        except FileNotFoundError as problem:
            raise ConfigError(f"{path}: no such file; check its name") from problem
        except OSError as problem:
            raise ConfigError(f"{path}: {_unread(problem)}") from problem
    before = _config_file.set(path if path is not None else _config_file.get())
    try:
        yield
    finally:
        _config_file.reset(before)


def load(paths: Sequence[Path] | None = None) -> Config:
    """Return the config of :func:`load_layers`."""
    return load_layers(paths).config


def load_layers(files: Sequence[Path] | None = None) -> LayeredConfig:
    """Read those of *files* that exist, the later over the earlier; by default :func:`paths`.

    Raises:
        ConfigError: with every problem of every file.
    """
    needed = chosen_path() if files is None else None
    config = Config()
    sources: dict[str, Path] = {}
    found: list[Path] = []
    problems: list[str] = []
    for path in paths() if files is None else files:
        tables, problem = _read(path)
        if tables is None:
            if problem or path == needed:
                problems.append(f"{path}: {problem or 'no such file; check its name'}")
            continue
        found.append(path)
        wrong: list[str] = []
        config, keys = _merge(config, tables, wrong)
        sources.update(dict.fromkeys(keys, path))
        problems.extend(f"{path}: {what}" for what in wrong)
    problems.extend(wiring.find_conflicts(config.panel.pins(), config.panel.interfaces))
    problems.extend(_check_game(config.game, sources))
    problems.extend(_check_power(config))
    problems.extend(_check_distance(config.display))
    if problems:
        raise ConfigError(*problems)
    return LayeredConfig(config, sources, tuple(found))


def _read(path: Path) -> tuple[dict[str, Any] | None, str]:
    """Return the tables of a file, or ``None`` and what is wrong; no problem if it is missing."""
    text = ""
    try:
        text = read_file(path, LARGEST).decode("utf-8")
        return tomllib.loads(text), ""
    except (FileNotFoundError, NotADirectoryError):
        return None, ""
    except OSError as problem:
        return None, _unread(problem)
    except UnicodeDecodeError as problem:
        return None, f"cannot be read ({problem}); write it as UTF-8 text"
    except RecursionError:
        return None, "is nested too deeply; write one table a paragraph"
    except ValueError as problem:  # tomllib's own, and Python's for numbers too long to be read
        return None, f"is not TOML ({problem}){_line_of(text, str(problem))}"


def _line_of(text: str, problem: str) -> str:
    """Return how the line of *text* begins that *problem* names, and what to do about it.

    What stands behind a key is left out: it may be somebody's name.
    """
    found = re.search(r"at line (\d+)", problem)
    line = text.split("\n")[int(found[1]) - 1].strip() if found else ""
    begins = re.match(r"[\w.-]+\s*=|\[[\w. -]+", line)
    named = f'; mend the line that begins "{quoted(Name(begins[0]))}"' if begins else "; mend it"
    return f"{named}: words in quotes, numbers without" if "Invalid value" in problem else named


def _unread(problem: OSError) -> str:
    return f"cannot be read ({problem.strerror}); check its name and its owner"


def _merge(config: Config, tables: Mapping[str, Any], wrong: list[str]) -> tuple[Config, set[str]]:
    """Return *config* with the valid values of *tables* over it, and the names of their keys.

    What is wrong with the others is added to *wrong*.
    """
    names = [each.name for each in fields(config)]
    found: set[str] = set()
    for name, table in tables.items():
        if name not in names:
            wrong.append(f"{quoted(Name(name))}: unknown table; {nearest(name, names)}")
        elif not isinstance(table, dict):
            wrong.append(f"{name}: {quoted(table)} is not a table; write [{name}], its keys below")
        else:
            old = getattr(config, name)
            good, problems = validate(type(old), name, table)
            wrong += problems
            if problems and name == "panel":  # it will be refused; two uses of a pin are told too
                good |= checks.sound_wires(table)
            config = replace(config, **{name: replace(old, **good)})
            found.update(f"{name}.{each}" for each in good)
    return config, found


def _check_game(game: GameConfig, sources: Mapping[str, Path]) -> list[str]:
    name = "game.preset"
    try:
        catalog.choose(game.name, game.preset or None)
        name = "game.options"
        _ = game.rules
        name = "game.token_value"
        _ = game.settings
        name = "game.ages"
        if game.ages and len(game.ages) != len(game.players):
            raise ConfigError(
                f"{len(game.ages)} ages for {len(game.players)} players; write one for each, or []"
            )
    except BoneAceError as problem:
        return [f"{f'{sources[name]}: ' if name in sources else ''}{name}: {problem}"]
    return []


def _check_distance(shown: DisplayConfig) -> list[str]:
    """Return what is wrong where the panel is too small for the distance that is set."""
    inches = shown.diagonal_in or (panel_inches() if shown.distance_m else 0.0)
    if not inches:
        return []
    far = farthest_m(inches, (shown.width, shown.height))
    distance = shown.distance_m or usual_m(inches)
    if distance <= far:
        return []
    return [
        f"display.distance_m: {distance:g} m is too far for a panel of {inches:.3g} inches: "
        f"its largest words can be read from {far:.2f} m; write {math.floor(100 * far) / 100:g} or "
        "less, or use a larger panel"
    ]


def _check_power(config: Config) -> list[str]:
    wired = config.panel.console
    missing = [name for name in config.power.buttons if name not in wired]
    if not missing or config.panel.backend == "keyboard":
        return []
    return [
        f"power.buttons: {', '.join(missing)} has no pin in [panel.console], so the machine could "
        "not be switched off by it; name its pin, or choose another button"
    ]
