"""What is heard of whole hands: everything heard has been seen, everything asked is heard."""

import itertools
from dataclasses import replace

import pytest

from device.clock import HandClock
from device.narration.announcer import (
    Announcer,
    NarratedScreen,
    chime_for,
    marked,
    spoken,
)
from device.narration.calls import spoken_lines
from device.narration.speech import SilentSpeaker
from device.ports import Talk
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from display import PromptKind, PromptText, prompt_for
from display.chimes import Chime
from engine import (
    TABLE,
    Card,
    Deal,
    Facing,
    Have,
    Phase,
    Player,
    Stick,
    Undo,
    apply,
    new_table,
    view,
)
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import card_words
from engine.core.views import SeatView, View
from tests.support.mat_readings import NAMES, croupier_at_seats
from tests.support.paper_players import PaperPeople


def cards(text):
    return tuple(Card.parse(code) for code in text.split())


def seats(**change):
    made = [SeatView(seat, name) for seat, name in enumerate(("Ann", "Bess", "Seat three"))]
    return (*made[:2], replace(made[2], **change))


def at_play(**change):
    return View("knucklebones", "x", Phase.PLAY, 1, 1, seats(**change), dealer=0, turn=2)


def test_a_total_that_all_may_see_is_spoken_with_the_question():
    seen = at_play(total=17)
    assert spoken(prompt_for(seen), seen).startswith("Seat three: 17. Stick, or have it?")


def test_a_hidden_total_is_not_spoken():
    seen = at_play(cards=(None, None, None))
    words = spoken(prompt_for(seen), seen)
    assert words == "Seat three: stick, or have it? 3 cards in hand."


def test_cards_to_choose_from_are_spoken_for_who_cannot_see_them():
    prompt = PromptText(
        "Which card is Bess's?",
        card_choices=cards("7H 9H"),
        kind=PromptKind.QUESTION,
        keys=(KeyHint("have", "the one marked"), KeyHint("stick", "the next one")),
    )
    seen = at_play()
    assert spoken(prompt, seen) == (
        "Which card is Bess's? It may be the seven of hearts or the nine of hearts. "
        "HAVE IT: the one marked. STICK: the next one."
    )
    assert marked(replace(prompt, selected=1)) == "Marked: the nine of hearts."
    assert marked(PromptText("Well?", choices=("Yes",))) == ""


def heard_of(*steps):
    speaker = SilentSpeaker()
    announcer = Announcer(speaker)
    for prompt in steps:
        announcer.watch(prompt, at_play())
    return list(speaker.heard)


def test_a_prompt_is_said_once_and_the_mark_each_time_it_moves():
    ask = PromptText("Which?", card_choices=cards("7H 9H"), kind=PromptKind.QUESTION)
    heard = heard_of(ask, ask, replace(ask, selected=1), replace(ask, selected=1), ask)
    assert heard == [
        ("chime", "question"),
        ("say", "Which? It may be the seven of hearts or the nine of hearts."),
        ("say", "Marked: the nine of hearts."),
        ("say", "Marked: the seven of hearts."),
    ]


def test_trouble_chimes_when_it_begins():
    trouble = PromptText("I cannot see the table.", kind=PromptKind.TROUBLE)
    heard = heard_of(trouble, replace(trouble, detail="Check the cable."), PromptText("Ann: play."))
    assert [what for kind, what in heard if kind == "chime"] == ["trouble"]
    assert heard[-1] == ("say", "Ann: play.")


@pytest.fixture
def state():
    """Three players with two backs each; the third cards are still to come."""
    table = new_table("bone-ace", [Player(seat, NAMES[seat]) for seat in range(3)], dealer=2)
    for seat in (0, 1, 2, 0, 1, 2):
        table = apply(table, Deal(seat, None))
    return table


def step(state, event):
    before = view(state, TABLE)
    state = apply(state, event)
    after = view(state, TABLE)
    return state, chime_for(event, before, after), spoken_lines(event, before, after)


def test_chimes_of_a_hand(state):
    state, chime, told = step(state, Deal(0, *cards("KC"), Facing.UP))
    assert (chime, told) == (Chime.CARD, ["Ann's card is turned up: the king of clubs."])
    state, _, _ = step(state, Deal(1, *cards("AH"), Facing.UP))
    state, chime, told = step(state, Deal(2, *cards("9C"), Facing.UP))
    assert chime is Chime.BONE_ACE
    assert told[-1].startswith("Bess has the Bone with the ace of hearts!")
    state, chime, told = step(state, Have(0))
    assert (chime, told) == (None, []), "the player has said it himself"
    state, chime, told = step(state, Deal(0, None))
    assert (chime, told) == (Chime.CARD, []), "a back is nobody's business"
    state, chime, _ = step(state, Stick(0))
    assert chime is Chime.TURN
    state, chime, told = step(state, Undo())
    assert (chime, told) == (Chime.UNDO, ["What Ann did last is taken back."])


def test_what_is_taken_back_is_not_said_to_the_end(state):
    speaker = SilentSpeaker()
    after = view(state, TABLE)
    Announcer(speaker).listen(Undo(), after, after)
    assert [kind for kind, _ in speaker.heard] == ["chime", "hush", "say"]


class Screen:
    def __init__(self):
        self.shown = []

    def show(self, view, prompt=None, time_s=0.0):
        self.shown.append(prompt)


def test_whole_hands_are_heard_as_they_are_seen(tmp_path):
    """Two hands through the croupier: no word of a hidden card, each prompt and result once."""
    with Journal(tmp_path / "journal.sqlite3") as journal:
        company = [Player(seat, NAMES[seat]) for seat in range(3)]
        session = Session.begin(journal, HandClock(), "bone-ace", company, dealer=2)
        speaker, glass = SilentSpeaker(), Screen()
        announcer = Announcer(speaker, talk=Talk.ALL)
        session.listeners.append(announcer.listen)
        screen = NarratedScreen(glass, announcer, speaker)
        people, croupier = PaperPeople(3), croupier_at_seats()
        seen = set()

        def follow(advice):
            while advice.events:
                for event in advice.events:
                    session.apply(event)
                    screen.show(session.view, prompt_for(session.view))
                    for seat in session.view.seats:
                        seen.update(card for card in seat.cards if card is not None)
                advice = croupier.reinterpret(session.state)

        while not (session.view.phase is Phase.DONE and session.view.hand_number == 2):
            for press in people.act(session.view):
                follow(croupier.on_press(press, session.state))
            follow(croupier.on_reading(people.mat.reading(), session.state))
    heard = [what for kind, what in speaker.heard if kind == "say"]
    chimes = {what for kind, what in speaker.heard if kind == "chime"}
    assert {"card", "turn", "bone", "win"} <= chimes
    for prompt in dict.fromkeys(glass.shown):
        assert any(prompt.title.rstrip(".") in text for text in heard), prompt.title
    everything = " ".join(heard)
    for rank in "A23456789TJQK":
        for suit in "SHDC":
            card = Card.parse(rank + suit)
            if card not in seen:
                assert str(card_words(card)) not in everything
    assert all(one != other for one, other in itertools.pairwise(heard))


def test_a_table_without_a_screen_is_heard_all_the_same():
    speaker = SilentSpeaker()
    NarratedScreen(None, Announcer(speaker), speaker).show(at_play(), PromptText("Ann: play."))
    assert list(speaker.heard) == [("say", "Ann: play.")]


def test_it_says_again_what_was_said_last_and_then_all_of_the_moment():
    speaker, seen = SilentSpeaker(), at_play(total=17)
    announcer = Announcer(speaker)
    prompt = prompt_for(seen)
    announcer.watch(prompt, seen)
    announcer.watch(replace(prompt, refused="NEXT begins the next hand."), seen)
    speaker.heard.clear()
    for asked in (1, 2, 2, 3):
        announcer.watch(replace(prompt, asked=asked), seen)
    assert [what for _kind, what in speaker.heard] == [
        "NEXT begins the next hand.",
        *["Seat three: 17. Stick, or have it? 0 cards in hand."] * 2,
    ]


def test_what_somebody_asked_for_is_told_each_time():
    speaker, seen = SilentSpeaker(), at_play(total=17)
    announcer = Announcer(speaker)
    prompt = prompt_for(seen)
    announcer.watch(prompt, seen)
    speaker.heard.clear()
    for asked in (1, 2):
        told = replace(prompt, asked=asked, told="Ann leads with 3 tokens.", shows_told=True)
        announcer.watch(told, seen)
    announcer.watch(replace(told, shows_told=False), seen)
    assert list(speaker.heard) == [("say", "Ann leads with 3 tokens.")] * 2


def test_it_speaks_its_language():
    speaker = SilentSpeaker()
    seen = at_play(total=17)
    Announcer(speaker, "de").watch(prompt_for(seen, "de"), seen)
    assert speaker.heard[0][1].startswith("Seat three: 17. Bleiben oder Karte?")
