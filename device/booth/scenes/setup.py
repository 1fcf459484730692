"""Before the first card: which game, who plays, for how much, after whose rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from device.booth.scenes.base import (
    Action,
    Back,
    Context,
    Open,
    ResumeGame,
    RulesScene,
    Scene,
    StartGame,
    choosing,
    preset_title,
)
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
from engine.core.players import name_key
from engine.games import catalog
from engine.games.base import Game

STAKES = (1, 2, 3, 5, 10)
LONGEST_NAME = 16
DEFAULT_NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester")
"""The name of a player who gives none, by seat."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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
    """Which game? One that was left comes last: newcomers want a new one."""

    def __init__(self, context: Context) -> None:
        """Mark the game played last, or the one that the config proposes."""
        super().__init__(context)
        self._games = catalog.all_games()
        self.focus = self._games.index(context.setup.game)

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return len(self._games) + (self.context.session is not None)

    def page(self) -> Page:
        """Return a tile for each game."""
        tiles = [
            GameTile(title_of(game), about(game), cards_of(game), bones_of(game))
            for game in self._games
        ]
        session = self.context.session
        if session is not None:
            # No names before strangers: who left it knows the game and the hand.
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

    def choose(self, number: int) -> Action | None:
        """Go on with the unfinished game, or ask who plays the one chosen."""
        if number == len(self._games):
            return ResumeGame()
        setup, game = self.context.setup, self._games[number]
        if setup.game is not game:
            setup.game, setup.preset = game, game.presets[0].name
        return Open(SeatsScene(self.context))


class SeatsScene(Scene):
    """Who plays? A press at a seat sits down; HAVE deals."""

    def __init__(self, context: Context) -> None:
        """Ask, with the players of the last game proposed."""
        super().__init__(context)
        self._is_warned = False

    @property
    def _keys(self) -> tuple[str, ...]:
        stake = ("stake",) if self.context.setup.has_stake else ()
        return ("deal", *stake, "rules", "names")

    @property
    def count(self) -> int:
        """How many keys and seats there are."""
        return len(self._keys) + self.context.seats

    @property
    def lamps(self) -> Lamps:
        """The lamps of those who have sat down."""
        return Lamps(attention=True, lit=tuple(self.context.setup.seated))

    def page(self) -> Page:
        """Return the table with its seats."""
        setup = self.context.setup
        seated = setup.seated
        players = plural("{n} player", "{n} players", len(seated)).format(n=len(seated))
        values = {
            "deal": Choice(_("Deal"), players, loud=True),
            "stake": Choice(
                _("Stake"),
                plural("{n} token", "{n} tokens", setup.stake).format(n=setup.stake),
            ),
            "rules": Choice(_("Rules"), preset_title(setup.preset)),
            "names": Choice(_("Names"), _first_of(seated)),
        }
        return SeatsPage(
            title=_("Who plays?"),
            note=self.refused or _("Press the button at your seat, or touch it; then deal."),
            warning=bool(self.refused),
            hints=choosing(),
            focus=self.focus,
            seats=tuple(
                SeatPlate(seat, seated.get(seat, ""), proposed=setup.is_default)
                for seat in range(self.context.seats)
            ),
            middle=(title_of(setup.game), preset_title(setup.preset)),
            free=_("free"),
            choices=tuple(values[key] for key in self._keys),
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE at a seat sits down there, STICK gets up."""
        if press.seat is None:
            return self._deal() if press.button is Button.NEXT else super().press(press)
        self.refused = ""
        if press.button is Button.HAVE:
            self._sit(press.seat)
        elif press.button is Button.STICK:
            self._get_up(press.seat)
        return None

    def choose(self, number: int) -> Action | None:
        """Do what the key says, or sit down and get up."""
        self.refused = ""
        setup = self.context.setup
        if number >= len(self._keys):
            seat = number - len(self._keys)
            if seat in setup.seated and not setup.is_default:
                self._get_up(seat)
            else:
                self._sit(seat)
            return None
        key = self._keys[number]
        if key == "deal":
            return self._deal()
        if key == "rules":
            return Open(PresetsScene(self.context))
        if key == "stake":
            at = STAKES.index(setup.stake) if setup.stake in STAKES else -1
            setup.stake = STAKES[(at + 1) % len(STAKES)]
        elif setup.seated:
            return Open(NamesScene(self.context))
        else:
            self.refused = _more_must_come(setup.game.min_players)
        return None

    def _sit(self, seat: int) -> None:
        setup = self.context.setup
        if not 0 <= seat < self.context.seats:
            return
        if setup.is_default:
            # The players were only proposed: now people come themselves.
            setup.seated = {one: name for one, name in setup.seated.items() if one == seat}
            setup.is_default = False
        setup.seated.setdefault(seat, default_name(seat, setup.seated))
        setup.seated = dict(sorted(setup.seated.items()))

    def _get_up(self, seat: int) -> None:
        self.context.setup.is_default = False
        self.context.setup.seated.pop(seat, None)

    def _deal(self) -> Action | None:
        setup = self.context.setup
        if len(setup.seated) < setup.game.min_players:
            self.refused = _more_must_come(setup.game.min_players)
        elif len(setup.seated) > setup.most:
            self.refused = _("At most {n} can play by these rules.").format(n=setup.most)
        elif self.context.leftovers and not self._is_warned:
            # Asked only once: people know better than the camera that the mat is clear.
            self._is_warned = True
            self.refused = plural(
                "Clear the mat: {n} card or bone lies there. Deal again: play all the same.",
                "Clear the mat: {n} cards or bones lie there. Deal again: play all the same.",
                self.context.leftovers,
            ).format(n=self.context.leftovers)
        else:
            return StartGame(setup)
        return None


class PresetsScene(Scene):
    """Whose rules? HAVE takes them, NEXT shows them."""

    def __init__(self, context: Context) -> None:
        """Mark those that are set."""
        super().__init__(context)
        self._presets = context.setup.game.presets
        known = [preset.name for preset in self._presets]
        self.focus = known.index(context.setup.preset)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._presets)

    def page(self) -> Page:
        """Return them with their sources."""
        return ListPage(
            title=_("Whose rules?"),
            note=title_of(self.context.setup.game),
            hints=(*choosing(), KeyHint("next", _("read them"))),
            focus=self.focus,
            items=tuple(
                Item(preset_title(preset.name), detail=preset.source) for preset in self._presets
            ),
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT shows the rules that are marked."""
        if press.button is not Button.NEXT:
            return super().press(press)
        game, preset = self.context.setup.game, self._presets[self.focus]
        options = catalog.make_options(game, preset, {})
        return Open(RulesScene(self.context, game.name, preset.name, options))

    def choose(self, number: int) -> Action | None:
        """Use them."""
        self.context.setup.preset = self._presets[number].name
        return Back()


class NamesScene(Scene):
    """Whose name is to be changed?"""

    @property
    def count(self) -> int:
        """How many have sat down."""
        return len(self.context.setup.seated)

    def page(self) -> Page:
        """Return who sits where."""
        rows = tuple(
            Item(name, _("Seat {number}").format(number=seat + 1))
            for seat, name in self.context.setup.seated.items()
        )
        return ListPage(
            title=_("Names"),
            note=_("Nobody needs one; choose yours to change it."),
            hints=choosing(),
            focus=min(self.focus, max(0, len(rows) - 1)),
            items=rows,
        )

    def choose(self, number: int) -> Action | None:
        """Ask for that name."""
        seat = list(self.context.setup.seated)[number]
        return Open(LettersScene(self.context, seat))


class LettersScene(Scene):
    """A name, letter by letter."""

    def __init__(self, context: Context, seat: int) -> None:
        """Ask for the name of *seat*."""
        super().__init__(context)
        self._seat = seat
        self._name = ""

    @property
    def _keys(self) -> tuple[str, ...]:
        more = language_of(current_language()).letters
        return (*_LETTERS, *more, "-", "'", _("space"), _("delete"), _("done"))

    @property
    def count(self) -> int:
        """How many keys there are."""
        return len(self._keys)

    def page(self) -> Page:
        """Return the name so far, and the letters."""
        return LettersPage(
            title=_("A name for seat {n}").format(n=self._seat + 1),
            note=self.refused or _("NEXT: done."),
            warning=bool(self.refused),
            hints=choosing(),
            focus=self.focus,
            name=self._name or self.context.setup.seated.get(self._seat, ""),
            keys=self._keys,
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT takes the name, UNDO deletes a letter."""
        if press.button is Button.NEXT:
            return self._done()
        if press.button is Button.UNDO and self._name:
            self.refused = ""
            self._name = self._name[:-1].rstrip()
            return None
        return super().press(press)

    def choose(self, number: int) -> Action | None:
        """Add a letter, delete the last one, or finish."""
        self.refused = ""
        left = self.count - number
        if left == 1:
            return self._done()
        if left == 2:
            self._name = self._name[:-1].rstrip()
        elif len(self._name) < LONGEST_NAME:
            letter = " " if left == 3 else self._keys[number]
            self._name = f"{self._name}{letter}".title() if self._name or letter != " " else ""
        return None

    def _done(self) -> Action | None:
        """Use the name, unless another player has it: then it can be changed."""
        name, seated = self._name.strip(" -'"), self.context.setup.seated
        others = {name_key(other): other for seat, other in seated.items() if seat != self._seat}
        if name_key(name) in others:
            short = name[: LONGEST_NAME - 2].rstrip()
            free = (f"{short} {letter}" for letter in _LETTERS[1:])
            self.refused = _("{name} plays already: choose another name, such as {other}.").format(
                name=others[name_key(name)],
                other=next(each for each in free if name_key(each) not in others),
            )
            return None
        if name:
            seated[self._seat] = name
        return Back()


def default_name(seat: int, seated: Mapping[int, str]) -> str:
    """Return a name for the player at *seat* who gives none; nobody in *seated* has it."""
    taken = {name_key(name) for name in seated.values()}
    turned = deque(DEFAULT_NAMES)
    turned.rotate(-seat)
    return next((name for name in turned if name_key(name) not in taken), f"{turned[0]} {seat + 1}")


def _more_must_come(needed: int) -> str:
    """Return the sentence that too few have sat down, and how to."""
    return plural(
        "{n} player must sit down: press the button at a seat, or touch it.",
        "{n} players must sit down: press the button at another seat, or touch it.",
        needed,
    ).format(n=needed)


def _first_of(seated: Mapping[int, str]) -> str:
    """Return the first name, and whether there are more."""
    first = next(iter(seated.values()), "")
    return f"{first} …" if len(seated) > 1 else first
