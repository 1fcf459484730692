"""What may be agreed before a game, in the sentences of its rules: for screens.

An option is told by the sentences of the page of rules that hang on it, so that people choose
between rules and not between names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.core.options import OneOf, OptionError, OptionInfo, Preset, describe
from engine.core.text.rules_page import Rule
from engine.games import catalog
from engine.games.base import Game

NUMBERS = 10
"""Whole numbers that are offered of an option without an end."""

HAS_ITS_OWN_KEY = "stake"


@dataclass(frozen=True, slots=True)
class Agreement:
    """One option that decides something now.

    Attributes:
        name: of the option.
        value: how it stands.
        usual: how the preset has it.
        rules: value to the sentences that only it makes; for "without this rule" none. Of values
            that make the same rules there is one.
    """

    name: str
    value: object
    usual: object
    rules: Mapping[object, tuple[Rule, ...]]

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the preset."""
        return self.value != self.usual

    @property
    def sentence(self) -> Rule:
        """The first sentence that tells how it stands, or what is left out by it."""
        told = (self.rules[self.value], *self.rules.values())
        return next(rules[0] for rules in told if rules)


def agreements(game: Game, preset: Preset, changes: Mapping[str, object]) -> tuple[Agreement, ...]:
    """Return each option that makes a difference with *changes* over *preset*, but the stake.

    Raises:
        OptionError: *changes* are not allowed.
    """
    options = catalog.make_options(game, preset, changes)
    usual = catalog.make_options(game, preset, {})
    found = []
    for info in describe(game.options_type):
        now = getattr(options, info.name)
        rules = _rules_by_value(game, preset, changes, info, now)
        if info.name != HAS_ITS_OWN_KEY and len(rules) > 1:
            found.append(Agreement(info.name, now, getattr(usual, info.name), rules))
    return tuple(found)


def changed(game: Game, preset: Preset, options: object) -> tuple[str, ...]:
    """Return the names of the options in which *options* differ from *preset*, but the stake."""
    usual = catalog.make_options(game, preset, {})
    names = (info.name for info in describe(game.options_type) if info.name != HAS_ITS_OWN_KEY)
    return tuple(name for name in names if getattr(options, name) != getattr(usual, name))


def _rules_by_value(
    game: Game, preset: Preset, changes: Mapping[str, object], info: OptionInfo, now: object
) -> dict[object, tuple[Rule, ...]]:
    pages: dict[object, list[Rule]] = {}
    for value in _values(info, now):
        try:
            options = catalog.make_options(game, preset, {**changes, info.name: value})
        except OptionError:
            continue  # not with the other options as they are
        pages[value] = [rule for section in game.rules(options) for rule in section.rules]
    shared = set.intersection(*({str(rule) for rule in page} for page in pages.values()))
    found: dict[object, tuple[Rule, ...]] = {}
    told: set[tuple[str, ...]] = set()
    for value in sorted(pages, key=lambda each: each != now):
        own = tuple(rule for rule in pages[value] if str(rule) not in shared)
        if tuple(map(str, own)) not in told:
            told.add(tuple(map(str, own)))
            found[value] = own
    return {value: found[value] for value in pages if value in found}


def _values(info: OptionInfo, now: object) -> Iterator[object]:
    if isinstance(info.choices, OneOf):
        yield from info.choices.values
        return
    least, most = info.choices.least, info.choices.most
    last = least + NUMBERS - 1 if most is None else most
    yield from range(least, last + 1)
    if isinstance(now, int) and now > last:
        yield now
