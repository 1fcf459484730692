"""Notices and refusals in every language."""

import inspect

import pytest

from device.croupier import messages
from device.croupier.messages import REFUSALS, refused
from device.croupier.questions import Notice
from device.croupier.scat import messages as middle
from display.i18n.translate import Translator
from engine import IllegalActionError
from engine.core.refusals import Refusal
from engine.core.views import Phase


def test_every_refusal_of_the_engine_can_be_said():
    assert len(Refusal) > 15
    assert set(Refusal) == set(REFUSALS), "add a sentence to REFUSALS"


def test_english_keeps_the_particulars_other_languages_the_sense():
    refusal = IllegalActionError(Refusal.TABLE_FULL, "the table is full with 8; wait for a seat")
    particular = "The table is full with 8; wait for a seat."
    assert Translator.of("en").render(refused(refusal, particular, Phase.PLAY)) == particular
    spanish = Translator.of("es").render
    assert spanish(refused(refusal, particular, Phase.PLAY)) == "La mesa está completa."
    unknown = refused(IllegalActionError("NEW_CODE", "x"), "X.", Phase.PLAY)
    assert spanish(unknown) == "X.", "better English than nothing"


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (Phase.DEAL, "Es wird noch gegeben."),
        (Phase.DONE, "Dieses Spiel ist vorbei; mit WEITER geht es weiter."),
        (Phase.PLAY, "Das geht gerade nicht."),
    ],
)
def test_what_cannot_be_done_now_has_its_reason_in_every_language(phase, said):
    refusal = IllegalActionError(Refusal.WRONG_PHASE, "no 'have' now: cards are being dealt")
    assert Translator.of("de").render(refused(refusal, "Wait.", phase)) == said


NOTICES = {
    "cut_again": ("Bess",),
    "cut_face_up": ("Bess",),
    "gather": (2,),
    "not_counted": ("Why.", "Bess"),
    "turn_up": ("Bess", 2),
    "read_again": ("Why.",),
    "another_card": ("Bess",),
    "cannot_read": ("Bess",),
    "joker": (),
    "cards_hidden": ("Bess", 3, 4),
    "nobody_there": (4, ["Ann", "Bess"]),
    "does_not_count": ("Bess",),
    "answer_first": ("Is Bess out?",),
    "between_places": (),
    "nobody_asked": (),
    "dialled": (3,),
    "card_lies_at": ("Bess",),
    "cards_in_middle": (),
    "something_wrong": (),
    "not_written": ("disk full",),
    "undo_or_go_on": ("Why.",),
    "cannot_see": ("no camera",),
    "mashed": (),
    "no_mat": (),
    "begin_first": (),
    "not_over": (),
    "not_understood": (),
    "turn_all_up": ("Bess",),
}


def test_every_notice_is_tried_here():
    made = {
        name
        for name, thing in inspect.getmembers(messages, inspect.isfunction)
        if thing.__module__ == messages.__name__ and thing.__annotations__.get("return") == "Notice"
    }
    assert made == set(NOTICES)


@pytest.mark.parametrize("language", ["en", "fr", "de", "es", "nl"])
@pytest.mark.parametrize("name", NOTICES)
def test_notices_are_whole_sentences_in_every_language(name, language):
    notice = getattr(messages, name)(*NOTICES[name])
    assert isinstance(notice, Notice)
    said = Translator.of(language).render(notice.sentence)
    assert "{" not in said
    given = [str(value) for value in NOTICES[name] if isinstance(value, str)]
    assert all(value in said for value in given)
    if language != "en":
        assert said != str(notice.sentence)


def test_a_card_that_does_not_count_comes_with_what_to_do():
    """The table shows no more than the text of a notice that is not urgent."""
    told = (messages.does_not_count("Bess"), messages.does_not_count(None), middle.does_not_count())
    for notice in told:
        assert not notice.urgent
        assert str(notice.text).endswith("Take it up; lay it again if it belongs there.")


def test_numbers_agree_with_what_they_count():
    one, two = messages.gather(1).text, messages.gather(2).text
    assert str(one) == "Gather the cards: one card still on the mat."
    assert str(two) == "Gather the cards: two cards still on the mat."
    french = Translator.of("fr").render
    assert french(one) == "Ramassez les cartes\u00a0: encore 1 carte sur le tapis."
    assert french(two) == "Ramassez les cartes\u00a0: encore 2 cartes sur le tapis."
