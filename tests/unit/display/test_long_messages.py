"""Nothing cut off: every sentence that the table may show, with its longest values.

What is to be drawn comes from the catalogue: a sentence of a new place is told to go somewhere.
The titles and notes of the screens around the game are drawn in ``test_long_pages.py``.
"""

import ast
import re
from dataclasses import replace
from itertools import combinations

import pygame
import pytest
from babel.messages.pofile import read_po

from device.croupier.messages import does_not_count
from device.croupier.scat import messages as in_middle
from display import PromptKind, PromptText, TableScreen, prompt_for
from display.drawing.text import ELLIPSIS
from display.drawing.theme import PROMISED_CAPS, THEMES
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.pages.list import Item, ListPage
from display.pages.renderer import PageScreen
from display.table.layout import lay_out
from display.table.prompt_bar import PromptBar, bar_height
from engine import Card
from engine.core.messages.message import Listing, Message
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import the_card
from tests.support.paths import ROOT
from tests.support.table_moments import moments

POT = ROOT / "display" / "i18n" / "locales" / "boneace.pot"
SAYS = re.compile(r"device/(croupier|runtime)/|engine/games/(\w+/)?prompts")
NAME = "Bartholomew Whit"  # sixteen letters, the most that can be typed
LONGEST = 110
"""Letters: longer ones are whole rules, and stand in no title."""

SIZES = ((800, 480), (1280, 720), (1920, 1080))
LOOKS = [(size, theme) for theme in THEMES for size in SIZES]
SHORT = 30
"""Letters of a row that has a value beside it."""

LETTERS = 60
"""A title of no more keeps the size that the look for large words promises."""
QUEEN = the_card(Card.parse("QD"))
NAMED = ("name", "other", "who", "to", "dealer", "winner", "payer", "payee")
VALUES = {
    **dict.fromkeys(NAMED, NAME),
    "names": Listing((NAME, "Wilhelmina", "Ann")),
    **dict.fromkeys(("card", "was"), QUEEN),
    "ace": Message("the ace of diamonds"),
}
PLACES = {
    "table": SAYS,
    "hint": re.compile(r"engine/games/(\w+/)?hints"),
    "page": re.compile(r"device/(booth|feed|service)/|display/pages/|engine/worth/"),
    "page of rules": re.compile(
        r"/(rulebook|background|sources|options|bone_ace|rules|counting_game|play)\.py"
    ),
    "plate, centre or moment": re.compile(r"display/table/|engine/games/moments"),
    "part of a sentence": re.compile(r"engine/core/|display/(controls|i18n|drawing)"),
    "browser": re.compile(r"device/(hall|web)/"),  # it wraps; tests/acceptance/web looks at it
    "below the window": re.compile(r"hardware/key_names"),  # tests/unit/device/runtime/test_typing
    "heard or printed": re.compile(
        r"/(story|chances|app)\.py|device/(narration|printing|reports|commands|simulator)/"
    ),
}
"""Where a sentence may stand, by the file that says it."""

KEYS = (KeyHint("have", "one more card"), KeyHint("stick", "no more"), KeyHint("undo", "back"))
"""In five languages they are about as long."""

MENU = KeyHint("menu", "")
CHANCE = Message(
    "For onlookers: {hint}",
    hint=Message("One more card: over {target} in {n} of 100.", target=31, n=20),
)
NOBODY = Message("Nobody is asked just now.")


def sentences(place="table", longest=LONGEST):
    """Return every sentence that may stand at a place, with its plural."""
    with POT.open("rb") as file:
        for entry in read_po(file):
            ids = entry.id if isinstance(entry.id, tuple) else (entry.id, "")
            said = any(PLACES[place].search(path) for path, _line in entry.locations)
            if entry.id and said and len(ids[0]) <= longest:
                yield ids


def of_keys():
    """Return what is written beside a key, anywhere in the program."""
    for path in (path for name in ("device", "engine") for path in (ROOT / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name("KeyHint"),
                    args=[_, ast.Call(func=ast.Name("Message"), args=[ast.Constant(text), *_])],
                ):
                    yield text


def bar_of(screen, surface, prompt):
    """Draw the bar of *prompt*, and return what was written."""
    canvas, view = screen._canvas(surface), moments(4)["turn"][0]
    canvas.painter.written.clear()
    high = bar_height(canvas, view, prompt, screen.size[0])
    PromptBar(canvas, prompt, lay_out(screen.size, 4, bar=high).prompt_bar).draw()
    return canvas.painter.written


def check_whole(written, what):
    """Refuse what is cut off, or lies over anything else."""
    for piece in written:
        assert not piece.text.endswith(ELLIPSIS), what
        assert piece.box.contains(piece.ink), what
    for one, other in combinations(written, 2):
        assert not one.ink.colliderect(other.ink), (what, one.text, other.text)


def with_longest_values(ids):
    names = set(re.findall(r"{(\w+)}", " ".join(ids)))
    return Message(*ids, 41, **{name: VALUES.get(name, 41) for name in names})


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_no_title_is_cut_off(language):
    say, cut = Translator.of(language).render, []
    said = [say(with_longest_values(ids)) for ids in sentences()]
    assert len(said) > 150
    for size, theme in LOOKS:
        screen = TableScreen(size, theme=THEMES[theme], language=language)
        surface = pygame.Surface(size)
        for title in said:
            for kind, keys in ((PromptKind.TURN, ()), (PromptKind.QUESTION, KEYS)):
                prompt = PromptText(title, "Ann", kind=kind, keys=keys)
                written = bar_of(screen, surface, prompt)
                lines = written[: len(written) - 1 - 2 * len(keys)]
                detail = written[-1]
                assert detail.text == "Ann"
                if any(piece.text.endswith(ELLIPSIS) and not title.endswith(ELLIPSIS)
                       for piece in lines):  # fmt: skip
                    cut.append((size, theme, title))
                for piece in lines:
                    assert piece.box.contains(piece.ink), title
                    assert not piece.ink.colliderect(detail.ink), (size, theme, title)
                    if THEMES[theme].least and len(title) <= LETTERS:
                        # A letter with an accent above it may be a pixel lower.
                        assert piece.cap >= PROMISED_CAPS * size[1] - 1, (size, theme, title)
    assert cut == []


def longest_of(texts):
    """Return the longest of *texts*: where they fit, all others do."""
    return sorted(texts, key=len)[-60:]


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_no_notice_refusal_hint_or_key_is_cut_off(language):
    say, usual = Translator.of(language).render, prompt_for(moments(4)["turn"][0], language)
    notices = [say(with_longest_values(ids)) for ids in sentences(longest=999)]
    notices += [say(each.text) for each in (does_not_count(NAME), in_middle.does_not_count())]
    hints = [say(with_longest_values(ids)) for ids in sentences("hint", longest=999)]
    keys = [say(Message(text)) for text in {*of_keys()}]
    back = KeyHint("undo", say(Message("back")))
    finished = [moments(4)[name][0] for name in ("won-31", "shared", "all-out")]
    assert len(notices) > 350
    assert len(hints) > 30
    assert len(keys) > 30
    prompts = [
        *(replace(usual, detail=each, refused=each) for each in longest_of(notices)),
        *(
            replace(usual, detail=each, kind=PromptKind.QUESTION, keys=KEYS)
            for each in longest_of(notices)
        ),
        *(
            replace(usual, hint=say(Message("For onlookers: {hint}", hint=each)))
            for each in longest_of(hints)
        ),
        *(
            replace(over, hint=each, keys=(KeyHint("next", say(Message("next hand"))), MENU))
            for over in (prompt_for(view, language) for view in finished)
            for each in longest_of(hints)[-10:]
        ),
        *(replace(usual, keys=(KeyHint("have", each), back)) for each in longest_of(keys)),
    ]
    for size, theme in LOOKS:
        screen = TableScreen(size, theme=THEMES[theme], language=language)
        surface = pygame.Surface(size)
        for prompt in prompts:
            check_whole(bar_of(screen, surface, prompt), (size, theme, prompt))


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_no_row_of_a_page_and_no_key_below_it_is_cut_off(language):
    say = Translator.of(language).render
    texts = [say(with_longest_values(ids)) for ids in sentences("page", longest=LETTERS)]
    rows = [*longest_of(texts), *longest_of(text for text in texts if len(text) <= SHORT)]
    keys = [say(Message(text)) for text in {*of_keys()}]
    assert len(texts) > 200
    for size, theme in LOOKS:
        screen = PageScreen(size, theme=THEMES[theme], language=language)
        surface = pygame.Surface(size)
        for first in range(0, len(rows), 8):
            items = tuple(
                Item(text, NAME if len(text) <= SHORT else "") for text in rows[first : first + 8]
            )
            key = KeyHint("have", keys[first // 8 % len(keys)])
            page = ListPage(title="Ann", items=items, hints=(key, *KEYS[1:]))
            check_whole(screen.draw(surface, page).written, (size, theme, page))


def test_every_sentence_of_the_catalogue_has_its_place():
    with POT.open("rb") as file:
        for entry in read_po(file):
            for path, _line in entry.locations:
                assert any(place.search(path) for place in PLACES.values()), (path, entry.id)


@pytest.mark.parametrize("panel", SIZES)
def test_a_hint_on_a_line_of_its_own_takes_nothing_from_a_large_title(panel):
    screen, view = TableScreen(panel, theme=THEMES["large"]), moments(4)["all-out"][0]
    deals = "All the others are out. Ann deals next. Clear the mat for the next hand."
    keys = (KeyHint("next", "next hand"), MENU)
    over = replace(prompt_for(view), title="Ann wins", detail=deals, keys=keys)
    hinted = replace(over, hint="All the others were out before, in the order of their cards.")
    (plain, caps) = (
        {piece.text: piece.cap for piece in screen.draw(pygame.Surface(panel), view, prompt)}
        for prompt in (over, hinted)
    )
    assert hinted.hint in caps
    assert caps[over.title] == plain[over.title]


@pytest.mark.parametrize("panel", SIZES)
def test_a_hint_stands_on_a_line_of_its_own_rather_than_in_small_letters(panel):
    view = moments(4)["all-out"][0]
    prompt = replace(
        prompt_for(view),
        detail="Ann deals next. Clear the mat for the next hand.",
        hint="The bank has 18: only more than that wins, and a tie is lost.",
    )
    written = TableScreen(panel).draw(pygame.Surface(panel), view, prompt)
    assert min(piece.cap for piece in written if piece.text == prompt.hint) >= 0.027 * panel[1]


@pytest.mark.parametrize("panel", SIZES)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("beside", [{}, {"hint": CHANCE},
                                    {"hint": CHANCE, "refused": NOBODY}])  # fmt: skip
def test_a_question_is_large_though_much_stands_beside_it(language, panel, beside):
    view = moments(4)["turn"][0]
    say = Translator.of(language).render
    prompt = replace(
        prompt_for(view, language),
        detail=Message("Look at your cards: as near to 31 as you can, not over it."),
        keys=(
            KeyHint("have", Message("one more card")),
            KeyHint("stick", Message("no more")),
            MENU,
        ),
        **{name: say(text) for name, text in beside.items()},
    )
    screen = TableScreen(panel, language=language)
    written = screen.draw(pygame.Surface(panel), view, prompt)
    caps = {piece.text: piece.cap for piece in written}
    # An accent on a capital takes a little of the height.
    assert caps[say(prompt.title)] >= 0.9 * max(caps.values())
    assert caps[say(prompt.detail)] >= 0.027 * panel[1]
    last = prompt.refused or prompt.hint
    assert not last or caps[last] >= 0.02 * panel[1]
    inks = [piece.ink for piece in written]
    assert not any(one.colliderect(other) for one, other in combinations(inks, 2))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("answers", [(), ("Yes", "No")])
def test_a_refused_press_leaves_a_question_as_large_as_it_was(language, answers):
    say = Translator.of(language).render
    prompt = replace(
        prompt_for(moments(4)["turn"][0], language),
        detail=say(Message("Look at your cards: as near to 31 as you can, not over it.")),
        choices=tuple(say(Message(answer)) for answer in answers),
        keys=tuple(KeyHint(key.button, say(Message(key.message))) for key in KEYS),
    )
    for size, theme in LOOKS:
        screen = TableScreen(size, theme=THEMES[theme], language=language)
        surface = pygame.Surface(size)
        before, during = (
            list(bar_of(screen, surface, replace(prompt, refused=refused)))
            for refused in ("", say(NOBODY))
        )
        assert [piece.text for piece in before if piece not in during] == [prompt.detail]
        (why,) = [piece for piece in during if piece not in before]
        assert why.text == say(NOBODY)
        assert why.cap >= 0.02 * size[1]


def test_large_words_leave_room_between_title_and_detail():
    size = SIZES[0]
    screen = TableScreen(size, theme=THEMES["large"])
    canvas = screen._canvas(pygame.Surface(size))
    prompt = PromptText("Ann and Bess share the winning", "Cut for the next deal.")
    bar = lay_out(
        size, 4, bar=bar_height(canvas, moments(4)["turn"][0], prompt, size[0])
    ).prompt_bar
    PromptBar(canvas, prompt, bar).draw()
    title, detail = canvas.painter.written[-2:]
    assert detail.ink.top - title.ink.bottom >= 0.01 * size[1]
