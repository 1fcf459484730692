"""Everything heard is also seen, and everything seen is heard: whole hands of every game.

What is spoken of an event (a card turned up, somebody out) must stand on the screen as words or as
the things themselves; what stands in the band must be spoken. A deaf player misses nothing by
the one, a blind player nothing by the other.
"""

import re

import pygame
import pytest

from device.hardware.lamps import BEEPS
from device.narration.announcer import Announcer, chime_for
from device.narration.calls import result_lines, spoken_lines
from device.narration.speech import SilentSpeaker
from device.ports import Talk
from device.runtime.hints import hint_for
from display import TableScreen, prompt_for
from display.chimes import Chime
from engine import TABLE, Phase, deck, view
from engine.bots import player
from engine.core.events import Roll
from engine.core.messages.words import card_words
from engine.games import catalog
from tests.support.game_driver import Driver

SIZE = (800, 480)
SCREEN = TableScreen(SIZE)
CASES = [
    pytest.param(game.name, preset.name, id=f"{game.name}-{preset.name}")
    for game in catalog.all_games()
    for preset in game.presets
]


def whole_hand(name, preset, seed=1):
    """Yield each event with the views before and after it."""
    people = [player(style, name) for style in ("bold", "cautious", "bold")]
    dealer = None if catalog.find(name).cuts_for_deal else 0
    driver = Driver(name, preset, people, seed=f"{seed}-{preset}", dealer=dealer)
    before = view(driver.state, TABLE)
    while before.phase is not Phase.DONE:
        count = len(driver.state.events)
        driver.go_on()
        for event in driver.state.events[count:]:
            after = view(driver.state, TABLE)
            yield event, before, after
            before = after


def open_cards(seen):
    """Every card that the screen shows, or has shown in the middle."""
    cards = {card for seat in seen.seats for card in (*seat.cards, *seat.known)}
    cards |= {card for _seat, card in seen.cuts}
    if seen.middle is not None:
        cards |= {*seen.middle.discards, seen.middle.discard_top}
        cards |= {card for pile in seen.middle.piles for card in pile.cards}
    return cards - {None}


def drawn(seen, prompt):
    written = SCREEN.draw(pygame.Surface(SIZE), seen, prompt)
    return " ".join(piece.text for piece in written)


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_what_stands_in_the_band_is_heard(name, preset):
    speaker = SilentSpeaker()
    announcer = Announcer(speaker, talk=Talk.ALL)
    for event, before, after in whole_hand(name, preset):
        count = len(speaker.heard)
        announcer.listen(event, before, after)
        prompt = prompt_for(after)
        announcer.watch(prompt, after)
        heard = " ".join(what for kind, what in list(speaker.heard)[count:] if kind == "say")
        if prompt != prompt_for(before):
            title = prompt.title.rstrip(".").split(": ")[-1]
            assert title.casefold() in heard.casefold(), prompt
            assert prompt.detail in heard
        text = drawn(after, prompt)
        assert prompt.title in text
        assert prompt.detail in text


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_what_is_heard_is_seen(name, preset):
    """Cards and numbers that are spoken lie open on the screen; payments stand there in words."""
    seen_once = set()
    for event, before, after in whole_hand(name, preset):
        seen_once |= open_cards(before) | open_cards(after)
        for line in spoken_lines(event, before, after):
            for card in deck():
                if re.search(rf"\b{card_words(card)}\b", line):
                    assert card in seen_once, line
        if isinstance(event, Roll):
            total = after.seat(event.seat).total
            assert any(str(total) in line for line in spoken_lines(event, before, after))
            assert str(total) in drawn(after, prompt_for(after)).split()
        if after.phase is Phase.DONE:
            text = drawn(after, prompt_for(after))
            for line in result_lines(after):
                words = line.rstrip(".")
                assert words in text or "Each plate shows" in text, line


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_every_chime_has_something_to_see(name, preset):
    """A chime sounds where the picture changes; the buzzer knows every chime."""
    sounded = set()
    for event, before, after in whole_hand(name, preset):
        chime = chime_for(event, before, after)
        if chime is None:
            continue
        sounded.add(chime)
        assert chime in BEEPS
        assert after != before
        one, other = pygame.Surface(SIZE), pygame.Surface(SIZE)
        SCREEN.draw(one, before, prompt_for(before), time_s=0.0)
        SCREEN.draw(other, after, prompt_for(after), time_s=0.0)
        assert pygame.image.tobytes(one, "RGB") != pygame.image.tobytes(other, "RGB"), event
    assert sounded >= {Chime.CARD}
    ends = {Chime.WIN, Chime.BUST, Chime.THIRTY_ONE, Chime.LAST_LIFE, Chime.BANK, Chime.MATCH}
    assert sounded & ends


@pytest.mark.parametrize(("name", "preset"), CASES)
def test_why_it_ended_so_is_taught_in_every_game(name, preset):
    said = set()
    for seed in range(6):
        *_, (_event, _before, after) = whole_hand(name, preset, seed)
        people = [player("bold", name)] * 2
        options = Driver(name, preset, people).state.setup.options
        said.add((after.result.end, hint_for(after, options)))
    assert all(words for _end, words in said), said
