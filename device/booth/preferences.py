"""What people set at the table, kept in a file over the config, and choose for the next game."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from device.config.model import Config, GameConfig
from device.files import read_json
from device.ports import Talk
from device.storage.atomic_file import write_whole
from display.drawing.theme import THEMES, Theme, theme_of
from display.i18n.languages import languages
from display.i18n.money import MoneyError, token_value
from engine.core.messages.message import stranger
from engine.core.options import describe, uses_ages
from engine.core.players import Player
from engine.games import catalog
from engine.games.base import Game

log = logging.getLogger(__name__)

FILE = "settings.json"

LARGEST_FILE = 10_000
"""Bytes: what can be set takes some two hundred."""

VOLUME_STEP = 10

PACES = (120, 150, 180, 220)
"""How fast the voice may speak, in words a minute."""

FASTEST = 450

TOKEN_VALUES = ("", "0.01", "0.05", "0.10", "0.20", "0.25", "0.50", "1", "2", "5", "10")
"""What a token may be worth in money, as far as the currency has such an amount."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What can be set at the table itself.

    Attributes:
        language: of all that is shown and said.
        theme: one of :data:`display.theme.THEMES`.
        four_colours: each suit in its own colour.
        volume: of chimes and voice, in per cent.
        mute: nothing is heard.
        voice: prompts and results are spoken.
        talk: how much the voice says, one of :class:`device.ports.Talk`.
        pace: how fast it speaks, in words a minute.
        less_motion: nothing glides or grows.
        teaching: chances are shown beside the prompts.
        token_value: what a token is worth in money; empty without.
    """

    language: str = "en"
    theme: str = "felt"
    four_colours: bool = False
    volume: int = 70
    mute: bool = False
    voice: bool = True
    talk: str = Talk.NORMAL.value
    pace: int = 175
    less_motion: bool = False
    teaching: bool = False
    token_value: str = ""

    @property
    def look(self) -> Theme:
        """Return the theme as it is drawn."""
        return theme_of(self.theme, four_colours=self.four_colours, calm=self.less_motion)

    def next_language(self, step: int = 1) -> Preferences:
        """Return a copy with the next language."""
        return replace(self, language=_next(languages(), self.language, step))

    def next_theme(self, step: int = 1) -> Preferences:
        """Return a copy with the next theme, and its suits."""
        theme = _next(tuple(THEMES), self.theme, step)
        return replace(self, theme=theme, four_colours=THEMES[theme].four_colours)

    def louder(self) -> Preferences:
        """Return a copy one step louder; after the loudest comes the softest."""
        step = self.volume // VOLUME_STEP * VOLUME_STEP + VOLUME_STEP
        return replace(self, volume=step if step <= 100 else VOLUME_STEP, mute=False)

    def next_talk(self) -> Preferences:
        """Return a copy with the next measure of talk."""
        return replace(self, talk=_next(tuple(each.value for each in Talk), self.talk, 1))

    def faster(self) -> Preferences:
        """Return a copy one step faster; after the fastest comes the slowest."""
        return replace(self, pace=next((pace for pace in PACES if pace > self.pace), PACES[0]))

    def next_token_value(self, currency: str, step: int = 1) -> Preferences:
        """Return a copy with the next value that a token may have in *currency*."""
        values = tuple(each for each in TOKEN_VALUES if not each or _is_value(each, currency))
        return replace(self, token_value=_next(values, self.token_value, step))


def _is_value(text: str, currency: str) -> bool:
    try:
        token_value(text, currency)
    except MoneyError:
        return False
    return True


def of_config(config: Config) -> Preferences:
    """Return what the config says."""
    shown, sound = config.display, config.sound
    return Preferences(
        language=shown.language,
        theme=shown.theme,
        four_colours=shown.has_four_colours,
        volume=sound.volume,
        mute=sound.mute,
        voice=sound.voice,
        talk=sound.talk,
        pace=sound.words_per_minute,
        less_motion=shown.less_motion,
        teaching=shown.teaching,
        token_value=config.game.token_value,
    )


def load(folder: Path, config: Config) -> Preferences:
    """Return what was set at the table last, and the config's values where nothing valid was.

    A damaged file is no reason not to play: it is ignored, and replaced when something is set.
    """
    start = of_config(config)
    try:
        kept = read_json(folder / FILE, LARGEST_FILE)
    except FileNotFoundError:
        return start
    except (OSError, ValueError) as problem:
        log.warning("%s: cannot be read (%s); set it again at the table", folder / FILE, problem)
        return start
    if not isinstance(kept, dict):
        return start
    wanted = {
        each.name: kept[each.name]
        for each in fields(start)
        if each.name in kept and _fits(each.name, kept[each.name], getattr(start, each.name))
    }
    if wanted.get("token_value") and not _is_value(wanted["token_value"], config.game.currency):
        del wanted["token_value"]  # the currency is another one now
    return replace(start, **wanted)


def save(folder: Path, preferences: Preferences) -> bool:
    """Keep *preferences*; return ``False`` where the disk refuses, which stops no game."""
    path = folder / FILE
    try:
        write_whole(path, f"{json.dumps(asdict(preferences), indent=2)}\n".encode())
    except OSError as problem:
        log.warning("%s: cannot be written (%s); check the disk", path, problem)
        return False
    return True


def forget(folder: Path) -> None:
    """Remove what was set, so that the config counts again; a disk that refuses stops no game."""
    try:
        (folder / FILE).unlink(missing_ok=True)
    except OSError as problem:
        log.warning("%s: cannot be removed (%s); check the disk", folder / FILE, problem)


def _fits(name: str, value: object, default: object) -> bool:
    if type(value) is not type(default):
        return False
    if name == "language":
        return value in languages()
    if name == "theme":
        return value in THEMES
    if name == "token_value":
        return value == default or value in TOKEN_VALUES
    if name == "talk":
        return value in list(Talk)
    if name == "pace":
        return isinstance(value, int) and PACES[0] <= value <= FASTEST
    return name != "volume" or (isinstance(value, int) and 0 <= value <= 100)


def _next(values: tuple[str, ...], value: str, step: int) -> str:
    at = values.index(value) if value in values else -step
    return values[(at + step) % len(values)]


@dataclass(slots=True)
class GameSetup:
    """What is chosen for the next game.

    Attributes:
        seated: seat to name, of the players.
        chosen: single options that differ from the preset.
        ages: seat to age, of those who told it.
        offered: seat to name, as the config proposes it to who sits down there.
        is_default: nobody has sat down by a button yet: the players are only proposed.
    """

    game: Game
    preset: str
    stake: int = 1
    seated: dict[int, str] = field(default_factory=dict)
    chosen: dict[str, object] = field(default_factory=dict)
    ages: dict[int, int] = field(default_factory=dict)
    offered: dict[int, str] = field(default_factory=dict)
    is_default: bool = True

    @property
    def options(self) -> Any:
        """Return the options of the preset, with the changes."""
        preset = catalog.find_preset(self.game, self.preset)
        return catalog.make_options(self.game, preset, self.changes)

    @property
    def has_stake(self) -> bool:
        """Return whether one stake is agreed for all."""
        return any(info.name == "stake" for info in describe(self.game.options_type))

    @property
    def changes(self) -> dict[str, object]:
        """Return what differs from the preset, and the stake."""
        return {**self.chosen, **({"stake": self.stake} if self.has_stake else {})}

    @property
    def players(self) -> list[Player]:
        """Return who plays, by seat, with their ages where these decide anything."""
        ages = self.ages if uses_ages(self.options) else {}
        return [Player(seat, name, ages.get(seat)) for seat, name in sorted(self.seated.items())]

    @property
    def lacks_ages(self) -> bool:
        """Return whether ages decide something and somebody has not told theirs."""
        return uses_ages(self.options) and not set(self.seated) <= set(self.ages)

    def use(self, preset: str) -> None:
        """Take the rules of *preset* as they are."""
        self.preset, self.chosen = preset, {}

    @property
    def most(self) -> int:
        """Return how many can play."""
        return int(self.options.max_players)


def default_setup(config: Config) -> GameSetup:
    """Return what *config* proposes to people who have not chosen yet."""
    said = config.game
    game, preset = catalog.choose(said.name, said.preset or None)
    changes = said.changes
    stake = changes.pop("stake", said.stake)
    names, ages = said.players[: config.booth.seats], said.ages
    for_strangers = config.booth.enabled and not config.booth.keep_settings
    if for_strangers or said.players == GameConfig().players:
        # Strangers get no names that are not theirs, nor ages.
        offered: dict[int, str] = {}
        names = tuple(stranger(number) for number, _name in enumerate(names, 1))
        ages = ()
    else:
        offered = dict(enumerate(names))
    seated = dict(enumerate(names))
    told = dict(zip(seated, ages, strict=False))
    return GameSetup(game, preset.name, stake, seated, changes, told, offered)
