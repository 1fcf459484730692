"""The card for visitors: every sentence whole, in every language, on one page."""

import io

import pytest
from pypdf import PdfReader

from device.cli import main
from device.printing import visitor_card as card
from device.printing.mat_pdf import MatPdfError
from device.printing.visitor_card import FOOT, PAGES, STEPS, TITLE, visitor_card
from display.controls import BUTTON_WORDS
from display.i18n.languages import languages
from display.i18n.translate import Translator


def words_of(content):
    pages = PdfReader(io.BytesIO(content)).pages
    assert len(pages) == 1
    return " ".join(pages[0].extract_text().split())


def squeezed(text):
    return "".join(text.split())


@pytest.mark.parametrize("page", PAGES)
def test_all_languages_stand_on_one_page(page):
    text = squeezed(words_of(visitor_card(languages(), page)))
    for language in languages():
        say = Translator.of(language).render
        for sentence in (TITLE, *STEPS, *FOOT):
            assert squeezed(say(sentence)) in text, (language, sentence)


@pytest.mark.parametrize("language", languages())
def test_it_names_the_buttons_as_the_screen_does(language):
    text = words_of(visitor_card([language]))
    say = Translator.of(language).render
    for name in ("have", "stick", "undo"):
        assert say(BUTTON_WORDS[name]) in text


def test_the_same_card_has_the_same_bytes_and_its_own_size():
    assert visitor_card(["fr"]) == visitor_card(["fr"])
    for name, (wide, high) in PAGES.items():
        box = PdfReader(io.BytesIO(visitor_card(["fr"], name))).pages[0].mediabox
        assert float(box.width) == pytest.approx(wide * 72 / 25.4, abs=0.1)
        assert float(box.height) == pytest.approx(high * 72 / 25.4, abs=0.1)


def test_a_card_that_nobody_could_read_is_refused(monkeypatch):
    monkeypatch.setattr(card, "SMALLEST_PT", 20.0)
    with pytest.raises(MatPdfError, match="choose a larger --page"):
        visitor_card(languages())


def test_the_command_writes_it(tmp_path, capsys):
    path = tmp_path / "card.pdf"
    words = ["card", "--language", "nl", "--language", "fr", "--language", "nl", "-o", str(path)]
    assert main(words) == 0
    assert "A4, in nl, fr" in capsys.readouterr().out
    text = words_of(path.read_bytes())
    assert text.index("Deze tafel") < text.index("Cette table")
    assert "This table" not in text


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path, capsys):
    assert main(["card", "-o", str(tmp_path / "no" / "card.pdf")]) == 1
    assert "choose a folder you may write" in capsys.readouterr().err
