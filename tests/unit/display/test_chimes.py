"""Chimes: what is struck, and what the mixer makes of it under SDL's own dummy driver."""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterator

import pygame
import pytest

from display.chimes import DUCKED, PEAK, RATE, SCORES, Chime, Chimes, synthesise
from tests.support.volumes import volume_of

WAVES = {chime: synthesise(chime) for chime in Chime}


def strength(wave: array[int], frequency: float) -> float:
    """How much of *frequency* there is in a wave: Goertzel's sum, by its definition."""
    turn = 2 * math.pi * frequency / RATE
    real = sum(sample * math.cos(turn * at) for at, sample in enumerate(wave))
    imaginary = sum(sample * math.sin(turn * at) for at, sample in enumerate(wave))
    return math.hypot(real, imaginary) / len(wave)


def test_every_moment_has_its_score() -> None:
    assert set(SCORES) == set(Chime)


@pytest.mark.parametrize("chime", list(Chime))
def test_a_chime_is_short_and_neither_clips_nor_clicks(chime: Chime) -> None:
    wave = WAVES[chime]
    assert 0.1 < len(wave) / RATE < 1.7
    peak = max(abs(sample) for sample in wave)
    assert abs(peak - PEAK * 32767) <= 1, "equally loud, none at full scale"
    assert wave[0] == 0
    assert wave[-1] == 0
    # Heard as a click: a last stretch that is not far below the rest.
    assert max(abs(sample) for sample in wave[-20:]) < 0.001 * peak
    assert abs(sum(wave) / len(wave)) < 0.01 * 32767, "no steady part: it would thump"


@pytest.mark.parametrize("chime", list(Chime))
def test_a_chime_sounds_the_pitches_of_its_score(chime: Chime) -> None:
    wave = WAVES[chime]
    for note in SCORES[chime][1]:
        pitch = 440 * 2 ** ((note.pitch - 69) / 12)
        # A quarter tone and more beside it there is clearly less, unless another note is there.
        assert strength(wave, pitch) > 2 * strength(wave, pitch * 2 ** (1.5 / 12)), note


def test_no_two_chimes_are_alike() -> None:
    for one, other in itertools.combinations(Chime, 2):
        strokes = [[(n.at_s, n.pitch) for n in SCORES[chime][1]] for chime in (one, other)]
        assert strokes[0] != strokes[1], (one, other)
        assert WAVES[one] != WAVES[other]


def test_what_is_asked_rises_and_what_is_over_falls() -> None:
    def last_minus_first(chime: Chime) -> float:
        notes = SCORES[chime][1]
        return notes[-1].pitch - notes[0].pitch

    for chime in (Chime.TURN, Chime.QUESTION, Chime.BONE_ACE, Chime.WIN):
        assert last_minus_first(chime) > 0
    for chime in (Chime.BUST, Chime.UNDO):
        assert last_minus_first(chime) < 0


def test_the_same_chime_is_the_same_samples() -> None:
    assert synthesise(Chime.WIN) == WAVES[Chime.WIN]


@pytest.fixture
def no_card(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    pygame.mixer.quit()


def test_the_mixer_takes_the_samples_as_they_are(no_card: None) -> None:
    with Chimes(0.8) as chimes:
        assert pygame.mixer.get_init() == (RATE, -16, 1)
        chimes.play(Chime.WIN)
        assert pygame.mixer.get_busy()
        assert volume_of(chimes, Chime.WIN) == pytest.approx(0.8, abs=0.01)
    assert pygame.mixer.get_init() is None


def test_a_voice_is_ducked_for(no_card: None) -> None:
    with Chimes(1.0) as chimes:
        chimes.play(Chime.TURN)
        chimes.speak(array("h", [0] * RATE))
        assert volume_of(chimes, Chime.TURN) == pytest.approx(DUCKED, abs=0.01)
        chimes.play(Chime.CARD, ducked=True)
        assert volume_of(chimes, Chime.CARD) == pytest.approx(DUCKED, abs=0.01)
        chimes.play(Chime.TURN)
        assert volume_of(chimes, Chime.TURN) == pytest.approx(1.0, abs=0.01)


def test_mute_opens_nothing(no_card: None) -> None:
    chimes = Chimes(0.0)
    assert pygame.mixer.get_init() is None
    chimes.play(Chime.WIN)
    assert volume_of(chimes, Chime.WIN) == 0.0
    chimes.close()
    chimes.close()


def test_a_machine_without_sound_is_silent_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    chimes = Chimes()
    assert chimes.problem
    chimes.play(Chime.BUST)
    chimes.speak(array("h", [0]))
    chimes.close()


def test_a_volume_that_is_none_names_the_range() -> None:
    with pytest.raises(ValueError, match=r"within 0 and 1, got 70; try 0\.7"):
        Chimes(70)
