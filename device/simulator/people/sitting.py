"""A sitting: some hands of a game by people of a mix, as a log with its truth."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from device.simulator.people.account import HandTruth, joined_answers
from device.simulator.people.bone_hand import BoneHand
from device.simulator.people.counting_hand import CountingHand
from device.simulator.people.film import Film, Scene
from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Mat
from device.simulator.people.room import Room
from device.simulator.people.scat_hand import Match, ScatHand
from device.simulator.people.settings import options_of
from device.simulator.people.temperament import STREWN_MM, person

NAMES = ("Ann", "Bess", "Cecil", "Dora", "Edgar", "Fay", "Gil", "Hal")


@dataclass(frozen=True, slots=True)
class Setup:
    """What a table is told before the first hand.

    Attributes:
        players: names, from seat 0 on; *ages* are theirs.
        dealer: the seat that deals first (knucklebones: the bank).
        mat_seats: seats of the mat; one more than players where cards lie in the middle.
        options: in force, as far as the people know them.
        changes: those of them that are not as the preset has them.
    """

    game: str
    preset: str
    players: tuple[str, ...]
    ages: tuple[int, ...]
    dealer: int
    mat_seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sitting:
    """A log of readings and what is true of it.

    Attributes:
        lines: of the log, JSON objects as text.
        scenes: beside each line all that lay there in truth.
        answers: the ANSWERS file as an object.
        hands: the truth of each hand.
    """

    setup: Setup
    mix: str
    lines: tuple[str, ...]
    answers: dict[str, Any]
    hands: tuple[HandTruth, ...]
    scenes: tuple[Scene, ...] = ()


def setup_by_chance(
    game: str, preset: str, rng: random.Random, changes: Mapping[str, Any] = MappingProxyType({})
) -> Setup:
    """Return a table of a few players by chance; *changes* of options are laid over the preset.

    Raises:
        KeyError: no such game or preset.
    """
    most = options_of(game, preset) | dict(changes)
    fits = min(most["max_players"], 7 if _has_middle(most) else 8)
    count = min(rng.choice((2, 3, 3, 4, 4, 5, 6, 7, 8)), fits)
    ages = tuple(rng.randint(18, 80) for _ in range(count))
    return setup_for(game, preset, NAMES[:count], ages, rng.randrange(count), changes)


def setup_for(
    game: str,
    preset: str,
    players: tuple[str, ...],
    ages: tuple[int, ...],
    dealer: int,
    changes: Mapping[str, Any] = MappingProxyType({}),
) -> Setup:
    """Return a table of these players; *changes* of options are laid over the preset.

    Raises:
        KeyError: no such game or preset.
    """
    options = {**options_of(game, preset), **changes}
    seats = len(players) + _has_middle(options)
    return Setup(game, preset, players, ages, dealer, seats, options, dict(changes))


def _has_middle(options: Mapping[str, Any]) -> bool:
    return bool(options.get("table", "none") != "none")


def play_sitting(
    setup: Setup,
    mix: str,
    rng: random.Random,
    hands: int = 1,
) -> Sitting:
    """Let people of *mix* play some hands; the match of Thirty-one may end before.

    Args:
        setup: the table; see :func:`setup_by_chance`.
        mix: ``careful``, ``mixed`` or ``wild``.
        rng: all chance comes from it.
        hands: how many hands at most.

    Raises:
        KeyError: an unknown game.
    """
    room = _room(setup, mix, rng)
    play = _PLAYERS[setup.game](room, setup)
    truths: list[HandTruth] = []
    dealer: int | None = setup.dealer
    room.film.rest(0.5)
    while dealer is not None and len(truths) < hands:
        room.account = HandTruth.begun(setup.game, room.film.t)
        if truths:
            room.gather(dealer)
            room.film.press("next")
            room.event("next_hand")
        dealer = play(dealer)
        if not room.account.tally:
            room.did(Happening.PLAIN)
        truths.append(room.account)
    lines, scenes = tuple(room.film.text()), tuple(room.film.scenes)
    return Sitting(setup, mix, lines, joined_answers(truths), tuple(truths), scenes)


def _room(setup: Setup, mix: str, rng: random.Random) -> Room:
    mat = Mat(setup.mat_seats, rng)
    film = Film(mat, rng, tells_over=rng.random() < 0.5)
    people = [person(mix, seat, name, rng) for seat, name in enumerate(setup.players)]
    ages = dict(enumerate(setup.ages))
    return Room(rng, mat, film, people, setup.options, rng.uniform(*STREWN_MM[mix]), ages)


def _counting(room: Room, setup: Setup) -> Callable[[int], int | None]:
    return lambda dealer: CountingHand(room, dealer, setup.game).play()


def _bones(room: Room, setup: Setup) -> Callable[[int], int | None]:
    del setup
    return lambda banker: BoneHand(room, banker).play()


def _scat(room: Room, setup: Setup) -> Callable[[int], int | None]:
    match = Match.begun(range(len(setup.players)), setup.options)
    return lambda dealer: ScatHand(room, dealer, match).play()


_PLAYERS: dict[str, Callable[[Room, Setup], Callable[[int], int | None]]] = {
    "one-and-thirty": _counting,
    "bone-ace": _counting,
    "knucklebones": _bones,
    "scat": _scat,
}
