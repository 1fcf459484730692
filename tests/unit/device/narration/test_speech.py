"""One contract for every speaker, then the voice: never waited for, never wrong for long."""

import json
import shutil
import struct
import sys
from array import array

import pygame
import pytest

from device.config.model import SoundConfig
from device.narration.speech import (
    MOST_FAILURES,
    MOST_WAITING,
    PAUSE_S,
    SilentSpeaker,
    SpeechSynthesizer,
    TableSpeaker,
    open_speaker,
    samples_of,
    without_silence,
)
from display.chimes import DUCKED, RATE, Chime, Chimes
from tests.support.volumes import volume_of

ENOUGH_S = 20.0
"""So long a program may take to start on a busy machine."""

SPEAKS = """
import json, struct, sys
text = sys.stdin.buffer.read().decode()
with open(sys.argv[1], "a", encoding="utf-8") as log:
    log.write(json.dumps([text, sys.argv[2:]]) + "\\n")
# As espeak-ng does on a pipe: a head with lengths that nobody could know.
head = b"RIFF" + struct.pack("<I", 0x7FFFF024) + b"WAVEfmt "
head += struct.pack("<IHHIIHH", 16, 1, 1, 22050, 44100, 2, 16)
head += b"data" + struct.pack("<I", 2**31 - 1)
sys.stdout.buffer.write(head + struct.pack("<3h", 1, -2, len(text)) + b"\\0" * 2000)
"""
HANGS = "import sys, time; sys.stdin.read(); time.sleep(600)"
FAILS = "import sys; sys.stdin.read(); sys.exit(1)"


@pytest.fixture
def dummy(monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    pygame.mixer.quit()


@pytest.fixture
def log(tmp_path):
    return tmp_path / "said.txt"


@pytest.fixture
def make():
    """Make voices that are closed at the end."""
    made = []

    def voice(script, *words, **more):
        made.append(
            SpeechSynthesizer(program=[sys.executable, "-c", script, *map(str, words)], **more)
        )
        return made[-1]

    yield voice
    for each in made:
        each.close()


def is_busy(voice):
    """Whether a sentence waits, is being made, or is ready to be taken."""
    return bool(voice._waiting or voice._ready or voice._making)


def said(log):
    return [json.loads(line)[0] for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(params=["table", "silent"])
def speaker(request, dummy, make, log):
    made = (
        SilentSpeaker() if request.param == "silent" else TableSpeaker(Chimes(), make(SPEAKS, log))
    )
    with made:
        yield made


def test_anything_may_be_heard_any_time(speaker):
    for chime in Chime:
        speaker.chime(chime)
    speaker.say("Ann wins.")
    speaker.say("")
    speaker.say("Bess: stick, or have it?", "prompt")
    speaker.tick()
    speaker.hush()
    speaker.tick()


def test_closed_twice_it_is_silent(speaker):
    speaker.close()
    speaker.close()
    speaker.chime(Chime.WIN)
    speaker.say("too late")
    speaker.tick()
    if isinstance(speaker, SilentSpeaker):
        assert not speaker.heard


def test_silent_speaker_keeps_what_would_be_heard():
    with SilentSpeaker() as speaker:
        speaker.chime(Chime.TURN)
        speaker.say("Ann wins.", "prompt")
        speaker.hush()
        assert list(speaker.heard) == [("chime", "turn"), ("say", "Ann wins."), ("hush", "")]


def test_sentences_are_made_in_order_and_taken_once(make, log):
    voice = make(SPEAKS, log, language="fr_CA", words_per_minute=170)
    assert voice.take() is None
    for text in ("Un.", "Deux, trois."):
        voice.say(text)
    for text in ("Un.", "Deux, trois."):
        assert voice.wait(ENOUGH_S)
        samples = voice.take()
        assert samples[:3] == array("h", [1, -2, len(text)])
    assert voice.take() is None
    assert not is_busy(voice)
    assert said(log) == ["Un.", "Deux, trois."]
    words = json.loads(log.read_text(encoding="utf-8").splitlines()[0])[1]
    assert words == ["-v", "fr-fr", "-s", "170", "--stdin", "--stdout"]


def test_a_name_cannot_become_an_option(make, log):
    voice = make(SPEAKS, log)
    voice.say("--help; rm -rf $HOME: stick, or have it?")
    assert voice.wait(ENOUGH_S)
    assert said(log) == ["--help; rm -rf $HOME: stick, or have it?"]


def test_a_newer_prompt_takes_the_place_of_one_that_waits(make, log):
    voice = make(SPEAKS, log)
    voice.say("The first, made at once.")
    assert voice.wait(ENOUGH_S)  # it is ready and not taken, so all others wait as text
    voice.say("Ann: stick, or have it?", "prompt")
    voice.say("Ann's card is turned up.")
    voice.say("Bess: stick, or have it?", "prompt")
    heard = 0
    while voice.wait(ENOUGH_S) and voice.take() is not None:
        heard += 1
    assert heard == 3
    assert said(log)[1:] == ["Ann's card is turned up.", "Bess: stick, or have it?"]


def test_of_too_many_sentences_the_oldest_are_forgotten(make, log):
    voice = make(SPEAKS, log)
    voice.say("0")
    assert voice.wait(ENOUGH_S)
    for number in range(1, 20):
        voice.say(str(number))
    while voice.wait(ENOUGH_S) and voice.take() is not None:
        pass
    assert said(log) == ["0", *(str(number) for number in range(20 - MOST_WAITING, 20))]


def test_what_is_urgent_comes_first_and_is_never_forgotten(make, log):
    voice = make(SPEAKS, log)
    voice.say("made at once")
    assert voice.wait(ENOUGH_S)
    voice.say("Ann: king of clubs.")
    voice.say("Ann wins.", urgent=True)
    voice.say("Bess: 34. Too many by 3!", urgent=True)
    for number in range(2 * MOST_WAITING):
        voice.say(str(number))
    assert voice.wait(ENOUGH_S)
    assert voice.next_line is not None
    assert voice.next_line.urgent
    while voice.wait(ENOUGH_S) and voice.take() is not None:
        pass
    assert said(log)[1:3] == ["Ann wins.", "Bess: 34. Too many by 3!"]
    assert "Ann: king of clubs." not in said(log), "that is out of date"
    assert voice.next_line is None


def test_what_is_urgent_breaks_off_what_is_not(dummy, make, log):
    chimes, voice = Chimes(1.0), make(SPEAKS, log)
    with TableSpeaker(chimes, voice) as speaker:
        chimes.speak(array("h", [0] * RATE * 60))  # a minute of a rule
        speaker.say("Ann wins.", urgent=True)
        assert voice.wait(ENOUGH_S)
        speaker.tick()
        assert not is_busy(voice), "it is being said"
        chimes.speak(array("h", [0] * RATE * 60))  # let it be a long one
        speaker.say("Bess wins.", urgent=True)
        assert voice.wait(ENOUGH_S)
        speaker.tick()
        assert is_busy(voice), "no result is broken off by another"


def test_an_answer_gives_way_to_the_next_one_and_to_a_result(dummy, make, log):
    chimes, voice = Chimes(1.0), make(SPEAKS, log)
    with TableSpeaker(chimes, voice) as speaker:
        for text, topic in (("Ann: 21.", "answer"), ("Bess leads.", "answer"), ("Ann wins.", "")):
            speaker.say(text, topic, urgent=True)
            assert voice.wait(ENOUGH_S)
            speaker.tick()
            assert not is_busy(voice), f"{text} is being said"
            chimes.speak(array("h", [0] * RATE * 60))  # let it be a long one
        speaker.say("Bess: 17.", "answer", urgent=True)
        assert voice.wait(ENOUGH_S)
        speaker.tick()
        assert is_busy(voice), "no result is broken off by an answer"


def test_the_silence_after_a_sentence_is_cut_short():
    long = array("h", [900, -800, *[3] * RATE])
    short = without_silence(long)
    assert short[:2] == long[:2]
    assert len(short) / RATE == pytest.approx(PAUSE_S, abs=0.01)
    assert without_silence(array("h", [5])) == array("h", [5])


def test_hush_forgets_everything(make, log):
    voice = make(SPEAKS, log)
    voice.say("one")
    assert voice.wait(ENOUGH_S)
    voice.say("two")
    voice.hush()
    assert voice.take() is None
    assert not is_busy(voice)
    voice.say("three")
    assert voice.wait(ENOUGH_S)
    assert voice.take() is not None
    assert "two" not in said(log)


def test_a_program_that_hangs_is_killed_and_the_next_sentence_said(make, log, tmp_path):
    once = tmp_path / "once"
    script = f"import os\nif not os.path.exists({str(once)!r}):\n open({str(once)!r}, 'w')\n "
    script += HANGS.replace("; ", "\n ") + "\n" + SPEAKS
    voice = make(script, log, patience_s=3.0)
    voice.say("This is never said.")
    voice.say("This is.")
    assert voice.wait(ENOUGH_S)
    assert voice.take() is not None
    assert said(log) == ["This is."]
    assert not voice.problem


def test_closing_does_not_wait_for_a_program_that_hangs(make):
    voice = make(HANGS, patience_s=600.0)
    voice.say("This is never said.")
    voice.close()
    assert not voice._thread.is_alive()


def test_a_voice_that_always_fails_is_given_up_and_told_once(make, caplog):
    voice = make(FAILS)
    for number in range(MOST_FAILURES + 2):
        voice.say(str(number))
        assert voice.wait(ENOUGH_S)
    assert "fails again and again" in voice.problem
    warnings = [each for each in caplog.records if each.levelname == "WARNING"]
    assert len(warnings) == 1
    assert "boneace doctor sound" in warnings[0].getMessage()
    assert voice.take() is None


def test_a_voice_that_is_not_installed_is_silent():
    voice = SpeechSynthesizer(program="no-such-program")
    assert voice.problem == "no-such-program is not installed"
    voice.say("Ann wins.")
    assert not is_busy(voice)
    voice.close()


def wave(rate, samples, channels=1, head=b"RIFF"):
    made = head + struct.pack("<I", 36) + b"WAVEfmt "
    made += struct.pack("<IHHIIHH", 16, 1, channels, rate, rate * 2, 2, 16)
    return made + b"data" + struct.pack("<I", 0) + struct.pack(f"<{len(samples)}h", *samples)


def test_samples_come_at_the_mixers_rate():
    assert samples_of(wave(RATE, [5, -6, 7])) == array("h", [5, -6, 7])
    slow = samples_of(wave(RATE // 2, [5, -6, 7]))
    assert slow == array("h", [5, 5, -6, -6, 7, 7])


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"RIFF", id="cut"),
        pytest.param(wave(RATE, []), id="silence"),
        pytest.param(wave(RATE, [1, 2], channels=2), id="stereo"),
        pytest.param(wave(RATE, [1, 2], head=b"OggS"), id="other"),
    ],
)
def test_what_is_no_wave_is_not_played(bad):
    assert samples_of(bad) is None


def test_chimes_are_soft_while_somebody_speaks(dummy, make, log):
    chimes = Chimes(1.0)
    voice = make(SPEAKS, log)
    beeps = []
    with TableSpeaker(chimes, voice, beep=beeps.append) as speaker:
        speaker.chime(Chime.TURN)
        assert volume_of(chimes, Chime.TURN) == pytest.approx(1.0, abs=0.01)
        chimes.speak(array("h", [0] * RATE * 60))  # a minute's speech
        assert chimes.is_speaking
        assert volume_of(chimes, Chime.TURN) == pytest.approx(DUCKED, abs=0.01)
        speaker.chime(Chime.CARD)
        assert volume_of(chimes, Chime.CARD) == pytest.approx(DUCKED, abs=0.01)
        speaker.say("Next.")
        assert voice.wait(ENOUGH_S)
        speaker.tick()
        assert is_busy(voice), "nobody is interrupted"
        speaker.hush()
        assert not chimes.is_speaking
        assert not is_busy(voice)
        speaker.say("Bess: stick, or have it?")
        assert voice.wait(ENOUGH_S)
        speaker.tick()
        assert not is_busy(voice)
        assert beeps == [Chime.TURN, Chime.CARD]


def test_config_says_what_is_heard(dummy):
    assert isinstance(open_speaker(SoundConfig(mute=True), "en"), SilentSpeaker)
    assert isinstance(open_speaker(SoundConfig(volume=0), "en"), SilentSpeaker)
    with open_speaker(SoundConfig(chimes=False, voice=False, volume=50), "en") as speaker:
        assert speaker._voice is None
        speaker.chime(Chime.WIN)
        assert not pygame.mixer.get_busy()
    beeps = []
    with open_speaker(SoundConfig(volume=0), "en", beep=beeps.append) as speaker:
        speaker.chime(Chime.WIN)
        assert beeps == [Chime.WIN], "a buzzer needs no sound card"


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize("language", ["en", "fr", "de", "es", "nl"])
def test_the_real_voice_speaks_every_language(language):
    voice = SpeechSynthesizer(language)
    voice.say("Bess: 17.")
    assert voice.wait(ENOUGH_S)
    samples = voice.take()
    voice.close()
    assert samples is not None
    assert 0.4 < len(samples) / RATE < 6
    assert max(samples) > 1000


def test_a_table_is_as_loud_as_it_is_opened_and_a_buzzer_beeps_without_a_mixer(dummy):
    beeps = []
    with TableSpeaker(Chimes(0.5), beep=beeps.append) as speaker:
        speaker.chime(Chime.TURN)
        assert volume_of(speaker._chimes, Chime.TURN) == pytest.approx(0.5, abs=0.01)
    with TableSpeaker(Chimes(0.0), beep=beeps.append) as speaker:
        speaker.chime(Chime.CARD)
        speaker.say("Nobody hears this.")
        assert volume_of(speaker._chimes, Chime.CARD) == 0.0
        assert not speaker._chimes.is_speaking
    assert beeps == [Chime.TURN, Chime.CARD]
