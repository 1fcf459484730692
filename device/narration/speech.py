"""The voice and the chimes: heard beside the screen, never waited for.

The voice is ``espeak-ng``, run for each sentence with its samples on a pipe. They are played by the
same mixer as the chimes: two programs cannot share a Pi's sound without a desktop, and only who
plays both can make one softer for the other.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import struct
import subprocess
import sys
import threading
from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from device.config.model import SoundConfig
from device.ports import Closing, Speaker
from display.chimes import RATE, Chime, Chimes
from display.i18n.languages import base

log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"

VOICES: Mapping[str, str] = {
    "en": "en-gb",
    "fr": "fr-fr",
    "de": "de",
    "es": "es",
    "nl": "nl",
}
"""Language to what espeak-ng calls its voice; others go by their own name."""

MOST_WAITING = 6
"""Sentences that may wait; of more the oldest is forgotten: late words are wrong words."""

MOST_READY = 1
"""Sentences made in advance: what waits as text can still be overtaken by newer text."""

PATIENCE_S = 5.0
"""Sentences are made many times faster than they are heard: what takes this long hangs."""

PAUSE_S = 0.1
"""Seconds between two sentences."""

QUIET = 100
"""What is so many times softer than the loudest is silence."""

MOST_FAILURES = 3
"""Failures in a row after which the voice is given up for this session."""


@dataclass(frozen=True, slots=True)
class _Line:
    topic: str
    text: str
    urgent: bool = False


class SpeechSynthesizer:
    """Turns sentences into samples on a thread of its own.

    Attributes:
        problem: why nothing is said; empty when all is well.
    """

    def __init__(
        self,
        language: str = "en",
        *,
        words_per_minute: int = 175,
        program: str | Sequence[str] = PROGRAM,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Look for the program; nothing is run before the first sentence.

        Args:
            language: of the sentences.
            words_per_minute: how fast, 80 to 450.
            program: what is run: a name on the path, or a whole command.
            patience_s: a program that runs longer than this for one sentence is killed.
        """
        command = [program] if isinstance(program, str) else list(program)
        self.problem = "" if shutil.which(command[0]) else f"{command[0]} is not installed"
        name = VOICES.get(base(language), base(language) or "en")
        self._command = [*command, "-v", name, "-s", str(words_per_minute), "--stdin", "--stdout"]
        self._patience_s = patience_s
        self._waiting: deque[_Line] = deque()
        self._ready: deque[tuple[_Line, array[int]]] = deque()
        self._changed = threading.Condition()
        self._making: _Line | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._hushed = 0
        self._closed = False
        self._failures = 0
        self._thread: threading.Thread | None = None

    def say(self, text: str, topic: str = "", *, urgent: bool = False) -> None:
        """Have *text* made into samples; returns at once.

        A newer text of the same *topic* takes the place of one that still waits; an *urgent* one
        that of all that waits and is not urgent.
        """
        if self.problem or not text.strip():
            return
        with self._changed:
            if self._closed:
                return
            line = _Line(topic, text, urgent)
            self._waiting = deque(each for each in self._waiting if not _overtakes(line, each))
            self._ready = deque(each for each in self._ready if not _overtakes(line, each[0]))
            self._waiting.append(line)
            while len(self._waiting) > MOST_WAITING:
                oldest = next((each for each in self._waiting if not each.urgent), self._waiting[0])
                self._waiting.remove(oldest)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def take(self) -> array[int] | None:
        """Return the samples of the next sentence, like a chime's; ``None`` when none is ready."""
        with self._changed:
            if not self._ready:
                return None
            self._changed.notify_all()
            return self._ready.popleft()[1]

    @property
    def next_line(self) -> _Line | None:
        """What :meth:`take` returns next; ``None`` when nothing is ready."""
        with self._changed:
            return self._ready[0][0] if self._ready else None

    def wait(self, timeout_s: float) -> bool:
        """Wait until nothing can be made before :meth:`take`; ``False`` when it took too long."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._making is None and not self._can_make(), timeout_s
            )

    def _can_make(self) -> bool:
        return bool(self._waiting) and len(self._ready) < MOST_READY

    def hush(self) -> None:
        """Forget every sentence that has not been taken."""
        with self._changed:
            self._hushed += 1
            self._waiting.clear()
            self._ready.clear()
            process = self._process
        if process is not None:
            _kill(process)

    def close(self) -> None:
        """Stop the thread and whatever it runs; may be called twice."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.hush()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(self._patience_s)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._making = None
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closed or self._can_make())
                if self._closed:
                    return
                line = self._making = self._waiting.popleft()
                asked = self._hushed
            samples = self._make(line.text)
            with self._changed:
                hushed = asked != self._hushed
                overtaken = any(_overtakes(later, line) for later in self._waiting)
                if samples is not None and not hushed and not overtaken:
                    self._ready.append((line, samples))
            if not hushed:
                self._judge(samples is not None)

    def _judge(self, made: bool) -> None:
        self._failures = 0 if made else self._failures + 1
        if self._failures >= MOST_FAILURES:
            self.problem = f"{self._command[0]} fails again and again"
            log.warning("the voice falls silent: %s; see: boneace doctor sound", self.problem)
            with self._changed:
                self._waiting.clear()

    def _make(self, text: str) -> array[int] | None:
        """Run the program once; whatever goes wrong is a sentence not said, and no more."""
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # A group of its own: what the program starts dies with it.
                start_new_session=True,
            )
        except OSError as problem:
            log.debug("the voice cannot be run: %s", problem)
            return None
        with self._changed:
            self._process = process
            hushed = self._closed
        try:
            if hushed:
                _kill(process)
            sound, _ = process.communicate(text.encode(), timeout=self._patience_s)
        except subprocess.TimeoutExpired:
            log.debug("the voice hangs; it is stopped")
            _kill(process)
            process.communicate()
            return None
        finally:
            with self._changed:
                self._process = None
        if process.returncode:
            return None
        samples = samples_of(sound)
        return None if samples is None else without_silence(samples)


def _overtakes(newer: _Line, line: _Line) -> bool:
    """Return whether *line* need not be said any more once *newer* is to be.

    An urgent line is said in any case, but for one with a topic: then something urgent comes first.
    """
    if line.urgent:
        return newer.urgent and bool(line.topic)
    return newer.urgent or (bool(newer.topic) and newer.topic == line.topic)


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def samples_of(wave: bytes) -> array[int] | None:
    """Return the samples of a ``.wav`` file of 16 bits and one channel, at the mixer's rate.

    The lengths in the head are not trusted: who writes to a pipe cannot know them.

    Returns:
        The samples; ``None`` when it is no such file, or holds none.
    """
    at = wave.find(b"fmt ")
    start = wave.find(b"data")
    if not wave.startswith(b"RIFF") or at < 0 or start < 0 or len(wave) < start + 10:
        return None
    kind, channels, rate, _bytes, _align, bits = struct.unpack_from("<HHIIHH", wave, at + 8)
    if (kind, channels, bits) != (1, 1, 16) or not rate:
        return None
    raw = wave[start + 8 :]
    samples = array("h", raw[: len(raw) // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    if rate == RATE:
        return samples
    # Another voice, another rate: the nearest sample will do for speech.
    length = len(samples) * RATE // rate
    return array("h", (samples[at * rate // RATE] for at in range(length)))


def without_silence(samples: array[int]) -> array[int]:
    """Return *samples* with a short pause after the last word: espeak-ng makes a long one."""
    quiet, end = max(samples) // QUIET, len(samples)
    while end and abs(samples[end - 1]) <= quiet:
        end -= 1
    return samples[: end + round(PAUSE_S * RATE)]


class TableSpeaker(Closing):
    """Chimes, voice and buzzer together; any of them may be missing."""

    def __init__(
        self,
        chimes: Chimes,
        voice: SpeechSynthesizer | None = None,
        *,
        with_chimes: bool = True,
        beep: Callable[[Chime], None] | None = None,
    ) -> None:
        """Put together what is heard.

        Args:
            chimes: the mixer; the voice is heard by it too.
            voice: who speaks; nobody when ``None``.
            with_chimes: chimes are heard.
            beep: the buzzer's, such as :meth:`device.hardware.buttons.GpioPanel.beep`.
        """
        self._chimes = chimes
        self._voice = voice
        self._with_chimes = with_chimes
        self._beep = beep
        self._spoken = _Line("", "")

    def chime(self, chime: Chime) -> None:
        """Sound *chime* now, softer while somebody speaks."""
        if self._with_chimes:
            self._chimes.play(chime, ducked=self._chimes.is_speaking)
        if self._beep is not None:
            self._beep(chime)

    def say(self, text: str, topic: str = "", *, urgent: bool = False) -> None:
        """Have *text* said, after what is being said, or in its place where it is *urgent*."""
        if self._voice is not None:
            self._voice.say(text, topic, urgent=urgent)

    def hush(self) -> None:
        """Break off."""
        if self._voice is not None:
            self._voice.hush()
        self._chimes.hush()

    def tick(self) -> None:
        """Begin the next sentence when the last is over, an urgent one at once."""
        if self._voice is None:
            return
        line = self._voice.next_line
        if line is None:
            return
        breaks_off = line.urgent and _overtakes(line, self._spoken)
        if self._chimes.is_speaking and not breaks_off:
            return
        samples = self._voice.take()
        if samples is not None:
            self._chimes.speak(samples)
            self._spoken = line

    def close(self) -> None:
        """Fall silent; may be called twice."""
        if self._voice is not None:
            self._voice.close()
        self._chimes.close()


class SilentSpeaker(Closing):
    """Keeps what would be heard: for a table without sound, for demos, and for tests.

    Attributes:
        heard: the last of it, oldest first: ``("chime", "turn")`` and ``("say", "Ann wins.")``.
    """

    def __init__(self) -> None:
        """Begin in silence."""
        self.heard: deque[tuple[str, str]] = deque(maxlen=500)
        self._closed = False

    def chime(self, chime: Chime) -> None:
        """Keep *chime*."""
        if not self._closed:
            self.heard.append(("chime", chime.value))

    def say(self, text: str, topic: str = "", *, urgent: bool = False) -> None:
        """Keep *text*."""
        if not self._closed and text.strip():
            self.heard.append(("say", text))

    def hush(self) -> None:
        """Keep that it was broken off."""
        if not self._closed:
            self.heard.append(("hush", ""))

    def tick(self) -> None:
        """Do nothing: nothing is ever ready."""

    def close(self) -> None:
        """Stop listening."""
        self._closed = True


def open_speaker(
    sound: SoundConfig, language: str, *, beep: Callable[[Chime], None] | None = None
) -> Speaker:
    """Open what is to be heard, after the config; a machine without sound is silent, never wrong.

    Args:
        sound: the config's table.
        language: of the voice.
        beep: the panel's buzzer.
    """
    if sound.mute or not (sound.volume or beep):
        return SilentSpeaker()
    chimes = Chimes(sound.volume / 100)
    voice = None
    if sound.voice and sound.volume and not chimes.problem:
        voice = SpeechSynthesizer(language, words_per_minute=sound.words_per_minute)
        if voice.problem:
            log.debug("no voice: %s", voice.problem)
            voice = None
    return TableSpeaker(chimes, voice, with_chimes=sound.chimes, beep=beep)
