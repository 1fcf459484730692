"""Before the first card: which game, who plays, for how much, after whose rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from device.booth.scenes.base import Host, RulesScene, Scene, choosing, preset_title
from device.config.model import Config
from device.ports import Button, Lamps, Press
from display.controls import KeyHint
from display.i18n.languages import language_of
from display.i18n.translate import _, current_language, plural
from display.pages.base import Page
from display.pages.games import GamesPage, GameTile
from display.pages.keyboard import LettersPage
from display.pages.list import Item, ListPage
from display.pages.seats import Choice, SeatPlate, SeatsPage
from display.pages.welcome import WelcomePage
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.options import describe
from engine.core.players import name_key
from engine.games import catalog
from engine.games.base import Game

STAKES = (1, 2, 3, 5, 10)
LONGEST_NAME = 16
HOUSE_NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester")
"""Whoever gives no name has one of these, by seat."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(slots=True)
class GameSetup:
    """What is chosen for the next game.

    Attributes:
        seated: seat to name, of who plays.
        is_default: nobody has sat down by a button yet: the company is only proposed.
    """

    game: Game
    preset: str
    stake: int = 1
    seated: dict[int, str] = field(default_factory=dict)
    is_default: bool = True

    @property
    def options(self) -> Any:
        """Return the options of the preset."""
        preset = catalog.find_preset(self.game, self.preset)
        return catalog.make_options(self.game, preset, self.changes)

    @property
    def has_stake(self) -> bool:
        """Say whether one stake is agreed for all."""
        return any(info.name == "stake" for info in describe(self.game.options_type))

    @property
    def changes(self) -> dict[str, object]:
        """Return what is laid over the preset."""
        return {"stake": self.stake} if self.has_stake else {}

    @property
    def most(self) -> int:
        """Return how many can play."""
        return int(self.options.max_players)


class StartHost(Host, Protocol):
    """What these scenes may ask of the booth besides."""

    @property
    def chairs(self) -> int:
        """Return how many seats the table has."""
        ...

    @property
    def agreed(self) -> GameSetup:
        """Return what was chosen last."""
        ...

    @property
    def count_leftovers(self) -> int:
        """Return how many cards and bones lay on the mat when it was last looked at."""
        ...

    def begin(self, agreed: GameSetup) -> str:
        """Sit down to the game; return why not, or nothing."""
        ...

    def resume(self) -> None:
        """Go on with the game that was left."""
        ...


def title_of(game: Game) -> str:
    """Return the name of *game*; where two have the same in this language, with its own as well.

    One-and-Thirty and Thirty-one are one word in most languages.
    """
    title = _(game.title)
    alike = any(_(other.title) == title for other in catalog.all_games() if other is not game)
    # Of the two it is the later game that is known by another name as well: Scat.
    return f"{title} ({game.name.title()})" if alike and "-" not in game.name else title


def about(game: Game) -> str:
    """Return what *game* is about, in a few words."""
    if game.about:
        return _(game.about)
    pages = game.rules(catalog.make_options(game, game.presets[0], {}))
    return _(pages[0].rules[0].text).format(**pages[0].rules[0].values) if pages else ""


def cards_of(game: Game) -> tuple[Card | None, ...]:
    """Return the cards on the tile of *game*."""
    codes = () if game.with_bones else game.emblem
    return tuple(None if code is None else Card.parse(code) for code in codes)


def bones_of(game: Game) -> tuple[Face, ...]:
    """Return the bones on the tile of *game*, where it is played with bones."""
    return tuple(Face) if game.with_bones else ()


def proposed(config: Config) -> GameSetup:
    """Return what *config* proposes to people who have not chosen yet."""
    said = config.game
    game = catalog.find(said.name)
    preset = catalog.find_preset(game, said.preset or None).name
    return GameSetup(game, preset, said.stake, dict(enumerate(said.players[: config.booth.seats])))


def welcome(game: Game) -> WelcomePage:
    """Return the screen that waits for people, with the name of *game*."""
    return WelcomePage(
        title=title_of(game),
        note=about(game),
        invitation=_("Press any button to play"),
        cards=cards_of(game),
        bones=bones_of(game),
    )


class GamesScene(Scene):
    """Which game? One that was left comes last: who has just come wants a new one."""

    host: StartHost

    def __init__(self, host: StartHost) -> None:
        """Mark the game played last, or the one that the config proposes."""
        super().__init__(host)
        self._games = catalog.all_games()
        self.focus = self._games.index(host.agreed.game)

    @property
    def count(self) -> int:
        """Return how many tiles there are."""
        return len(self._games) + (self.host.session is not None)

    def page(self) -> Page:
        """Return a tile for each game."""
        tiles = [
            GameTile(title_of(game), about(game), cards_of(game), bones_of(game))
            for game in self._games
        ]
        session = self.host.session
        if session is not None:
            # By name nobody is called before others: whoever left it knows the game and the hand.
            game = catalog.find(session.view.game)
            text = _("{game}, hand {n}: the game that was left.").format(
                game=title_of(game), n=session.view.hand_number
            )
            tiles.append(GameTile(_("Go on"), text, cards_of(game), bones_of(game), is_open=True))
        return GamesPage(
            title=_("Which game?"),
            note=_("Turn the knob, or touch a game."),
            hints=choosing(),
            focus=self.focus,
            tiles=tuple(tiles),
        )

    def choose(self, number: int) -> None:
        """Go on with the unfinished game, or ask who plays the one chosen."""
        if number == len(self._games):
            self.host.resume()
            return
        agreed, game = self.host.agreed, self._games[number]
        if agreed.game is not game:
            agreed.game, agreed.preset = game, game.presets[0].name
        self.host.open(SeatsScene(self.host))


class SeatsScene(Scene):
    """Who plays? Whoever presses his own button sits down; HAVE deals."""

    host: StartHost

    def __init__(self, host: StartHost) -> None:
        """Ask, with the company of the last game proposed."""
        super().__init__(host)
        self._refused = ""
        self._is_warned = False

    @property
    def _keys(self) -> tuple[str, ...]:
        stake = ("stake",) if self.host.agreed.has_stake else ()
        return ("deal", *stake, "rules", "names")

    @property
    def count(self) -> int:
        """Return how many keys and seats there are."""
        return len(self._keys) + self.host.chairs

    @property
    def lamps(self) -> Lamps:
        """Return the lamps of who has sat down."""
        return Lamps(attention=True, lit=tuple(self.host.agreed.seated))

    def page(self) -> Page:
        """Return the table with its seats."""
        agreed = self.host.agreed
        seated = agreed.seated
        players = plural("{n} player", "{n} players", len(seated)).format(n=len(seated))
        values = {
            "deal": Choice(_("Deal"), players, loud=True),
            "stake": Choice(
                _("Stake"),
                plural("{n} token", "{n} tokens", agreed.stake).format(n=agreed.stake),
            ),
            "rules": Choice(_("Rules"), preset_title(agreed.preset)),
            "names": Choice(_("Names"), _first_of(seated)),
        }
        return SeatsPage(
            title=_("Who plays?"),
            note=self._refused or _("Press the button at your seat, or touch it; then deal."),
            warning=bool(self._refused),
            hints=choosing(),
            focus=self.focus,
            seats=tuple(
                SeatPlate(seat, seated.get(seat, ""), proposed=agreed.is_default)
                for seat in range(self.host.chairs)
            ),
            middle=(title_of(agreed.game), preset_title(agreed.preset)),
            free=_("free"),
            choices=tuple(values[key] for key in self._keys),
        )

    def press(self, press: Press) -> None:
        """Let whoever presses his own button sit down (HAVE) or get up (STICK)."""
        if press.seat is None:
            if press.button is Button.NEXT:
                self._deal()
            else:
                super().press(press)
            return
        self._refused = ""
        if press.button is Button.HAVE:
            self._sit(press.seat)
        elif press.button is Button.STICK:
            self._get_up(press.seat)

    def choose(self, number: int) -> None:
        """Do what the key says, or sit down and get up."""
        self._refused = ""
        agreed = self.host.agreed
        if number >= len(self._keys):
            seat = number - len(self._keys)
            if seat in agreed.seated and not agreed.is_default:
                self._get_up(seat)
            else:
                self._sit(seat)
            return
        key = self._keys[number]
        if key == "deal":
            self._deal()
        elif key == "stake":
            at = STAKES.index(agreed.stake) if agreed.stake in STAKES else -1
            agreed.stake = STAKES[(at + 1) % len(STAKES)]
        elif key == "rules":
            self.host.open(PresetsScene(self.host))
        elif not agreed.seated:
            self._refused = _more_must_come(agreed.game.min_players)
        else:
            self.host.open(NamesScene(self.host))

    def _sit(self, seat: int) -> None:
        agreed = self.host.agreed
        if not 0 <= seat < self.host.chairs:
            return
        if agreed.is_default:
            # The company was only proposed: now people come themselves.
            agreed.seated = {one: name for one, name in agreed.seated.items() if one == seat}
            agreed.is_default = False
        agreed.seated.setdefault(seat, house_name(seat, agreed.seated))
        agreed.seated = dict(sorted(agreed.seated.items()))

    def _get_up(self, seat: int) -> None:
        self.host.agreed.is_default = False
        self.host.agreed.seated.pop(seat, None)

    def _deal(self) -> None:
        agreed = self.host.agreed
        if len(agreed.seated) < agreed.game.min_players:
            self._refused = _more_must_come(agreed.game.min_players)
        elif len(agreed.seated) > agreed.most:
            self._refused = _("At most {n} can play by these rules.").format(n=agreed.most)
        elif self.host.count_leftovers and not self._is_warned:
            # Asked twice: people know better than the eye that the mat is clear.
            self._is_warned = True
            self._refused = plural(
                "Clear the mat: {n} card or bone lies there. Deal again: play all the same.",
                "Clear the mat: {n} cards or bones lie there. Deal again: play all the same.",
                self.host.count_leftovers,
            ).format(n=self.host.count_leftovers)
        else:
            self._refused = self.host.begin(agreed)


class PresetsScene(Scene):
    """Whose rules? HAVE takes them, NEXT shows them."""

    host: StartHost

    def __init__(self, host: StartHost) -> None:
        """Mark those that are agreed."""
        super().__init__(host)
        self._presets = host.agreed.game.presets
        known = [preset.name for preset in self._presets]
        self.focus = known.index(host.agreed.preset)

    @property
    def count(self) -> int:
        """Return how many there are."""
        return len(self._presets)

    def page(self) -> Page:
        """Return them with their sources."""
        return ListPage(
            title=_("Whose rules?"),
            note=title_of(self.host.agreed.game),
            hints=(*choosing(), KeyHint("next", _("read them"))),
            focus=self.focus,
            items=tuple(
                Item(preset_title(preset.name), detail=preset.source) for preset in self._presets
            ),
        )

    def press(self, press: Press) -> None:
        """Show the rules marked, where NEXT is pressed."""
        if press.button is not Button.NEXT:
            super().press(press)
            return
        game, preset = self.host.agreed.game, self._presets[self.focus]
        options = catalog.make_options(game, preset, {})
        self.host.open(RulesScene(self.host, game.name, preset.name, options))

    def choose(self, number: int) -> None:
        """Agree on them."""
        self.host.agreed.preset = self._presets[number].name
        self.host.back()


class NamesScene(Scene):
    """Whose name is to be changed?"""

    host: StartHost

    @property
    def count(self) -> int:
        """Return how many have sat down."""
        return len(self.host.agreed.seated)

    def page(self) -> Page:
        """Return who sits where."""
        rows = tuple(
            Item(name, _("Seat {number}").format(number=seat + 1))
            for seat, name in self.host.agreed.seated.items()
        )
        return ListPage(
            title=_("Names"),
            note=_("Nobody needs one; choose yours to change it."),
            hints=choosing(),
            focus=min(self.focus, max(0, len(rows) - 1)),
            items=rows,
        )

    def choose(self, number: int) -> None:
        """Write that name."""
        seat = list(self.host.agreed.seated)[number]
        self.host.open(LettersScene(self.host, seat))


class LettersScene(Scene):
    """A name, letter by letter."""

    host: StartHost

    def __init__(self, host: StartHost, seat: int) -> None:
        """Write the name of *seat*, from the beginning."""
        super().__init__(host)
        self._seat = seat
        self._name = ""
        self._refused = ""

    @property
    def _keys(self) -> tuple[str, ...]:
        more = language_of(current_language()).letters
        return (*_LETTERS, *more, "-", "'", _("space"), _("delete"), _("done"))

    @property
    def count(self) -> int:
        """Return how many keys there are."""
        return len(self._keys)

    def page(self) -> Page:
        """Return the name so far, and the letters."""
        return LettersPage(
            title=_("A name for seat {n}").format(n=self._seat + 1),
            note=self._refused or _("NEXT: done."),
            warning=bool(self._refused),
            hints=choosing(),
            focus=self.focus,
            name=self._name or self.host.agreed.seated.get(self._seat, ""),
            keys=self._keys,
        )

    def press(self, press: Press) -> None:
        """Take the name as it is, where NEXT is pressed."""
        if press.button is Button.NEXT:
            self._done()
        elif press.button is Button.UNDO and self._name:
            self._refused = ""
            self._name = self._name[:-1].rstrip()
        else:
            super().press(press)

    def choose(self, number: int) -> None:
        """Add a letter, or take the last one away, or be done."""
        self._refused = ""
        left = self.count - number
        if left == 1:
            self._done()
        elif left == 2:
            self._name = self._name[:-1].rstrip()
        elif len(self._name) < LONGEST_NAME:
            letter = " " if left == 3 else self._keys[number]
            self._name = f"{self._name}{letter}".title() if self._name or letter != " " else ""

    def _done(self) -> None:
        """Take the name, unless another player has it: then it can be changed."""
        name, seated = self._name.strip(" -'"), self.host.agreed.seated
        others = {name_key(other): other for seat, other in seated.items() if seat != self._seat}
        if name_key(name) in others:
            short = name[: LONGEST_NAME - 2].rstrip()
            free = (f"{short} {letter}" for letter in _LETTERS[1:])
            self._refused = _("{name} plays already: choose another name, such as {other}.").format(
                name=others[name_key(name)],
                other=next(each for each in free if name_key(each) not in others),
            )
            return
        if name:
            seated[self._seat] = name
        self.host.back()


def house_name(seat: int, seated: Mapping[int, str]) -> str:
    """Return the name of whoever gives none at *seat*: none that somebody has already."""
    taken = {name_key(name) for name in seated.values()}
    turned = deque(HOUSE_NAMES)
    turned.rotate(-seat)
    return next((name for name in turned if name_key(name) not in taken), f"{turned[0]} {seat + 1}")


def _more_must_come(needed: int) -> str:
    """Say that too few have sat down, and how one does."""
    return plural(
        "{n} player must sit down: press the button at a seat, or touch it.",
        "{n} players must sit down: press the button at another seat, or touch it.",
        needed,
    ).format(n=needed)


def _first_of(seated: Mapping[int, str]) -> str:
    """Return the first name, and whether there are more."""
    first = next(iter(seated.values()), "")
    return f"{first} …" if len(seated) > 1 else first
