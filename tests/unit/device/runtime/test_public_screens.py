"""No screen shows what its seats may not know: other hidden cards, the same pixels (rule G-7)."""

import random

import pygame
import pytest

from device.booth.preferences import default_setup, of_config
from device.booth.scenes.base import Context
from device.booth.scenes.correct import CorrectScene, readings
from device.booth.summary import ledger_page, statistics_page
from device.config.model import Config
from device.runtime.hints import hint_for
from display import TableScreen, prompt_for
from display.pages.renderer import PageScreen
from engine import EVERYTHING, TABLE, Player, apply, new_table, view
from engine.bots import player
from engine.core.messages.prompt import KeyHint
from engine.games import catalog
from engine.records.codec import event_from_dict, event_to_dict
from tests.support.game_driver import Driver

SIZE = (800, 480)
SCREEN, PAGES = TableScreen(SIZE), PageScreen(SIZE)
CASES = [
    pytest.param(game.name, preset.name, seed, id=f"{game.name}-{preset.name}-{seed}")
    for game in catalog.all_games()
    if game.name != "knucklebones"  # nothing is hidden there
    for preset in game.presets
    for seed in range(2)
]


class Session:
    """A session that only has a state."""

    def __init__(self, state):
        self.state = state
        self.view = view(state, TABLE)


def context_of(state):
    """What the scenes of a booth know that plays *state*."""
    config = Config()
    return Context(of_config(config), default_setup(config), 8, Session(state))


def shown(seen):
    """Every card that lies open in a view, or of which everybody knows where it is."""
    cards = {card for seat in seen.seats for card in (*seat.cards, *seat.known)}
    cards |= {card for _seat, card in seen.cuts}
    if seen.bone is not None:
        cards.add(seen.bone.card)
    if seen.middle is not None:
        cards |= {*seen.middle.discards, seen.middle.discard_top}
        cards |= {card for pile in seen.middle.piles for card in pile.cards}
    return cards - {None}


def played(name, preset, seed):
    """A hand in progress, and every card that was ever open in it."""
    people = [player(style, name) for style in ("bold", "cautious", "bold", "cautious")]
    driver = Driver(name, preset, people, seed=f"{seed}-{preset}")
    open_cards = set()
    for _ in range(random.Random(f"{name}{preset}{seed}").randint(8, 30)):
        if driver.state.round.phase.value == "done":
            break
        driver.go_on()
        open_cards |= shown(view(driver.state, TABLE))
    return driver.state, open_cards


def with_other_cards(state, open_cards, seed):
    """The same hand as everybody saw it, with other cards where nobody could look.

    Cards of equal points change places: who is over would say so, and all would see that.
    """
    setup = state.setup
    secret = sorted(setup.game.pack(setup.options) - open_cards)
    names = {}
    for points in {card.rank.points for card in secret}:
        equal = [card for card in secret if card.rank.points == points]
        mixed = list(equal)
        random.Random(seed).shuffle(mixed)
        names |= {str(a): str(b) for a, b in zip(equal, mixed, strict=True)}
    other = new_table(
        setup.game,
        [Player(each.seat, each.name, each.age) for each in setup.players],
        dealer=setup.dealer,
        preset=setup.preset,
    )
    for event in state.events:
        other = apply(other, event_from_dict(renamed(event_to_dict(event), names)))
    return other


def renamed(entry, names):
    if isinstance(entry, dict):
        return {key: renamed(value, names) for key, value in entry.items()}
    if isinstance(entry, list | tuple):
        return [renamed(value, names) for value in entry]
    return names.get(entry, entry) if isinstance(entry, str) else entry


def pixels(state):
    """Everything that can be shown of a table, as bytes and words."""
    seen, context = view(state, TABLE), context_of(state)
    surface = pygame.Surface(SIZE)
    SCREEN.draw(surface, seen, prompt_for(seen))
    out = [pygame.image.tobytes(surface, "RGB")]
    keys = (KeyHint("undo", "back"),)
    corrections = CorrectScene(context).page()
    for page in (ledger_page(state, keys), statistics_page(state, keys), corrections):
        PAGES.draw(surface, page)
        out.append(pygame.image.tobytes(surface, "RGB"))
    return out, hint_for(seen, state.setup.options), [p.spoken for p, _ in readings(context, seen)]


@pytest.mark.parametrize(("name", "preset", "seed"), CASES)
def test_other_hidden_cards_give_the_same_pixels(name, preset, seed):
    state, open_cards = played(name, preset, seed)
    other = with_other_cards(state, open_cards, seed)
    assert view(state, TABLE) == view(other, TABLE)
    assert pixels(state) == pixels(other)


def test_the_hidden_cards_were_really_others():
    differ = 0
    for name, preset, seed in (case.values for case in CASES):
        state, open_cards = played(name, preset, seed)
        other = with_other_cards(state, open_cards, seed)
        differ += view(state, EVERYTHING) != view(other, EVERYTHING)
    assert differ > len(CASES) // 2
