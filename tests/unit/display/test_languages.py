"""Every language says everything, with every placeholder, in letters that our fonts have."""

from __future__ import annotations

import ast
import gettext
import re
import string
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pygame
import pytest
from babel.messages.extract import extract, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from display import PromptText, TableScreen, prompt_for
from display.drawing.text import ELLIPSIS, Face, SurfaceCache, TextPainter, font
from display.i18n.languages import (
    ENGLISH,
    LANGUAGES,
    base,
    language_of,
    language_of_environment,
    languages,
    translations,
)
from display.i18n.translate import Translator
from engine.core.options import OneOf, OptionError, describe
from engine.core.views import View
from engine.games import catalog
from engine.games.base import Game
from tests.support.paths import ROOT

At = Callable[[int, str], tuple[View, PromptText | None]]

PROMISED = ("de", "es", "fr", "nl")
SPOKEN = tuple(name for name in languages() if name != ENGLISH and not LANGUAGES.plugin_of(name))
"""Our own languages; one more is tested like these."""
PACKAGES = ("display", "device", "engine", "vision")
LOCALES = ROOT / "display" / "i18n" / "locales"
MAPPINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"]


class Entry(NamedTuple):
    sentence: str
    plural: str | None
    said: tuple[str, ...]
    is_done: bool
    hints: tuple[str, ...] = ()


def entries(path: Path) -> tuple[Entry, ...]:
    found = []
    for each in read_po(BytesIO(path.read_bytes())):
        if each.id:
            id, said = each.id, each.string
            one, many = (id, None) if isinstance(id, str) else id
            forms = (said,) if isinstance(said, str) else tuple(said)
            done = all(forms) and not each.fuzzy
            found.append(Entry(one, many, forms, done, tuple(each.auto_comments)))
    return tuple(found)


def extracted() -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    methods = [(each["pattern"], each["method"]) for each in MAPPINGS]
    for room in ("display", "device", "engine"):
        for _path, _line, id, comments, _context in extract_from_dir(ROOT / room, methods):
            yield (id, None, tuple(comments)) if isinstance(id, str) else (*id, tuple(comments))


SENTENCES: dict[str, str | None] = {}
HINTS: dict[str, list[str]] = {}
for one, many, hints in extracted():
    SENTENCES[one] = SENTENCES.get(one) or many
    HINTS.setdefault(one, []).extend(hint for hint in hints if hint not in HINTS.get(one, ()))
SAME = {
    "{read}; {asked}.",  # in all but French
    "Bone-Ace",  # the name of the game everywhere
    "D",  # French donneur
    "Enter",  # in Dutch, as the next
    "Backspace",
    "Page Down",
    "Esc",
    "J",  # Spanish
    "Q",
    "K",  # German
    "Menu",
    "points",  # in French
    "{n} point",
    "{name} {n} point",
    "Hand {hand}",  # in Dutch
    "Bone-Ace!",
    "Scat",
    "Volume",
    "joker",
}
"""Sentences that may be the same in another language, and are in one of ours."""


def path_of(language: str, suffix: str = ".po") -> Path:
    return LOCALES / language / "LC_MESSAGES" / f"boneace{suffix}"


CATALOGUES = {language: entries(path_of(language)) for language in SPOKEN}


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
    there = {entry.sentence: entry for entry in CATALOGUES[language]}
    assert set(there) == set(SENTENCES), "run: make messages, then translate what is empty"
    left = [entry.sentence for entry in there.values() if not entry.is_done]
    assert not left, "translate these (and take the mark fuzzy away)"
    for sentence, entry in there.items():
        assert entry.plural == SENTENCES[sentence]


@pytest.mark.parametrize("language", SPOKEN)
def test_no_placeholder_is_lost_or_invented(language: str) -> None:
    for entry in CATALOGUES[language]:
        wanted = placeholders(entry.sentence)
        assert placeholders(entry.plural or entry.sentence) == wanted
        for said in entry.said:
            assert placeholders(said) == wanted, entry.sentence


@pytest.mark.parametrize("language", SPOKEN)
def test_sentences_are_translated_and_end_alike(language: str) -> None:
    alike = {"?": "?", "!": "!", ".": ".", ":": ":"}
    for entry in CATALOGUES[language]:
        for said in entry.said:
            assert said == said.strip()
            assert "  " not in said or "  " in entry.sentence
            end = entry.sentence.rstrip("”")[-1]
            if end in alike:
                assert alike[end] in said.rstrip("”“»\u00a0")[-2:], (entry.sentence, said)
        if re.search("[a-z]{3}", re.sub(r"\{\w+\}", "", entry.sentence)):
            assert entry.said[0] != entry.sentence or entry.sentence in SAME


@pytest.mark.parametrize("language", PROMISED)
def test_yes_and_no_are_words(language: str) -> None:
    translator = Translator.of(language)
    assert translator("yes").isalpha()
    assert translator("no").isalpha()


@pytest.mark.parametrize("language", PROMISED)
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    assert {len(entry.said) for entry in CATALOGUES[language] if entry.plural} == {2}
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
    said = "".join(said for e in CATALOGUES[language] for said in e.said)
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
    path = path_of(language)
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
    for entry in CATALOGUES[language]:
        assert ours.gettext(entry.sentence) == theirs.gettext(entry.sentence)
        for number in range(3):
            args = (entry.sentence, entry.plural or "", number)
            assert ours.ngettext(*args) == theirs.ngettext(*args)


def every_options(game: Game) -> Iterator[Any]:
    """Yield options with one change over each preset, and two over the first."""
    changes = [
        (info.name, value)
        for info in describe(game.options_type)
        if isinstance(info.choices, OneOf)
        for value in info.choices.values
    ]
    for preset in game.presets:
        tried: list[Mapping[str, object]] = [{}, *({name: value} for name, value in changes)]
        if preset is game.presets[0]:
            tried += [dict(pair) for pair in combinations(changes, 2) if pair[0][0] != pair[1][0]]
        for each in tried:
            try:
                yield catalog.make_options(game, preset, each)
            except OptionError:
                continue


@pytest.mark.parametrize("game", catalog.all_games(), ids=lambda game: game.name)
def test_every_sentence_of_the_rules_is_there(game: Game) -> None:
    """What the pages show stands in their source, where it is looked for."""
    shown: set[str] = set()
    for options in every_options(game):
        for section in game.rules(options):
            shown |= {section.heading, *(rule.text for rule in section.rules)}
    assert len(shown) > 15
    assert shown <= set(SENTENCES)


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
    page = (ROOT / "docs" / "how-to" / "languages.md").read_text(encoding="utf-8")
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


def test_a_language_is_that_of_its_translator_and_of_nothing_else() -> None:
    assert Translator.of("en")("Nobody pays.") == "Nobody pays."
    assert Translator.of("de_AT")("Nobody pays.") == "Niemand zahlt."
    assert Translator.of("es")("Nobody pays.") == "Nadie paga."


def test_there_is_no_current_language() -> None:
    """Sentences are looked up in the translator at hand: none is global, and none is set."""
    for path in sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        made = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
        assert not [node for node in made if "Translator." in ast.unparse(node)], path
        nodes = list(ast.walk(tree))
        shared = [name for node in nodes if isinstance(node, ast.Global) for name in node.names]
        assert not [name for name in shared if re.search("lang|transl|catalog", name)], path
        if path.parent.name == "i18n":
            kept = [each for node in nodes if isinstance(node, ast.Assign) for each in node.targets]
            kept = [each.value for each in kept if isinstance(each, ast.Attribute)]
            assert {ast.unparse(each) for each in kept} <= {"self"}, path
        names = {
            each.name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module == "display.i18n.translate"
            for each in node.names
        }
        assert names <= {"Translator"}, f"{path}: words without a translator: {names}"


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


@pytest.mark.parametrize("language", SPOKEN)
def test_the_compiled_catalogue_is_up_to_date(language: str) -> None:
    made = BytesIO()
    write_mo(made, read_po(BytesIO(path_of(language).read_bytes())))
    made.seek(0)
    fresh = vars(gettext.GNUTranslations(made))["_catalog"]
    with path_of(language, ".mo").open("rb") as file:
        there = vars(gettext.GNUTranslations(file))["_catalog"]
    assert len(there) > 800
    del fresh[""], there[""]  # the head names the version of Babel
    assert there == fresh, "run: make messages"


def found_in(source: str) -> list[tuple[object, list[str]]]:
    found = extract("display.i18n.extract.sentences", BytesIO(source.encode()))
    return [(id, comments) for _line, id, comments, _context in found]


def test_sentences_are_found_in_the_source() -> None:
    assert found_in(
        'x = _("Hello, "\n    "table")\n# Translators: a button\n# on the panel\n'
        'y = N_("Go")\nz = words.plural("{n} bone", "{n} bones", n)\nw = _(x)\n'
    ) == [
        ("Hello, table", []),
        ("Go", ["a button on the panel"]),
        (("{n} bone", "{n} bones"), []),
    ]
    with pytest.raises(ValueError, match="line 1: an f-string cannot be looked up"):
        found_in('_(f"{name} wins")')


def test_messages_are_found_however_deep_they_stand() -> None:
    assert found_in(
        'Message("{who} pay {n}", who=Listing((Message("all"), name)),\n'
        '        n=Message("{n} token", "{n} tokens", n, n=n if n else Message("nothing")))\n'
        'Message("{a}", a="Bess")\nMessage(text)\n'
    ) == [
        ("{who} pay {n}", []),
        ("all", []),
        (("{n} token", "{n} tokens"), []),
        ("nothing", []),
        ("{a}", []),
    ]


def test_the_template_is_up_to_date() -> None:
    template = entries(LOCALES / "boneace.pot")
    assert [entry.sentence for entry in template] == list(SENTENCES), "run: make messages"
    assert {entry.sentence: list(entry.hints) for entry in template} == HINTS


def test_every_sentence_is_given_what_it_names() -> None:
    """A name or number that a sentence is not given would stand on the screen as {name}."""
    looked_at = 0
    for path in (file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message"):
                continue
            texts = [text.value for text in node.args if isinstance(text, ast.Constant)]
            given = {value.arg for value in node.keywords}
            if texts and None not in given:
                parts = (part for text in texts for part in string.Formatter().parse(str(text)))
                where = f"{path}:{node.lineno}"
                assert {name for _, name, _, _ in parts if name} == given, where
                looked_at += 1
    assert looked_at > 500


def test_french_keeps_its_signs_with_their_words() -> None:
    """A no-break space stands before them: else a line may begin with one."""
    for entry in CATALOGUES["fr"]:
        for said in entry.said:
            assert not re.search(r" [:;?!»]|« ", said), said


@pytest.mark.parametrize("language", SPOKEN)
def test_one_form_of_address_and_words_that_are_not_meant(language: str) -> None:
    """What readers found: ankles for bones, a plural "you" beside the singular, a straight sign.

    And a player taken for a man, "more bones" for "no more", two words for one thing, who is paid
    for who pays, a key that is told by its own word again, two words for being out.
    """
    wrong = {
        "fr": r"\w'\w|\btu\b|\bton\b|\{name\}[^.?]*-t-il\b|«.Plus d|cette donne\b|partie nulle",
        "de": r"Knöchel|[Dd]iese Runde|Noch eine Runde|(?<=[a-zäöüß,] )(Sie|Ihnen|Ihre?)\b|Knöpfe"
        r"|(ZURÜCK|{undo})[^.?!]*\bzurück\b|\bzurück\b[^.?!]*ZURÜCK"
        r"|(?<!Spiel )(?<!Partie )\b(ist|sind|wären|waren|damit|alle|anderen|man|nicht|vorher"
        r"|sofort|diesem Spiel|\{name\}:?) aus\b(?! de[rm]\b| Einund)",
        "es": r"\b[Jj]ugad(la)?\b|\b[Cc]ortad\b|\b[Vv]uestr|\bvosotros\b|\b[Uu]sted|\bmóvil\b"
        r"|las noches",
        "nl": r"\bu\b|\buw\b|De rekening|[Gg]astheer|gooit? weg|Wie betaalt \{name\}"
        r"|(TERUG|{undo})[^.?!]*\bterug\b|\bterug\b[^.?!]*TERUG|deze ronde",
    }[language]
    for entry in CATALOGUES[language]:
        for said in entry.said:
            assert not re.search(wrong, said), said


ORIGINS = sorted({o.source for game in catalog.all_games() for o in describe(game.options_type)})
"""Where options come from: notes on the pages of rules."""

IN_ENGLISH = {"our", "ruling", "silent", "base", "the", "by", "or", "of", "is", "it", "say"}


@pytest.mark.parametrize("language", SPOKEN)
def test_where_an_option_comes_from_is_told_in_every_language(language: str) -> None:
    say = Translator.of(language)
    for note in ORIGINS:
        plain = re.sub(r"\b's\b", "", note)
        quoted = re.findall(r"'([^']*)'", plain)  # what a source says stays as it says it
        if IN_ENGLISH & set(re.findall(r"\b[a-z]+\b", re.sub(r"'[^']*'", "", plain))):
            assert say(note) != note
            assert all(words in say(note) for words in quoted), note
