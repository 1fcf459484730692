"""Sentences as values: how they are put together, and what stands for them in another language."""

import pytest

from engine.core.messages.message import (
    EnglishOr,
    Joined,
    Listing,
    Message,
    Style,
    Styled,
    as_sentence,
    as_title,
    or_list,
    render,
    sentences,
)

WORDS = {
    "{names} and {last}": "{names} und {last}",
    "{n} card": "{n} Karte",
    "{n} cards": "{n} Karten",
    "{who} wins.": "{who} gewinnt.",
    "Full.": "Voll.",
}


def german(id, plural, count):
    return WORDS[plural if plural and count != 1 else id]


@pytest.mark.parametrize(
    ("value", "english", "translated"),
    [
        ("Ann", "Ann", "Ann"),
        (7, "7", "7"),
        (Listing(("Ann",)), "Ann", "Ann"),
        (Listing(("Ann", "Bess", "Tom")), "Ann, Bess and Tom", "Ann, Bess und Tom"),
        (Message("{n} card", "{n} cards", 1, n=1), "1 card", "1 Karte"),
        (Message("{n} card", "{n} cards", 3, n=3), "3 cards", "3 Karten"),
        (
            Message("{who} wins.", who=Message("{n} card", "{n} cards", 2, n="two")),
            "two cards wins.",
            "two Karten gewinnt.",
        ),
        (Joined(("a", Message("Full.")), ", "), "a, Full.", "a, Voll."),
        (Styled(Message("Full."), Style.LOWER), "full.", "voll."),
        (Styled("the ace", Style.CAPITAL), "The ace", "The ace"),
        (as_title(Message("Full.")), "Full", "Voll"),
        (EnglishOr("Full with 8.", Message("Full.")), "Full with 8.", "Voll."),
    ],
)
def test_every_kind_of_value_in_two_languages(value, english, translated):
    assert render(value) == english == str(value)
    assert render(value, german) == translated


def test_a_title_becomes_its_own_sentence_again():
    said = Message("{who} wins.", who="Ann")
    assert as_sentence(as_title(said)) == said
    assert [str(as_sentence(end)) for end in ("Ann wins", "Thirty-one!", "Who?")] == [
        "Ann wins.", "Thirty-one!", "Who?",
    ]  # fmt: skip


def test_what_is_empty_leaves_no_space():
    assert sentences("", "") == ""
    assert sentences("", Message("Full.")) == Message("Full.")
    assert str(sentences("One.", "", "Two.")) == "One. Two."


@pytest.mark.parametrize(
    ("names", "said"), [((), ""), (("a",), "a"), (("a", "b", "c"), "a, b or c")]
)
def test_choices_are_joined_as_read_aloud(names, said):
    assert str(or_list(names)) == said


def test_equal_messages_are_one_value():
    assert Message("{who} wins.", who="Ann") == Message("{who} wins.", who="Ann")
    assert len({Message("Full."), Message("Full."), Message("{who} wins.", who="Ann")}) == 2
