"""Pages to read: the rules in force, where a game comes from, and what its chances are."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from device.booth.scenes.base import Action, Context, Open, Scene, reading, rules_title
from device.ports import Button, Press
from display.pages.base import Page
from display.pages.rules import Heading, RulesPage, rule_words
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.message import Joined, Message
from engine.core.messages.prompt import KeyHint
from engine.core.text.rules_page import Section
from engine.games import catalog
from engine.games.agreed import changed
from engine.games.base import Game
from engine.games.chances import Chances, ChanceTable
from engine.worth import words as said
from engine.worth.seats import from_table


class _SectionsScene(Scene):
    """Headings and sentences, on one page or several leaves."""

    _page: RulesPage

    def page(self) -> Page:
        """Return the leaf that is shown."""
        return replace(self._page, focus=self.focus)

    def step(self, way: int) -> None:
        """Go to the next page, or the one before."""
        self.focus = max(0, self.focus + way)


class RulesScene(_SectionsScene):
    """The rules in force; HAVE tells where the game comes from, NEXT what the chances are."""

    def __init__(self, context: Context, game: str, preset: str, options: object) -> None:
        """Show the page of *game* with *options*, which *preset* names."""
        super().__init__(context)
        self._game = found = catalog.find(game)
        self._background = _headings(found.background(options))
        self._odds = partial(OddsScene, context, found, preset, options)
        about = KeyHint("have", Message("about this game"))
        hints = (KeyHint("next", Message("chances")), *reading())
        self._page = RulesPage(
            title=Message(found.title),
            note=rules_title(found, preset, options),
            hints=(about, *hints) if self._background else hints,
            sections=_headings(found.rules(options)),
            cards=tuple(None if code is None else Card.parse(code) for code in found.emblem),
            bones=tuple(Face) if found.with_bones else (),
        )

    def press(self, press: Press) -> Action | None:
        """Handle a press; HAVE shows where the game comes from, NEXT its chances."""
        if press.button is Button.NEXT:
            return Open(self._odds())
        if press.button in (Button.HAVE, Button.PUSH) and self._background:
            return Open(BackgroundScene(self.context, self._game, self._background))
        return super().press(press)


class BackgroundScene(_SectionsScene):
    """Where a game comes from, its relatives, and what its sources leave open."""

    def __init__(self, context: Context, game: Game, sections: tuple[Heading, ...]) -> None:
        """Show the *sections* that tell it of *game*."""
        super().__init__(context)
        self._page = RulesPage(
            title=Message("About this game"),
            note=Message(game.title),
            hints=reading(),
            sections=sections,
        )


class OddsScene(_SectionsScene):
    """What a seat is worth, and the chances of the game: what ``boneace odds`` prints."""

    def __init__(self, context: Context, game: Game, preset: str, options: Any) -> None:
        """Show the page of *game* with *options*, which *preset* names."""
        super().__init__(context)
        chances: Chances = pkgutil.resolve_name(game.chances)()
        seats = tuple(_seats_worth(context, game, preset, options))
        tables = tuple(map(_chances, chances.tables(options)))
        nothing = Heading(said.HEADING, (Message("There are no figures for these rules."),))
        self._page = RulesPage(
            title=Message("Chances"),
            note=rules_title(game, preset, options),
            hints=reading(),
            sections=(*(seats or (nothing,)), *tables),
        )


def _seats_worth(context: Context, game: Game, preset: str, options: Any) -> Iterator[Heading]:
    """Yield what a seat is worth for two, four and the most players, and for those here."""
    if changed(game, catalog.find_preset(game, preset), options):
        return
    session = context.session
    here = len(context.setup.seated if session is None else session.state.players)
    for players in sorted({2, 4, here, options.max_players}):
        found = from_table(game.name, preset, players)
        if found is None:
            continue
        names = (*said.seat_names(game, players), said.deal_name(game))
        lines = (
            Message("{seat}: {worth}", seat=name, worth=worth)
            for name, worth in zip(names, said.figures(found), strict=True)
        )
        title = Message("{n} players: {unit}", n=players, unit=said.UNITS[found.unit])
        yield Heading(title, tuple(lines))


def _chances(table: ChanceTable) -> Heading:
    columns = Message("Of 100: {columns}", columns=Joined(table.columns, " / "))
    lines = [
        Message("{seat}: {worth}", seat=what, worth=Joined(tuple(map(said.of_100, row)), " / "))
        for what, row in table.rows_shown
    ]
    notes = (table.note,) if table.note else ()
    return Heading(table.title, (columns, *lines, *notes))


def _headings(sections: Iterable[Section]) -> tuple[Heading, ...]:
    return tuple(
        Heading(Message(section.heading), tuple(map(rule_words, section.rules)))
        for section in sections
    )
