"""Every language says everything, with every placeholder, in letters that our fonts have."""

from __future__ import annotations

import ast
import gettext
import re
import string
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import Prompt, TableScreen, prompt_for
from display.drawing.text import ELLIPSIS, Face, SurfaceCache, TextPainter, font
from display.i18n.extract import LOCALES, extract, merge, sentences, update
from display.i18n.languages import (
    ENGLISH,
    LANGUAGES,
    base,
    language_of,
    language_of_environment,
    languages,
    translations,
)
from display.i18n.po_files import Catalogue, CatalogueError, Entry, dump, parse
from display.i18n.translate import Translator, _, current_language, set_language
from engine.core.views import View
from engine.games import catalog
from tests.support.paths import ROOT

At = Callable[[int, str], tuple[View, Prompt | None]]

PROMISED = ("de", "es", "fr", "nl")
SPOKEN = tuple(name for name in languages() if name != ENGLISH and not LANGUAGES.plugin_of(name))
"""What holds for these holds for one more that is added to the house."""
SENTENCES = {entry.sentence: entry for entry in extract()}
SAME = {
    "Bone-Ace",  # the name of the game everywhere
    "D",  # French donneur
    "Menu",
    "Scat",
    "Volume",
}
"""Sentences that may be the same in another language, and are in one of ours."""


def catalogue(language: str) -> Catalogue:
    path = LOCALES / language / "LC_MESSAGES" / "boneace.po"
    return parse(path.read_text(encoding="utf-8"), language)


CATALOGUES = {language: catalogue(language) for language in SPOKEN}


def placeholders(text: str) -> set[str]:
    return {name for _text, name, _spec, _how in string.Formatter().parse(text) if name is not None}


def test_the_languages_promised_are_there() -> None:
    assert languages()[0] == ENGLISH
    assert set(SPOKEN) >= set(PROMISED)
    assert len({LANGUAGES[name].name for name in languages()}) == len(languages())
    own = [language_of(name).name for name in PROMISED]
    assert own == ["Deutsch", "Español", "Français", "Nederlands"]
    assert set("ÄÖÜ") == set(language_of("de_AT").letters)


@pytest.mark.parametrize("language", SPOKEN)
def test_nothing_is_missing_and_nothing_left_over(language: str) -> None:
    there = {entry.sentence: entry for entry in CATALOGUES[language].entries}
    assert set(there) == set(SENTENCES), "run: make messages, then translate what is empty"
    left = [entry.sentence for entry in there.values() if not entry.is_done]
    assert not left, "translate these (and take the mark fuzzy away)"
    for sentence, entry in there.items():
        assert entry.plural == SENTENCES[sentence].plural


@pytest.mark.parametrize("language", SPOKEN)
def test_no_placeholder_is_lost_or_invented(language: str) -> None:
    for entry in CATALOGUES[language].entries:
        wanted = placeholders(entry.sentence)
        assert placeholders(entry.plural or entry.sentence) == wanted
        for said in entry.said:
            assert placeholders(said) == wanted, entry.sentence


@pytest.mark.parametrize("language", SPOKEN)
def test_sentences_are_translated_and_end_alike(language: str) -> None:
    alike = {"?": "?", "!": "!", ".": ".", ":": ":"}
    for entry in CATALOGUES[language].entries:
        for said in entry.said:
            assert said == said.strip()
            assert "  " not in said or "  " in entry.sentence
            end = entry.sentence.rstrip("”")[-1]
            if end in alike:
                assert alike[end] in said.rstrip("”“»\u00a0")[-2:], (entry.sentence, said)
        if re.search("[a-z]{3}", re.sub(r"\{\w+\}", "", entry.sentence)):
            assert entry.said[0] != entry.sentence or entry.sentence in SAME


@pytest.mark.parametrize("language", PROMISED)
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    assert CATALOGUES[language].plurals == 2
    words = Translator.of(language)
    forms = [
        words.plural("{n} token", "{n} tokens", number).format(n=number) for number in range(4)
    ]
    # French counts nothing as one (CLDR plural rules); the others count it as many.
    many = {"fr": "jetons", "de": "Marken", "es": "fichas", "nl": "fiches"}[language]
    assert [many in form for form in forms] == [language != "fr", False, True, True]


def lacking(face: Face, letters: str) -> list[str]:
    """Return those letters that a font shows as the box it has for what it does not have."""

    def drawn(letter: str) -> bytes:
        return pygame.image.tobytes(font(face, 40).render(letter, True, (0, 0, 0)), "RGBA")

    box = drawn("\U0010fffd")  # of the last private plane: nobody's letter
    return [letter for letter in letters if not letter.isspace() and drawn(letter) == box]


@pytest.mark.parametrize("language", SPOKEN)
def test_our_fonts_have_every_letter(language: str) -> None:
    said = "".join(said for e in CATALOGUES[language].entries for said in e.said)
    letters = "".join(sorted({*said, *language_of(language).letters, *language_of(language).name}))
    for face in (Face.PLAIN, Face.TITLE):
        assert not lacking(face, letters), face


def test_other_peoples_letters_are_there_as_the_page_says() -> None:
    european = "ĄąČčĐđĘęĞğŁłŇňŐőŘřŞşȚțŮůŹźŻżÞþÅåÆæØøΑαΩωάБбЖжЯяЁёЇї"
    for face in (Face.PLAIN, Face.TITLE):
        assert not lacking(face, european), face
        assert lacking(face, "漢字") == ["漢", "字"]


@pytest.mark.parametrize("language", SPOKEN)
def test_gettexts_own_checker_agrees(language: str, tmp_path: Path) -> None:
    path = LOCALES / language / "LC_MESSAGES" / "boneace.po"
    made = tmp_path / "boneace.mo"
    try:
        checked = subprocess.run(
            ["msgfmt", "--check-format", "--check-domain", "-o", str(made), str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("gettext's msgfmt is not installed")
    assert checked.returncode == 0, checked.stderr
    with made.open("rb") as file:
        theirs = gettext.GNUTranslations(file)
    ours = translations(language)
    for entry in CATALOGUES[language].entries:
        assert ours.gettext(entry.sentence) == theirs.gettext(entry.sentence)
        for number in range(3):
            args = (entry.sentence, entry.plural or "", number)
            assert ours.ngettext(*args) == theirs.ngettext(*args)


def test_every_sentence_of_the_rules_is_there() -> None:
    """What stands in the source of the rules pages, the pages turned have shown as well."""
    written = set()
    for path in sorted((ROOT / "engine" / "games").glob("*/rulebook.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if is_told(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                sentence = node.value
                if sentence.endswith(".") and " " in sentence and sentence not in told:
                    written.add(sentence)
    assert len(written) > 100
    assert written <= set(SENTENCES), "turn more pages in display/i18n/rulebook_messages.py"


def is_told(node: ast.AST) -> bool:
    return isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)


@pytest.mark.parametrize("language", SPOKEN)
def test_every_page_of_rules_can_be_put_together(language: str) -> None:
    words = Translator.of(language)
    for game in catalog.all_games():
        for preset in game.presets:
            for section in game.rules(catalog.make_options(game, preset, {})):
                assert words(section.heading)
                for rule in section.rules:
                    said = words(rule.text).format(**rule.values)
                    assert "{" not in said
                    assert said != str(rule), "an English sentence among the others"


def test_every_game_of_the_registry_has_a_name_to_translate() -> None:
    lacking = [game.title for game in catalog.all_games() if game.title not in SENTENCES]
    assert not lacking, "run: make messages, then translate them"


def test_the_glossary_has_the_period_words_in_every_language() -> None:
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    rows = {
        row.split("|")[1].strip(): [cell.strip() for cell in row.split("|")[2:-1]]
        for row in page.splitlines()
        if row.startswith("|")
    }
    for word in ("stick", "have it", "eldest", "bone-ace", "the Bone", "out", "misdeal", "token"):
        assert len(rows[word]) == len(rows["English"]) >= 1 + len(PROMISED), word
        assert all(rows[word]), word


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("seats", [4, 8])
def test_what_the_croupier_says_fits_on_the_small_panel(at: At, language: str, seats: int) -> None:
    screen = TableScreen((800, 480), language=language)
    surface = pygame.Surface((800, 480))
    for moment in ("cut", "deal-up", "turn", "asked", "showdown", "won-31"):
        view, _prompt = at(seats, moment)
        prompt = prompt_for(view, language)
        written = screen.draw(surface, view, prompt)
        cut = [piece.text for piece in written if piece.text.endswith(ELLIPSIS)]
        # Names of twenty letters may be cut; our own words beside common names may not.
        long = [seat.name[:6] for seat in view.seats if len(seat.name) == 20]
        assert not [text for text in cut if not any(name in text for name in long)], moment
        for piece in written:
            assert piece.box.contains(piece.ink), piece.text


def test_a_line_is_not_broken_before_a_french_colon() -> None:
    pen = TextPainter(pygame.Surface((400, 300)), SurfaceCache())
    text = " ".join(["Bess\u00a0: rester\u00a0?"] * 4)
    for width in range(60, 150, 10):
        pen.paragraph(text, pygame.Rect(10, 10, width, 280), 14, (255, 255, 255))
    assert len(pen.written) > 20
    assert not [piece.text for piece in pen.written if piece.text[0] in ":?"]


def test_the_house_speaks_one_language_at_a_time() -> None:
    assert _("Nobody pays.") == "Nobody pays."
    set_language("de_AT")
    assert current_language() == "de_AT"
    assert _("Nobody pays.") == "Niemand zahlt."
    assert Translator.of("es")("Nobody pays.") == "Nadie paga."


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        pytest.param({"LANG": "fr_BE.UTF-8"}, "fr", id="lang"),
        pytest.param({"LANG": "fr_FR", "LC_ALL": "nl_NL.UTF-8"}, "nl", id="lc-all-first"),
        pytest.param({"LANG": "fr_FR", "LC_MESSAGES": "de_DE@euro"}, "de", id="messages"),
        pytest.param({"LANG": "it_IT", "LANGUAGE": "pt:es_MX:fr"}, "es", id="first-there-is"),
        pytest.param({"LANG": "C.UTF-8", "LANGUAGE": "fr"}, "en", id="plain-machine"),
        pytest.param({"LANG": "ja_JP.UTF-8"}, "en", id="none-of-ours"),
        pytest.param({}, "en", id="nothing"),
    ],
)
def test_language_of_the_environment(environment: dict[str, str], language: str) -> None:
    assert language_of_environment(environment) == language


@pytest.mark.parametrize("name", ["../fr", "fr/..", "", "xx"])
def test_no_language_is_a_path(name: str) -> None:
    assert type(translations(name)) is gettext.NullTranslations or base(name) == "fr"


@given(
    st.lists(
        st.tuples(
            st.text(
                st.characters(exclude_categories=["Cs", "Cc"], include_characters='\n\t"\\'),
                min_size=1,
            ),
            st.text(min_size=1, alphabet='aé„"\\\n\t{}n '),
        ),
        unique_by=lambda pair: pair[0],
        max_size=6,
    )
)
def test_catalogues_read_back(pairs: list[tuple[str, str]]) -> None:
    entries = tuple(Entry(sentence, None, (said,)) for sentence, said in pairs)
    made = Catalogue("Content-Type: text/plain; charset=UTF-8\n", entries)
    assert parse(dump(made)) == made
    spoken = made.translations()
    for entry in entries:
        assert spoken.gettext(entry.sentence) == entry.said[0]


def test_comments_flags_and_plurals_read_back() -> None:
    header = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n > 1);\n"
    entry = Entry(
        "{n} card", "{n} cards", ("{n} carte", "{n} cartes"), ("a.py", "b.py"), ("hint",), ("note",)
    )
    made = Catalogue(header, (entry, replace(entry, sentence="{n} c", fuzzy=True)), ("on top",))
    assert parse(dump(made)) == made
    spoken = made.translations()
    assert spoken.ngettext("{n} card", "{n} cards", 0) == "{n} carte"
    assert spoken.ngettext("{n} c", "{n} cards", 2) == "{n} cards", "a guess is not shown"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param('"lost"', "line 1: a string belongs to nothing", id="lost"),
        pytest.param('msgid "a"\nmsgid "b', "line 2: 'msgid \"b' is not understood", id="open"),
        pytest.param('msgctxt "x"', "is not understood; write msgid", id="context"),
        pytest.param('msgid "a"\nmsgstr "b"\nmsgstr "c"', "a second msgstr", id="twice"),
        pytest.param('msgid "a"\nmsgstr "b"c"', "is no string", id="quote"),
    ],
)
def test_broken_catalogues_name_line_and_cure(text: str, words: str) -> None:
    with pytest.raises(CatalogueError, match=re.escape(words)):
        parse(text)


def test_sentences_are_found_in_the_source() -> None:
    source = (
        'x = _("Hello, "\n    "table")\n# Translators: a button\n# on the panel\n'
        'y = N_("Go")\nz = words.plural("{n} bone", "{n} bones", n)\nw = _(x)\n'
    )
    wrong: list[str] = []
    found = sentences(source, "a.py", wrong)
    assert [(each.sentence, each.plural, each.hint) for each in found] == [
        ("Hello, table", None, ""),
        ("Go", None, "a button on the panel"),
        ("{n} bone", "{n} bones", ""),
    ]
    assert not wrong
    sentences('_(f"{name} wins")', "b.py", wrong)
    assert "b.py:1: an f-string cannot be looked up" in wrong[0]


def test_merging_keeps_what_is_there_and_guesses_what_is_alike() -> None:
    header = "Plural-Forms: nplurals=2; plural=(n != 1);\n"
    old = Catalogue(
        header,
        (
            Entry("Stay", None, ("Bleib",), notes=("short",)),
            Entry("Gone with the wind", None, ("Vom Winde verweht",)),
            Entry("Press the green button", None, ("Grüne Taste drücken",)),
        ),
    )
    new = [
        Entry("Stay", None, where=("a.py",)),
        Entry("Press the red button", None),
        Entry("{n} die", "{n} dice", ("", "")),
    ]
    stay, button, dice = merge(old, new).entries
    assert (stay.said, stay.notes, stay.where) == (("Bleib",), ("short",), ("a.py",))
    assert (button.said, button.fuzzy) == (("Grüne Taste drücken",), True)
    assert dice.said == ("", "")
    assert not dice.is_done


def test_a_new_language_begins_empty_and_is_told(tmp_path: Path) -> None:
    room = tmp_path / "display"
    room.mkdir()
    (tmp_path / "device").mkdir()
    (room / "a.py").write_text('_("Go")\n', encoding="utf-8")
    told = update(tmp_path, tmp_path / "locales", ["it"])
    assert told == ["it: 1 of 1 sentences to be translated"]
    path = tmp_path / "locales" / "it" / "LC_MESSAGES" / "boneace.po"
    path.write_text(path.read_text().replace('msgid "Go"\nmsgstr ""', 'msgid "Go"\nmsgstr "Via"'))
    assert update(tmp_path, tmp_path / "locales") == []
    assert parse(path.read_text()).translations().gettext("Go") == "Via"


def test_the_template_is_up_to_date() -> None:
    template = parse((LOCALES / "boneace.pot").read_text(encoding="utf-8"))
    assert [entry.sentence for entry in template.entries] == list(SENTENCES), "run: make messages"
