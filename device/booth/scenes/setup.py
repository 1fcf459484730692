"""Before the first card: which game, who plays, for how much, after whose rules."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import replace
from functools import partial
from itertools import chain, count

from device.booth.presets import preset_title
from device.booth.scenes.base import (
    Action,
    ChoiceScene,
    Context,
    Do,
    ListScene,
    Open,
    Scene,
    Then,
    choosing,
    follow,
    rules_title,
)
from device.booth.scenes.rules import RulesScene
from device.config.checks import OLDEST
from device.ports import Button, Lamps, Press
from display.i18n.languages import language_of
from display.i18n.translate import Translator
from display.pages.base import Page
from display.pages.games import GamesPage, GameTile
from display.pages.list import SPACE, Item, LettersPage
from display.pages.rules import rule_words
from display.pages.seats import Choice, SeatPlate, SeatsPage
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.message import Distinct, Joined, Message, Value, stranger
from engine.core.messages.prompt import KeyHint
from engine.core.options import uses_ages
from engine.core.players import name_key
from engine.core.text.rules_page import Rule
from engine.games import catalog
from engine.games.agreed import Agreement, agreements
from engine.games.base import Game
from engine.games.sources import first_named

STAKES = (1, 2, 3, 5, 10)
LONGEST_NAME = 16
MOST_NAMES = 4
"""Other names of a game that its tile tells."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def title_of(game: Game) -> Value:
    """Return the name of *game*; in languages in which two have the same, with its own as well.

    One-and-Thirty and Thirty-one are one word in most languages.
    """
    title = Message(game.title)
    if "-" in game.name:
        return title
    # Of the two it is the later game that is known by another name as well: Scat.
    others = tuple(Message(other.title) for other in catalog.all_games() if other is not game)
    return Distinct(title, others, game.name.title())


def about(game: Game) -> Value:
    """Return what *game* is about, in a few words."""
    if game.about:
        return Message(game.about)
    pages = game.rules(catalog.make_options(game, game.presets[0], {}))
    return rule_words(pages[0].rules[0]) if pages else ""


def tile_of(game: Game, language: str) -> GameTile:
    """Return the tile of *game*, with its cards, or its bones where it is played with bones.

    What else it is called does not repeat its name in *language*.
    """
    cards = tuple(None if code is None else Card.parse(code) for code in game.emblem)
    if game.with_bones:
        return GameTile(title_of(game), about(game), bones=tuple(Face))
    # In a title one of them may stand in brackets: "Thirty-one (Scat)".
    title = Translator.of(language).render(title_of(game)).lower()
    others = [name for name in game.aliases if name.lower() not in title]
    also = Message("Also called: {names}", names=", ".join(others[:MOST_NAMES])) if others else ""
    return GameTile(title_of(game), about(game), cards, also=also)


def player_count(seated: Sized) -> Message:
    """Return how many have sat down."""
    return Message("{n} player", "{n} players", len(seated), n=len(seated))


class GamesScene(ChoiceScene[GameTile]):
    """Which game? One that was left comes first, unmarked: newcomers want a new one."""

    kind = GamesPage
    title = Message("Which game?")
    note = Message("Turn the knob, or touch a game.")

    def __init__(self, context: Context) -> None:
        """Mark the game played last, or the one that the config proposes."""
        super().__init__(context)
        self.focus = catalog.all_games().index(context.setup.game) + (context.session is not None)

    def rows(self) -> Sequence[tuple[GameTile, Then]]:
        """Return a tile for each game."""
        setup, language = self.context.setup, self.context.preferences.language
        tiles: list[tuple[GameTile, Then]] = [
            (tile_of(game, language), partial(self._set_up, game)) for game in catalog.all_games()
        ]
        if setup.chosen:
            # What is agreed already stands on the tile: newcomers know what they choose.
            at = catalog.all_games().index(setup.game)
            text = rules_title(setup.game, setup.preset, setup.options)
            tiles[at] = (replace(tiles[at][0], text=text), tiles[at][1])
        count = self.context.count
        if count is not None:
            text = Message("Throw bones or lay cards: the table counts.")
            tile = GameTile(Message("Count"), text, bones=tuple(Face))
            tiles.append((tile, lambda: Open(count())))
        session = self.context.session
        if session is not None:
            # No names before strangers: who left it knows the game and the hand.
            game, hand = catalog.find(session.view.game), session.view.hand_number
            text = Message("{game}, hand {n}: the game that was left.", game=title_of(game), n=hand)
            left = replace(tile_of(game, language), title=Message("Go on"), text=text, is_open=True)
            tiles.insert(0, (left, Do.RESUME))
        return tiles

    def _set_up(self, game: Game) -> Action:
        setup = self.context.setup
        if setup.game is not game:
            setup.game = game
            setup.use(game.presets[0].name)
        return Open(SeatsScene(self.context))


class TableScene(Scene):
    """The table with its seats, and keys below it, the first of which NEXT presses as well."""

    @property
    @abstractmethod
    def seated(self) -> dict[int, str]:
        """Seat to name, of the players."""

    @property
    def is_proposed(self) -> bool:
        """Whether nobody has sat down yet: the players are only proposed."""
        return False

    @abstractmethod
    def choices(self) -> Sequence[tuple[Choice, Then]]:
        """Return the keys, each with what follows."""

    @abstractmethod
    def sit(self, seat: int) -> Action | None:
        """Handle that somebody sits down at *seat*."""

    @abstractmethod
    def get_up(self, seat: int) -> Action | None:
        """Handle that somebody gets up from *seat*."""

    @property
    def count(self) -> int:
        """How many keys and seats there are."""
        return len(self.choices()) + self.context.seats

    @property
    def lamps(self) -> Lamps:
        """The lamps of the players."""
        return Lamps(attention=True, lit=tuple(self.seated))

    def table_page(
        self, title: Message, note: Message, hints: tuple[KeyHint, ...], middle: tuple[Value, ...]
    ) -> Page:
        """Return the table with its seats, and *middle* in the middle of it."""
        return SeatsPage(
            title=title,
            note=self.refused or note,
            warning=bool(self.refused),
            hints=hints,
            focus=self.focus,
            seats=tuple(
                SeatPlate(seat, self.seated.get(seat, ""), proposed=self.is_proposed)
                for seat in range(self.context.seats)
            ),
            middle=middle,
            free=Message("free"),
            choices=tuple(choice for choice, _then in self.choices()),
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE at a seat sits down there, STICK gets up."""
        if press.seat is None and press.button is Button.NEXT:
            return follow(self.choices()[0][1])
        if press.seat is None:
            return super().press(press)
        if press.button is Button.HAVE:
            return self.sit(press.seat)
        return self.get_up(press.seat) if press.button is Button.STICK else None

    def choose(self, number: int) -> Action | None:
        """Do what the key says, or sit down and get up."""
        choices = self.choices()
        if number < len(choices):
            return follow(choices[number][1])
        seat = number - len(choices)
        is_taken = seat in self.seated and not self.is_proposed
        return self.get_up(seat) if is_taken else self.sit(seat)


class SeatsScene(TableScene):
    """Who plays? A press at a seat sits down; HAVE deals.

    Attributes:
        waits_for_mat: Deal was pressed last, and what lies on the mat is to be cleared away first.
    """

    waits_for_mat = False
    _is_warned = False
    _are_ages_asked = False

    @property
    def seated(self) -> dict[int, str]:
        """Who has sat down, or is proposed."""
        return self.context.setup.seated

    @property
    def is_proposed(self) -> bool:
        """Whether nobody has sat down yet."""
        return self.context.setup.is_default

    def page(self) -> Page:
        """Return the table of the game that is set up."""
        setup = self.context.setup
        note = Message("Press the button at your seat, or touch it; then deal.")
        middle = (title_of(setup.game), rules_title(setup.game, setup.preset, setup.options))
        return self.table_page(Message("Who plays?"), note, choosing(), middle)

    def choices(self) -> Sequence[tuple[Choice, Then]]:
        """Return what is to be agreed, and the deal."""
        setup, context = self.context.setup, self.context
        stake = Message("{n} token", "{n} tokens", setup.stake, n=setup.stake)
        deal = Choice(Message("Deal"), player_count(setup.seated), loud=True)
        rules = Choice(Message("Rules"), preset_title(setup.preset))
        return (
            (deal, self._deal),
            *([(Choice(Message("Stake"), stake), self._raise)] if setup.has_stake else []),
            (rules, lambda: Open(PresetsScene(context))),
            (Choice(Message("Names"), _first_of(setup.seated)), self._ask_names),
            (Choice(Message("Options"), self._differs), lambda: Open(OptionsScene(context))),
            *([(Choice(Message("Ages"), self._ages), self._ask_ages)] if self._needs_ages else []),
        )

    @property
    def _differs(self) -> Value:
        n = len(self.context.setup.chosen)
        return Message("{n} changed", "{n} changed", n, n=n) if n else ""

    @property
    def _needs_ages(self) -> bool:
        return bool(self.seated) and uses_ages(self.context.setup.options)

    @property
    def _ages(self) -> Value:
        return Message("asked for") if self.context.setup.lacks_ages else ""

    def _ask_ages(self) -> Action:
        self._are_ages_asked = True
        return Open(AgesScene(self.context))

    def press(self, press: Press) -> Action | None:
        """Handle a press; at a seat it answers what was refused."""
        self.waits_for_mat = False
        if press.seat is not None:
            self.refused = ""
        return super().press(press)

    def choose(self, number: int) -> Action | None:
        """Do what the key says, or sit down and get up."""
        self.refused = ""
        return super().choose(number)

    def sit(self, seat: int) -> Action | None:
        """Seat a player who gives no name."""
        setup = self.context.setup
        if 0 <= seat < self.context.seats:
            if setup.is_default:
                # The players were only proposed: now people come themselves.
                setup.seated = {one: name for one, name in setup.seated.items() if one == seat}
                setup.ages = {}
                setup.is_default = False
            name = default_name(seat, setup.seated, setup.offered.get(seat))
            setup.seated.setdefault(seat, name)
            setup.seated = dict(sorted(setup.seated.items()))
        return None

    def get_up(self, seat: int) -> Action | None:
        """Free *seat*."""
        self.context.setup.is_default = False
        self.context.setup.seated.pop(seat, None)
        self.context.setup.ages.pop(seat, None)
        return None

    def _raise(self) -> None:
        setup = self.context.setup
        at = STAKES.index(setup.stake) if setup.stake in STAKES else -1
        setup.stake = STAKES[(at + 1) % len(STAKES)]

    def _ask_names(self) -> Action | None:
        if self.seated:
            return Open(NamesScene(self.context))
        self.refused = _more_must_come(self.context.setup.game.min_players)
        return None

    def _deal(self) -> Action | None:
        setup, lying = self.context.setup, self.context.leftovers
        if len(setup.seated) < setup.game.min_players:
            self.refused = _more_must_come(setup.game.min_players)
        elif len(setup.seated) > setup.most:
            self.refused = Message("At most {n} can play by these rules.", n=setup.most)
        elif setup.lacks_ages and not self._are_ages_asked:
            # Asked only once: who does not want to tell need not.
            return self._ask_ages()
        elif lying and not self._is_warned:
            # Asked only once: people know better than the camera that the mat is clear.
            self._is_warned = self.waits_for_mat = True
            self.refused = Message(
                "Clear the mat: {n} card or bone lies there. Deal again: play all the same.",
                "Clear the mat: {n} cards or bones lie there. Deal again: play all the same.",
                lying,
                n=lying,
            )
        else:
            return Do.START
        return None


class PresetsScene(ListScene):
    """Whose rules? HAVE takes them, NEXT shows them."""

    title = Message("Whose rules?")
    hints = (*choosing(), KeyHint("next", Message("read them")))

    def __init__(self, context: Context) -> None:
        """Mark those that are set."""
        super().__init__(context)
        game = context.setup.game
        self.note, self._presets = title_of(game), game.presets
        self.focus = [preset.name for preset in game.presets].index(context.setup.preset)

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return them, each with what is particular about it; the rules name its source."""
        return [
            (
                Item(
                    preset_title(each.name),
                    detail=Message(each.tells or first_named(each.source)),
                ),
                partial(self._use, each.name),
            )
            for each in self._presets
        ]

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT shows the rules that are marked."""
        if press.button is not Button.NEXT:
            return super().press(press)
        game, preset = self.context.setup.game, self._presets[self.focus]
        options = catalog.make_options(game, preset, {})
        return Open(RulesScene(self.context, game.name, preset.name, options))

    def _use(self, preset: str) -> Action:
        self.context.setup.use(preset)
        return Do.BACK


class OptionsScene(ListScene):
    """Every rule that can be agreed otherwise, as it stands; HAVE shows the other ways."""

    title = Message("What is agreed?")
    hints = (*choosing(), KeyHint("next", Message("done")))

    def __init__(self, context: Context) -> None:
        """Show the options that decide something."""
        super().__init__(context)
        self._found: tuple[Agreement, ...] = ()
        self._shown: dict[str, object] | None = None

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return each with the rule that it makes; what is changed is marked."""
        setup = self.context.setup
        title = rules_title(setup.game, setup.preset, setup.options)
        self.note = Joined((title_of(setup.game), title), " · ")
        if self._shown != setup.chosen:
            preset = catalog.find_preset(setup.game, setup.preset)
            self._found = agreements(setup.game, preset, setup.changes)
            self._shown = dict(setup.chosen)
        rows: list[tuple[Item, Then]] = [
            (_told(each), partial(self._ask, each)) for each in self._found
        ]
        if setup.chosen:
            back = Message("All as {preset} has it", preset=preset_title(setup.preset))
            rows.append((Item(back), setup.chosen.clear))
        return rows

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT goes back to the table."""
        return Do.BACK if press.button is Button.NEXT else super().press(press)

    def _ask(self, option: Agreement) -> Action:
        return Open(OptionScene(self.context, option))


class OptionScene(ListScene):
    """One rule, and the other ways in which it can be agreed."""

    title = Message("Which rule?")

    def __init__(self, context: Context, option: Agreement) -> None:
        """Mark how *option* stands."""
        super().__init__(context)
        self._option = option
        self.focus = list(option.rules).index(option.value)

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return the rule that each value makes; that of the preset is named."""
        option, preset = self._option, preset_title(self.context.setup.preset)
        rows: list[tuple[Item, Then]] = []
        for value, rules in option.rules.items():
            texts = [rule_words(each) for each in rules] or [_without(option.sentence)]
            usual = preset if value == option.usual else ""
            more: tuple[Value, ...] = tuple(texts[1:2])
            told = (usual, *more) if usual else more
            detail = Joined(told, " · ") if told else ""
            rows.append((Item(texts[0], detail=detail), partial(self._use, value)))
        return rows

    def _use(self, value: object) -> Action:
        chosen = self.context.setup.chosen
        chosen[self._option.name] = value
        if value == self._option.usual:
            del chosen[self._option.name]
        return Do.BACK


def _told(option: Agreement) -> Item:
    """Return the row of an option: the rule that it makes now, and whether it is changed."""
    words: Value = rule_words(option.sentence)
    if not option.rules[option.value]:
        words = _without(option.sentence)
    return Item(words, detail=Message("changed") if option.is_changed else "")


def _without(rule: Rule) -> Message:
    return Message("Not agreed: {rule}", rule=rule_words(rule))


class AgesScene(ListScene):
    """How old is everybody? Asked only by rules in which that decides something."""

    title = Message("How old is everybody?")
    note = Message("By these rules the older player goes before the younger.")
    hints = (*choosing(), KeyHint("next", Message("done")))

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return who sits where, and how old they say they are."""
        setup = self.context.setup
        return [
            (Item(name, str(setup.ages.get(seat, "-"))), partial(self._ask, seat, name))
            for seat, name in setup.seated.items()
        ]

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT goes back to the table."""
        return Do.BACK if press.button is Button.NEXT else super().press(press)

    def _ask(self, seat: int, name: str) -> Action:
        def use(age: int | None) -> Action:
            ages = self.context.setup.ages
            ages.pop(seat, None)
            if age is not None:
                ages[seat] = age
            return Do.BACK

        return Open(AgeScene(self.context, name, use))


class TypedScene(Scene):
    """Something is spelled out, sign by sign; the last two keys delete a sign, and are done."""

    def __init__(self, context: Context, title: Value, before: str) -> None:
        """Ask *title*; until something is spelled show *before*."""
        super().__init__(context)
        self._title, self._before, self._text = title, before, ""

    @property
    @abstractmethod
    def _keys(self) -> tuple[Value, ...]: ...

    @abstractmethod
    def _add(self, number: int) -> None:
        """Add the sign of key *number*."""

    @abstractmethod
    def _done(self) -> Action | None: ...

    @property
    def count(self) -> int:
        """How many keys there are."""
        return len(self._keys)

    def page(self) -> Page:
        """Return what is spelled so far, and the keys."""
        return LettersPage(
            title=self._title,
            note=self.refused or Message("NEXT: done."),
            warning=bool(self.refused),
            hints=choosing(),
            focus=self.focus,
            name=self._text or self._before,
            keys=self._keys,
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; NEXT is done, UNDO deletes a sign.

        After a sign that was typed or touched "done" is marked, for HAVE.
        """
        if press.button is Button.NEXT:
            return self._done()
        if press.button is Button.UNDO and self._text:
            self._delete()
            return None
        action = super().press(press)
        if press.choice is not None:
            self.focus = self.count - 1
        return action

    def choose(self, number: int) -> Action | None:
        """Add a sign, delete the last one, or finish."""
        self.refused = ""
        left = self.count - number
        if left == 1:
            return self._done()
        if left == 2:
            self._delete()
        else:
            self._add(number)
        return None

    def _delete(self) -> None:
        self.refused = ""
        self._text = self._text[:-1].rstrip()


class NumberScene(TypedScene):
    """A number, digit by digit; NEXT is done."""

    _keys = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0", Message("delete"), Message("done"))

    def __init__(
        self,
        context: Context,
        title: Value,
        most: int,
        then: Callable[[int | None], Action | None],
    ) -> None:
        """Ask *title*; *then* gets the number, at *most* that, or ``None`` without a digit."""
        super().__init__(context, title, "-")
        self._most, self._then = most, then

    def _add(self, number: int) -> None:
        typed = f"{self._text}{self._keys[number]}"
        if int(typed) <= self._most:
            self._text = typed

    def _done(self) -> Action | None:
        return self._then(int(self._text) if self._text else None)


class AgeScene(NumberScene):
    """An age; who does not want to tell presses NEXT at once."""

    def __init__(self, context: Context, name: str, then: Callable[[int | None], Action]) -> None:
        """Ask how old *name* is; *then* gets the age, ``None`` where it is not told."""
        super().__init__(context, Message("How old is {name}?", name=name), OLDEST, then)


class NamesScene(ListScene):
    """Whose name is to be changed?"""

    title = Message("Names")
    note = Message("Nobody needs one; choose yours to change it.")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return who sits where."""
        return [
            (
                Item(name, Message("Seat {number}", number=seat + 1)),
                partial(self._ask, seat),
            )
            for seat, name in self.context.setup.seated.items()
        ]

    def _ask(self, seat: int) -> Action:
        return Open(LettersScene(self.context, seat))


class TextScene(TypedScene):
    """Some words, letter by letter."""

    def __init__(
        self,
        context: Context,
        title: Value,
        longest: int,
        then: Callable[[str], Action | None],
        before: str = "",
    ) -> None:
        """Ask *title*; *then* gets at most *longest* letters. Until then show *before*."""
        super().__init__(context, title, before)
        self._longest, self._then = longest, then

    def spelled(self, text: str) -> str:
        """Return *text* with the capitals that it is to have."""
        return text.capitalize()

    @property
    def _keys(self) -> tuple[Value, ...]:
        more = language_of(self.context.preferences.language).letters
        return (*_LETTERS, *more, "-", "'", SPACE, Message("delete"), Message("done"))

    def _add(self, number: int) -> None:
        key = self._keys[number]
        letter = " " if key == SPACE else str(key)
        if len(self._text) < self._longest and (self._text or letter != " "):
            self._text = self.spelled(f"{self._text}{letter}")

    def _done(self) -> Action | None:
        return self._then(self._text.strip(" -'"))


class LettersScene(TextScene):
    """The name of a player."""

    def __init__(self, context: Context, seat: int) -> None:
        """Ask for the name of *seat*."""
        title, before = Message("A name for seat {n}", n=seat + 1), context.setup.seated.get(seat)
        super().__init__(context, title, LONGEST_NAME, self._use, before or "")
        self._seat = seat

    def spelled(self, text: str) -> str:
        """Return a name with its capitals."""
        return text.title()

    def _use(self, text: str) -> Action | None:
        """Use the name, unless another player has it: then it can be changed."""
        seated = self.context.setup.seated
        others = {name_key(other): other for seat, other in seated.items() if seat != self._seat}
        if name_key(text) in others:
            short = text[: LONGEST_NAME - 2].rstrip()
            free = (f"{short} {letter}" for letter in _LETTERS[1:])
            self.refused = Message(
                "{name} plays already: choose another name, such as {other}.",
                name=others[name_key(text)],
                other=next(each for each in free if name_key(each) not in others),
            )
            return None
        if text:
            seated[self._seat] = text
        return Do.BACK


def default_name(seat: int, seated: Mapping[int, str], offered: str | None = None) -> str:
    """Return a name for the player at *seat* who gives none; nobody in *seated* has it.

    It is the one *offered*, else that of a stranger.
    """
    taken = {name_key(name) for name in seated.values()}
    names = chain(filter(None, (offered,)), map(stranger, count(seat + 1)))
    return next(name for name in names if name_key(name) not in taken)


def _more_must_come(needed: int) -> Message:
    """Return the sentence that too few have sat down, and how to."""
    return Message(
        "{n} player must sit down: press the button at a seat, or touch it.",
        "{n} players must sit down: press the button at another seat, or touch it.",
        needed,
        n=needed,
    )


def _first_of(seated: Mapping[int, str]) -> str:
    """Return the first name, and whether there are more."""
    first = next(iter(seated.values()), "")
    return f"{first} …" if len(seated) > 1 else first
