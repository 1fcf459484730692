"""After whose rules is played, and what is agreed otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from device.booth.presets import preset_title
from device.booth.scenes.base import (
    Action,
    Context,
    Do,
    ListScene,
    Open,
    Then,
    choosing,
    rules_title,
)
from device.booth.scenes.rules import RulesScene
from device.booth.scenes.tiles import title_of
from device.ports import Button, Press
from display.pages.list import Item
from display.pages.rules import rule_words
from engine.core.messages.message import Joined, Message, Value
from engine.core.messages.prompt import KeyHint
from engine.core.text.rules_page import Rule
from engine.games import catalog
from engine.games.agreed import Agreement, agreements
from engine.games.sources import first_named


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
