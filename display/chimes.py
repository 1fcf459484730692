"""Synthesise a chime for every moment when the program starts: there are no sound files.

Each note is a few damped sines, like a mallet on wood or on a bell. Questions rise, endings fall,
and trouble stays low and rough, so that no two chimes are easily confused.
"""

from __future__ import annotations

import logging
import math
from array import array
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum

import pygame

log = logging.getLogger(__name__)

RATE = 22_050
"""Samples a second; no sine is above 8 kHz."""

PEAK = 0.7
"""The loudest sample as a share of full scale: two chimes at once do not clip."""

FADE_S = 0.012
"""Seconds of fading at the end; an abrupt end would be heard as a click."""

DUCKED = 0.25
"""Loudness of chimes while the voice speaks, as a share of the usual."""


class Chime(StrEnum):
    """The moments that have a sound of their own."""

    TURN = "turn"
    CARD = "card"
    QUESTION = "question"
    BONE_ACE = "bone-ace"
    BONE = "bone"
    THIRTY_ONE = "thirty-one"
    KNOCK = "knock"
    FIVE = "five"
    BANK = "bank"
    LAST_LIFE = "last-life"
    MATCH = "match"
    WIN = "win"
    BUST = "bust"
    TROUBLE = "trouble"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Note:
    """One note.

    Attributes:
        at_s: when, from the start of the chime.
        pitch: MIDI number of its lowest sine; 60 is middle C, 12 an octave.
        loud: 0 to 1.
        ring_s: seconds until it is a thousandth as loud.
    """

    at_s: float
    pitch: float
    loud: float = 1.0
    ring_s: float = 0.5


Timbre = tuple[tuple[float, float, float], ...]
"""Sines of a note: multiple of the lowest frequency, loudness, share of the ring time."""

WOOD: Timbre = ((1.0, 1.0, 1.0), (3.93, 0.22, 0.3), (9.2, 0.05, 0.12))
BELL: Timbre = ((1.0, 1.0, 1.0), (2.0, 0.4, 0.8), (2.76, 0.25, 0.6), (5.4, 0.12, 0.35))
REED: Timbre = ((1.0, 1.0, 1.0), (1.06, 0.8, 1.0), (3.0, 0.25, 0.6))

SCORES: Mapping[Chime, tuple[Timbre, tuple[Note, ...]]] = {
    Chime.TURN: (WOOD, (Note(0, 79, 0.8, 0.35), Note(0.11, 84, 1.0, 0.6))),
    Chime.CARD: (WOOD, (Note(0, 72, 1.0, 0.18),)),
    Chime.QUESTION: (BELL, (Note(0, 76, 0.9, 0.4), Note(0.16, 83, 1.0, 0.8))),
    Chime.BONE_ACE: (
        BELL,
        (
            Note(0, 72, 0.7, 0.5),
            Note(0.09, 76, 0.75, 0.5),
            Note(0.18, 79, 0.8, 0.6),
            Note(0.27, 84, 1.0, 1.2),
        ),
    ),
    Chime.BONE: (BELL, (Note(0, 72, 0.8, 0.5), Note(0.12, 79, 1.0, 0.9))),
    Chime.THIRTY_ONE: (
        BELL,
        (
            Note(0, 72, 0.8, 0.4),
            Note(0.1, 72, 0.8, 0.4),
            Note(0.2, 79, 0.9, 0.5),
            Note(0.36, 84, 1.0, 1.3),
            Note(0.36, 88, 0.8, 1.3),
        ),
    ),
    Chime.KNOCK: (WOOD, (Note(0, 52, 1.0, 0.2), Note(0.18, 52, 1.0, 0.25))),
    Chime.FIVE: (WOOD, tuple(Note(0.09 * n, 72 + 2 * n, 0.9, 0.4) for n in range(5))),
    Chime.BANK: (BELL, (Note(0, 79, 0.8, 0.4), Note(0.15, 72, 0.9, 0.4), Note(0.3, 79, 1.0, 0.9))),
    Chime.LAST_LIFE: (BELL, (Note(0, 69, 0.9, 0.5), Note(0.3, 64, 1.0, 1.0))),
    Chime.MATCH: (
        BELL,
        (
            *(Note(0.12 * n, pitch, 0.8, 0.5) for n, pitch in enumerate((67, 72, 76, 79))),
            Note(0.5, 79, 0.9, 1.15),
            Note(0.5, 84, 1.0, 1.15),
            Note(0.5, 88, 0.8, 1.15),
        ),
    ),
    Chime.WIN: (
        BELL,
        (
            Note(0, 67, 0.8, 0.5),
            Note(0.14, 72, 0.85, 0.5),
            Note(0.28, 76, 0.9, 0.6),
            Note(0.42, 79, 1.0, 1.2),
            Note(0.42, 84, 0.8, 1.2),
        ),
    ),
    Chime.BUST: (WOOD, (Note(0, 64, 0.9, 0.45), Note(0.17, 55, 1.0, 0.8))),
    Chime.TROUBLE: (REED, (Note(0, 50, 0.9, 0.4), Note(0.3, 50, 1.0, 0.6))),
    Chime.UNDO: (WOOD, (Note(0, 84, 0.8, 0.25), Note(0.08, 79, 0.9, 0.25), Note(0.16, 72, 1, 0.4))),
}
"""The timbre and the notes of every chime."""


def synthesise(chime: Chime, rate: int = RATE) -> array[int]:
    """Return the samples of *chime*: signed, 16 bits, one channel, *rate* a second.

    The same chime always gives the same samples.
    """
    timbre, notes = SCORES[chime]
    length = round(max(note.at_s + note.ring_s for note in notes) * rate)
    wave = [0.0] * length
    for note in notes:
        for times, gain, share in timbre:
            frequency = 440.0 * 2 ** ((note.pitch - 69) / 12) * times
            if frequency < 0.45 * rate:
                _strike(wave, note, gain, frequency, share * note.ring_s, rate)
    fade = round(FADE_S * rate)
    for back in range(1, fade + 1):
        wave[-back] *= (back - 1) / fade
    scale = PEAK * 32767 / max(max(wave), -min(wave))
    return array("h", (round(sample * scale) for sample in wave))


def _strike(
    wave: list[float], note: Note, gain: float, frequency: float, ring_s: float, rate: int
) -> None:
    """Add one damped sine to *wave*.

    A digital resonator computes each sample from the last two, which keeps the start on a
    Raspberry Pi short.
    """
    turn = 2 * math.pi * frequency / rate
    keep = 0.001 ** (1 / (ring_s * rate))
    first, second = 2 * keep * math.cos(turn), keep * keep
    before, now = 0.0, note.loud * gain * keep * math.sin(turn)
    start = round(note.at_s * rate)
    for at in range(start + 1, min(start + round(ring_s * rate), len(wave))):
        wave[at] += now
        before, now = now, first * now - second * before


class Chimes(AbstractContextManager["Chimes"]):
    """Plays chimes and a voice by pygame's mixer; silent where the machine has no sound.

    The thread that makes it is the only one that may use it.

    Attributes:
        problem: why nothing can be heard; empty when all is well.
    """

    def __init__(self, volume: float = 0.7) -> None:
        """Open the mixer; a chime is synthesised when it is first played.

        Args:
            volume: 0 (the mixer is not opened) to 1.

        Raises:
            ValueError: *volume* is not within 0 and 1.
        """
        if not 0.0 <= volume <= 1.0:
            raise ValueError(f"volume must be within 0 and 1, got {volume!r}; try 0.7")
        self.problem = ""
        self._volume = volume
        self._sounds: dict[Chime, pygame.mixer.Sound] = {}
        self._voice: pygame.mixer.Channel | None = None
        self._open = False
        if not volume:
            return
        try:
            # No changes allowed: the mixer converts our samples to what the hardware needs.
            pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
        except pygame.error as problem:
            self.problem = str(problem)
            log.info("no sound (%s); everything is on the screen as well", problem)
            return
        self._open = True
        # The voice has a channel of its own, which no chime may take.
        pygame.mixer.set_reserved(1)
        self._voice = pygame.mixer.Channel(0)

    def play(self, chime: Chime, *, ducked: bool = False) -> None:
        """Play *chime*, softly when *ducked*."""
        if not self._open:
            return
        if chime not in self._sounds:
            self._sounds[chime] = pygame.mixer.Sound(buffer=synthesise(chime).tobytes())
        self._sounds[chime].set_volume(self._volume * (DUCKED if ducked else 1.0))
        self._sounds[chime].play()

    def speak(self, samples: array[int]) -> None:
        """Play a voice at once, and softer what sounds; *samples* are as of :func:`synthesise`."""
        if self._voice is not None:
            for sound in self._sounds.values():
                sound.set_volume(self._volume * DUCKED)
            self._voice.play(pygame.mixer.Sound(buffer=samples.tobytes()))
            # A channel forgets its volume with every sound that is played on it.
            self._voice.set_volume(self._volume)

    @property
    def is_speaking(self) -> bool:
        """Return whether the voice is heard now."""
        return self._voice is not None and self._voice.get_busy()

    def hush(self) -> None:
        """Stop the voice."""
        if self._voice is not None:
            self._voice.stop()

    def close(self) -> None:
        """Stop all sound and close the mixer; may be called twice."""
        self._sounds.clear()
        self._voice = None
        if self._open:
            self._open = False
            pygame.mixer.quit()

    def __exit__(self, *_error: object) -> None:
        """Close the mixer."""
        self.close()
