"""A drawn table, the people who play at it, and the tally of what was read: one for each game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from device.config.model import ConfigError
from device.croupier.open_cards import OpenCards, settings_of
from device.ports import MOST_SEATS
from device.runtime.session import Session
from device.simulator.bone_players import BonePlayers
from device.simulator.bone_table import BonesTable
from device.simulator.demo import BoneTally, CardTally, Players
from device.simulator.people import Setup, setup_for
from device.simulator.players import CardPlayers
from device.simulator.scat_players import ScatPlayers
from device.simulator.scat_table import ScatTable
from device.simulator.table import SimulatedTable
from engine import Event, apply, legal_actions, view
from engine.bots import is_played
from engine.core.events import Correct
from engine.core.options import uses_ages
from engine.core.views import TableKind, View
from engine.games import catalog
from engine.games.base import Action
from engine.table.visibility import actions_for
from vision.mat.pose import MatLayout

NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester")
AGES = (34, 28, 45, 61, 19, 52, 40, 23)
"""How old each of them is, where that decides anything."""

STYLES = ("cautious", "bold", "exact")

CorrectCard = Callable[[Correct], object]
"""Tells the croupier what a misread card is."""


@dataclass(frozen=True, slots=True)
class SimulationSetup:
    """What is simulated.

    Attributes:
        game: its name.
        preset: its rules; those of the game by default.
        players: how many, 2 to 8.
        options: single options over the preset.
        open_cards: which cards are dealt open.
        ages: of the players; empty for theirs.
        seed: of the shuffle and of the players.
        deck: how the drawn cards look.
        dye: how the bones look.
        bones: name of a set of bones learned before, to read them with.
        paper: size of the play mat.
        people_mix: a mix of people who do not wait for the camera; empty: they do.
    """

    game: str = "bone-ace"
    preset: str | None = None
    players: int = 4
    options: Mapping[str, object] = field(default_factory=dict)
    open_cards: str = OpenCards.NONE
    ages: tuple[int, ...] = ()
    seed: int = 1
    deck: str = "modern"
    dye: str = "ivory"
    bones: str | None = None
    paper: str = "A1"
    people_mix: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the players, by seat."""
        return NAMES[: self.players]

    @property
    def rules(self) -> Any:
        """Return the options in force.

        Raises:
            BoneAceError: there is no such game, preset or option, or a value is not allowed.
        """
        game, preset = catalog.choose(self.game, self.preset)
        return catalog.make_options(game, preset, self.options)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the settings of the table, as a session keeps them."""
        return settings_of(self.game, self.open_cards)

    @property
    def people(self) -> tuple[tuple[str, int | None], ...]:
        """Return name and age of each player, by seat; no age where none decides anything."""
        ages = self.ages or AGES
        return tuple(
            (name, ages[seat] if uses_ages(self.rules) else None)
            for seat, name in enumerate(self.names)
        )

    @property
    def film(self) -> Setup:
        """Return the table of the people who do not wait for the camera.

        Raises:
            ConfigError: they do not know the game.
        """
        game, preset = catalog.choose(self.game, self.preset)
        ages = (self.ages or AGES)[: self.players]
        try:
            return setup_for(
                game.name, preset.name, self.names, ages, self.players - 1, self.options
            )
        except KeyError:
            raise ConfigError(
                f"--people: they do not play {game.name}; leave out --people"
            ) from None

    @property
    def styles(self) -> list[str]:
        """Return how each of them plays."""
        return [STYLES[seat % len(STYLES)] for seat in range(self.players)]


@dataclass(frozen=True, slots=True)
class Simulation:
    """The table, who plays at it, and what compares the readings with the truth."""

    table: SimulatedTable
    people: Players
    tally: CardTally | BoneTally


def build_simulation(
    setup: SimulationSetup,
    session: Session,
    correct: CorrectCard | None = None,
) -> Simulation:
    """Return the simulation of *session*; *correct* tells the croupier what a misread card is.

    Raises:
        ConfigError: nobody here plays the game.
    """
    game = session.state.setup.game
    if not is_played(game.name):
        raise ConfigError(
            f"--game: nobody here plays {setup.game}; play it with people: boneace play --game "
            f"{setup.game}"
        )
    return _BUILDERS[game.table](setup, session, correct)


def _bones(setup: SimulationSetup, session: Session, _correct: CorrectCard | None) -> Simulation:
    bones = BonesTable(MatLayout(setup.players, setup.paper), seed=setup.seed, dye=setup.dye)
    options, game = session.state.setup.options, session.view.game
    people = BonePlayers(
        bones,
        setup.styles,
        options,
        lambda: legal_actions(session.state),
        lambda: session.view,
        game=game,
    )
    return Simulation(bones, people, BoneTally(bones.lying, bones.fingerprint))


def _seats(setup: SimulationSetup, session: Session, _correct: CorrectCard | None) -> Simulation:
    layout = MatLayout(setup.players, setup.paper)
    table = SimulatedTable(layout, style=setup.deck, seed=setup.seed)
    options, game = session.state.setup.options, session.view.game
    people = CardPlayers(
        table,
        setup.seed,
        setup.names,
        setup.styles,
        options,
        lambda: session.view,
        game=game,
        drawn_open=session.open_cards is not OpenCards.NONE,
    )
    return Simulation(table, people, CardTally(table.face_up))


def _middle(setup: SimulationSetup, session: Session, correct: CorrectCard | None) -> Simulation:
    """Return the simulation of Thirty-one; where cards lie in the middle they have a zone."""
    options = session.state.setup.options
    middle = None if options.table == "none" else setup.players
    if middle is not None and middle >= MOST_SEATS:
        raise ConfigError(
            f"--players: {middle} players and the cards in the middle need more places than a mat "
            f"has; choose at most {MOST_SEATS - 1}"
        )
    layout = MatLayout(setup.players + (middle is not None), setup.paper)
    table = ScatTable(layout, middle=middle, style=setup.deck, seed=setup.seed)

    def ask(seat: int, *supposed: Event) -> tuple[View, Sequence[Action]]:
        state = session.state
        for event in supposed:
            state = apply(state, event)
        return view(state, seat), actions_for(state, seat)

    people = ScatPlayers(table, setup.seed, setup.names, setup.styles, options, ask, correct)
    return Simulation(table, people, CardTally(table.face_up))


_BUILDERS: dict[TableKind, Callable[[SimulationSetup, Session, CorrectCard | None], Simulation]] = {
    TableKind.SEATS: _seats,
    TableKind.MIDDLE: _middle,
    TableKind.BONES: _bones,
}
