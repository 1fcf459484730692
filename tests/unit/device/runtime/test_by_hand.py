"""The camera is lost in mid-hand: people enter the rest, at a booth too, until it is back."""

import random
from dataclasses import replace

import pytest

from device.clock import HandClock
from device.croupier.messages import cannot_see
from device.croupier.questions import answer_words
from device.narration.announcer import Announcer, marked, spoken
from device.narration.speech import SilentSpeaker
from device.ports import Button, Press, Talk
from device.runtime.camera_worker import NoCamera
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from engine import Phase, Player, SeatStatus
from tests.support.booth_rig import Company, Rig
from tests.support.entered import presses


@pytest.fixture
def rig(tmp_path):
    """A booth in mid-hand whose camera is gone."""
    made = Rig(tmp_path)
    made.start().play(Company(2, seed=3), lambda seen: seen.phase is Phase.PLAY)
    made.eyes.trouble = cannot_see("it was unplugged")
    yield made.step()
    made.journal.close()


def words_of(scene):
    return [str(item.text) for item, _ in scene.rows()]


def from_menu(rig, words):
    """Open the menu and take the row *words*."""
    rig.press("menu")
    rig.press("have", choice=words_of(rig.scene).index(words))


def enter(rig, *words):
    for press in presses(*words):
        button, _, seat = press.partition(":")
        rig.press(button, int(seat) if seat else None)


def by_hand(rig):
    from_menu(rig, "Enter the rest of the hand by hand")
    table = rig.booth.stage.table
    assert table.is_by_hand
    return table


def finish(rig, table):
    """Both stick, and show hands that nobody had seen."""
    while table.session.view.phase is Phase.PLAY:
        enter(rig, f"stick:{table.session.view.turn}")
    known = {card for seat in table.session.view.seats for card in seat.cards if card}
    left = [c for c in ("2S", "3S", "4H", "5H", "6D", "7D") if c not in map(str, known)]
    while table.session.view.phase is Phase.SHOWDOWN:
        enter(rig, left.pop())


def test_the_screen_says_that_the_rest_can_be_entered(rig):
    table = rig.booth.stage.table
    assert str(table.prompt.title).startswith("I cannot see")
    assert [str(key.message) for key in table.prompt.keys if key.button == "menu"] == [
        "enter by hand"
    ]


def test_a_hand_at_a_booth_is_finished_by_hand_and_the_camera_takes_the_next(rig):
    table = by_hand(rig)
    assert not str(table.prompt.title).startswith("I cannot see"), "the game goes on"
    finish(rig, table)
    assert table.session.view.phase is Phase.DONE
    rig.eyes.trouble = None
    rig.press("next")
    assert not table.is_by_hand
    assert table.session.view.hand_number == 1, "the cards still lie there"
    rig.eyes.mat.clear()
    rig.step()
    assert table.session.view.hand_number == 2
    rig.eyes.mat.lay(table.session.view.deal_to[0] if table.session.view.deal_to else 0)
    rig.step()
    assert sum(len(seat.cards) for seat in table.session.view.seats) == 1, "seen by the camera"


def test_the_next_hand_goes_on_by_hand_while_the_camera_is_away(rig):
    table = by_hand(rig)
    finish(rig, table)
    rig.press("next")
    assert table.is_by_hand
    assert table.session.view.hand_number == 2


def test_the_menu_of_a_booth_calls_a_misdeal_and_lists_what_happened(rig):
    by_hand(rig)
    rig.press("menu")
    assert {"What happened?", "Call a misdeal"} <= set(words_of(rig.scene))
    rig.press("undo")
    from_menu(rig, "Call a misdeal")
    assert rig.booth.session.view.phase is Phase.DONE


def test_what_a_full_disk_refused_is_written_when_there_is_room(rig, monkeypatch):
    table = by_hand(rig)
    session, turn = table.session, table.session.view.turn
    before = session.events

    def full(*_words, **_more):
        raise JournalError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(session, "apply", full)
        rig.press("stick", turn)
        assert session.events == before
        for _ in range(3):
            rig.step()
    for _ in range(80):
        rig.step()
    assert session.events == before + 1
    assert session.state.events[-1].kind == "stick"


def test_a_hand_that_the_camera_does_not_see_rightly_is_finished_by_hand(tmp_path):
    rig = Rig(tmp_path)
    rig.start().play(Company(2, seed=3), lambda seen: seen.phase is Phase.PLAY)
    rig.press("menu")
    assert words_of(rig.scene)[1] == "Take the last thing back", "the camera sees the mat"
    rig.press("undo")
    before = rig.booth.session.events
    from_menu(rig, "Enter the rest of the hand by hand")
    table = rig.booth.stage.table
    assert table.is_by_hand
    assert table.session.events == before, "what is written stays"
    finish(rig, table)
    assert table.session.view.phase is Phase.DONE
    rig.press("menu")
    assert "Enter the rest of the hand by hand" not in words_of(rig.scene), "the hand is over"
    rig.press("undo")
    rig.eyes.mat.clear()
    rig.step()
    rig.press("next")
    assert not table.is_by_hand, "the camera takes the next hand"
    rig.journal.close()


def test_a_reading_counts_for_nothing_while_people_enter(rig):
    table = by_hand(rig)
    before = table.session.state
    rig.eyes.trouble = None
    rig.eyes.mat.lay(0)
    rig.step()
    assert table.session.state == before
    assert table.is_by_hand


PRESSED = (*[Button.HAVE] * 8, *[Button.STICK] * 6, *[Button.NEXT] * 3, Button.UNDO, Button.MENU)


@pytest.mark.parametrize("game", ["one-and-thirty", "bone-ace", "scat", "knucklebones"])
def test_whatever_is_pressed_the_game_goes_on_and_is_on_record(tmp_path, game):
    rng, clock = random.Random(game), HandClock()
    company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    dealer = 2 if game == "knucklebones" else None  # else they cut for the deal
    with Journal(tmp_path / "journal.sqlite3") as journal:
        session = Session.begin(journal, clock, game, company, dealer=dealer)
        table = TableController(session, NoCamera(), [], clock, by_hand=True)
        table.pass_time(0.0)
        for number in range(250):
            table.press(Press(rng.choice(PRESSED), number / 10))
            seen = session.view
            assert table.prompt.title
            assert table.question is not None or seen.turn is not None or seen.phase is Phase.DONE
        assert session.events > 10
        assert Session.resume(journal, clock, session.record).state == session.state


class AtPhones:
    """Three at a table that nobody sees, each with a phone; seat ``None`` is the host's."""

    def __init__(self, folder, game, dealer=2, preset=None):
        self.clock = HandClock()
        self.journal = Journal(folder / "journal.sqlite3")
        company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
        session = Session.begin(
            self.journal, self.clock, game, company, dealer=dealer, preset=preset
        )
        self.table = TableController(session, NoCamera(), [], self.clock, by_hand=True)
        self.table.pass_time(0.0)

    @property
    def view(self):
        return self.table.session.view

    @property
    def asked(self):
        question = self.table.question
        return "" if question is None else str(question.text)

    def press(self, seat, *words):
        """Press as *seat* what tests.support.entered makes of *words*; return why not."""
        for button in presses(*words):
            self.clock.wait(0.1)
            self.table.press(Press(Button(button), self.clock.monotonic(), seat))
        return str(self.table.refused[1])

    @property
    def answers(self):
        return [str(answer_words(each)) for each in self.table.question.candidates]

    def choose(self, seat, *answers):
        """Touch *answers* on the phone of *seat*, one after the other; return why not."""
        for words in answers:
            self.clock.wait(0.1)
            number = self.answers.index(words)
            self.table.press(Press(Button.HAVE, self.clock.monotonic(), seat, number))
        return str(self.table.refused[1])


@pytest.fixture
def phones(tmp_path, request):
    made = AtPhones(tmp_path, *request.param)
    yield made
    made.journal.close()


CARDS, MIDDLE, BONES = ("one-and-thirty",), ("scat",), ("knucklebones",)


@pytest.mark.parametrize(
    ("language", "tiles", "said"),
    [("fr", "V D R", "10, valet, dame ou roi"), ("es", "J Q K", "10, jota, reina o rey")],
)
@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_ranks_are_shown_as_on_the_cards_and_said_by_name(phones, language, tiles, said):
    for seat in (0, 1, 2):
        phones.press(seat, "stick")
    phones.table.language = language
    prompt = phones.table.prompt_text
    assert " ".join(prompt.choices) == f"A 2 3 4 5 6 7 8 9 10 {tiles}"
    assert said in spoken(prompt, phones.view, language)
    marked_king = replace(prompt, selected=12)
    assert marked(marked_king, language).endswith(f"{said.split()[-1]}.")


@pytest.mark.parametrize("phones", [("bone-ace", None)], indirect=True)
def test_it_is_said_what_to_cut_for_the_deal_is(phones):
    how = "Lay one card face up before you. The lowest deals the cards."
    prompt = phones.table.prompt_text
    assert (prompt.title, prompt.detail) == ("Which card is Ann's?", f"Cut for the deal. {how}")
    assert how in spoken(prompt, phones.view)
    phones.press(None, "2S")
    assert phones.table.prompt_text.detail == "", "the others know it"
    phones.press(None, "2H", "9C")
    detail = phones.table.prompt_text.detail
    assert detail == f"A tie: Ann and Bess cut again. {how}"


@pytest.mark.parametrize(
    ("phones", "asked"),
    [
        (("bone-ace", None), "Ann, jack: which suit is it?"),
        (("scat",), "Jack: which suit is it?"),
    ],
    indirect=["phones"],
)
def test_who_is_asked_for_a_suit_is_told_of_which_card(phones, asked):
    phones.press(None, "next", "next", "stick", "stick", "have")
    assert phones.asked == asked


@pytest.mark.parametrize("phones", [("bone-ace", None)], indirect=True)
def test_card_named_twice_is_refused_in_words_for_a_table_that_sees_nothing(phones):
    phones.press(None, "2S")
    why = phones.press(None, "2S")
    assert why == (
        "That card lies on the table already. If another card was wrong, take it back with UNDO."
    )


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_without_a_screen_questions_are_told_in_the_language_of_the_table(phones, caplog):
    caplog.set_level("INFO")
    phones.table.language = "fr"
    phones.press(None, "stick", "stick", "stick")
    assert caplog.messages == ["Question\u00a0: Ann, carte 1\u00a0: laquelle est-ce\u00a0?"]


@pytest.mark.parametrize(("talk", "said"), [(Talk.NORMAL, ["Ann has 4 cards."]), (Talk.FEW, [])])
@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_who_cannot_see_hears_that_a_card_was_noted(phones, talk, said):
    speaker = SilentSpeaker()
    phones.table.session.listeners.append(Announcer(speaker, talk=talk).listen)
    phones.press(None, "have")
    assert [what for kind, what in speaker.heard if kind == "say"] == said


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_who_asks_how_it_stands_hears_how_many_cards_they_have(phones):
    phones.press(None, "have", "tell")
    assert phones.table.prompt_text.told == "Ann's turn, 4 cards face down."


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_player_takes_back_only_what_they_did(phones):
    phones.press(0, "stick")
    assert phones.press(1, "undo") == ("The last step was Ann's: Ann or the host can take it back.")
    assert phones.view.turn == 1
    assert phones.press(0, "undo") == ""
    assert phones.view.turn == 0
    phones.press(0, "stick")
    assert phones.press(None, "undo") == "", "the host takes anything back"
    assert phones.view.turn == 0
    assert "Nothing has happened" in phones.press(2, "undo"), "the deal was nobody's"


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_cards_named_half_stay_when_another_throws_in(phones):
    for seat in (0, 1, 2):
        phones.press(seat, "stick")
    phones.press(0, "KS", "9H")
    assert phones.asked == "Ann's card 3: which is it?"
    assert phones.press(1, "out") == ""
    assert phones.asked == "Ann's card 3: which is it?"
    assert str(phones.table.question.detail) == "Named so far: king of spades and nine of hearts."
    assert phones.press(0, "2C") == ""
    assert phones.view.seat(0).total == 21


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_others_do_not_take_back_what_somebody_is_naming(phones):
    for seat in (0, 1, 2):
        phones.press(seat, "stick")
    phones.press(0, "KS")
    assert "was Ann's" in phones.press(1, "undo")
    assert phones.press(0, "undo") == ""
    assert phones.asked == "Ann's card 1: which is it?"
    phones.press(0, "KS")
    assert phones.press(2, "undo") == "", "the last word was Cecil's own"
    assert phones.view.turn == 2


@pytest.mark.parametrize("phones", [MIDDLE], indirect=True)
def test_at_the_show_it_is_told_which_cards_are_known(phones):
    phones.press(None, "QH")  # turned up
    phones.choose(0, "From the discard")
    phones.press(0, "2S")
    phones.choose(1, "Knock")
    for seat in (2, 0):
        phones.choose(seat, "Stand: keep my cards")
    told = {}
    for seat, cards in ((0, ("KD", "9D")), (1, ("KS", "9S", "8S")), (2, ("KH", "9H", "8H"))):
        for card in cards:
            assert phones.table.question.seat == seat
            told[card] = str(phones.table.question.detail)
            phones.press(seat, card)
    assert phones.view.phase is Phase.DONE
    assert told["KS"] == ""
    assert told["9S"] == "Named so far: king of spades."
    assert told["KD"] == "Known already: queen of hearts."
    assert told["9D"] == "Known already: queen of hearts and king of diamonds."


@pytest.mark.parametrize("phones", [("bone-ace",)], indirect=True)
def test_who_says_31_is_told_which_cards_are_known(phones):
    for seat, card in enumerate(("5C", "7D", "QC")):
        phones.press(seat, card)
    phones.press(0, "have", "menu")
    phones.choose(0, "Ann has 31")
    assert "Ann closes this by MENU" in str(phones.table.question.detail)
    phones.press(0, "KS")
    told = "Known already: five of clubs and king of spades."
    assert str(phones.table.question.detail) == told


@pytest.mark.parametrize("phones", [BONES], indirect=True)
def test_bones_named_half_stay_and_are_told_and_stakes_are_laid_before(phones):
    phones.press(1, "have")
    assert phones.view.seat(1).stake_laid == 2
    phones.choose(0, "convex, 4", "twisted, 6")
    assert phones.asked == "Ann's bone 3: how does it lie?"
    for seat in (0, 1):
        assert phones.press(seat, "have") == "The bones are thrown: stakes stay as they are."
    assert phones.view.seat(0).stake_laid == 1
    phones.press(1, "out")
    assert phones.asked == "Ann's bone 3: how does it lie?"
    assert str(phones.table.question.detail) == "Named so far: convex, 4 and twisted, 6."
    phones.choose(0, "flat, 1", "flat, 1", "flat, 1")
    assert phones.view.seat(0).throws == ((4, 6, 1, 1, 1),)
    phones.press(0, "undo")
    assert phones.press(0, "have") == "The bones are thrown: stakes stay as they are."
    assert phones.view.seat(0).stake_laid == 1


@pytest.mark.parametrize("phones", [MIDDLE], indirect=True)
def test_who_has_no_31_after_all_gets_out_of_the_question(phones):
    phones.press(None, "2S")  # turned up
    before = phones.table.session.events
    asked = phones.asked
    phones.choose(0, "I have 31")
    assert phones.asked == "Ann says 31. Card 1: which is it?"
    assert "was Ann's" in phones.press(1, "undo")
    assert phones.press(0, "undo") == ""
    assert phones.asked == asked
    assert phones.table.session.events == before


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_player_says_by_menu_what_is_theirs_and_nobody_waits_for_it(phones):
    assert phones.press(1, "menu") == "That cannot be done just now.", "no three cards make 31"
    phones.press(2, "menu")
    assert phones.answers == ["Misdeal"], "Cecil deals"
    phones.press(0, "have", "stick")
    assert phones.view.turn == 1, "a list that is open stops nobody"
    assert phones.table.question is None
    phones.press(1, "have", "menu")
    assert phones.table.question.seat == 1
    assert phones.answers == ["Bess has 31"]
    phones.choose(1, "Bess has 31")
    phones.press(1, "KS", "JS")
    phones.press(2, "out")
    assert phones.asked == "Bess says 31. Card 3: which is it?", "she is still naming them"
    assert phones.press(2, "menu") == "That cannot be done just now.", "nor does a list disturb her"
    assert phones.press(1, "AH", "TH") == ""
    assert phones.view.result.winners == (1,)


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_after_a_false_31_of_the_list_play_goes_on(phones):
    phones.press(0, "have", "menu")
    phones.choose(0, "Ann has 31")
    refused = phones.press(0, "KS", "JS", "AH", "2H")
    assert refused == "The cards of Ann make 23, not 31; play goes on."
    assert phones.table.question is None
    assert not phones.table.croupier.is_entering
    assert phones.press(0, "stick") == ""
    assert phones.view.turn == 1
    phones.press(1, "have", "menu")
    phones.choose(1, "Bess has 31")
    assert phones.press(1, "KS", "JS", "TH", "AH") == "", "what Ann named is forgotten"
    assert phones.view.result.winners == (1,)


@pytest.mark.parametrize("phones", [MIDDLE], indirect=True)
@pytest.mark.parametrize("by_menu", [False, True])
def test_after_a_false_31_the_table_asks_what_it_asked_before(phones, by_menu):
    phones.press(None, "2S")  # turned up
    asked = phones.asked
    if by_menu:
        phones.press(1, "menu")
    seat, name, said = (1, "Bess", "Bess has 31") if by_menu else (0, "Ann", "I have 31")
    phones.choose(seat, said)
    refused = phones.press(seat, "KH", "QH", "TS")
    assert refused == f"The cards of {name} make 20, not 31; play goes on."
    assert phones.asked == asked
    assert phones.table.question.seat == 0
    assert not phones.table.croupier.is_entering
    phones.choose(0, "From the stock")
    assert phones.asked == "Which card did Ann lay?"
    phones.choose(0, "K")
    phones.press(2, "menu")
    phones.choose(2, "Cecil has 31")
    phones.press(2, "KH", "QH", "TS")
    assert phones.asked.endswith("which suit is it?"), "Ann goes on where she was"
    phones.choose(0, "king of diamonds")
    assert phones.view.turn == 1


@pytest.mark.parametrize("phones", [("bone-ace",)], indirect=True)
def test_a_correction_is_asked_at_the_phone_of_who_makes_it(phones):
    phones.press(0, "5C")
    phones.press(1, "7D")
    phones.press(2, "QC")
    for seat in (0, 1, 2):
        phones.press(seat, "stick")
    phones.press(1, "menu")
    phones.choose(1, "A card was wrong")
    assert phones.table.question.seat == 1
    assert phones.answers == ["seven of diamonds"], "her own"
    phones.choose(1, "seven of diamonds")
    assert phones.table.question.seat == 1
    assert str(phones.table.question.detail) == "Everybody else waits; Bess closes this by MENU."
    phones.press(0, "have")
    assert phones.table.question.seat == 1, "another's press answers nothing"
    phones.press(1, "8D")
    assert str(phones.view.seat(1).cards[2]) == "8D"


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_out_by_mistake_is_taken_back_while_another_names_cards(phones):
    for seat in (0, 1, 2):
        phones.press(seat, "stick")
    phones.press(0, "KS", "9H")
    phones.press(2, "out")
    assert phones.press(2, "undo") == ""
    assert phones.view.seat(2).status is SeatStatus.STUCK
    assert phones.asked == "Ann's card 3: which is it?", "what she has named stays"
    assert str(phones.table.question.detail) == "Named so far: king of spades and nine of hearts."


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_undo_in_a_claim_takes_back_one_step_of_it(phones):
    phones.press(0, "have")
    phones.press(0, "menu")
    assert phones.asked == "Ann: What happened?"
    phones.choose(0, "Ann has 31")
    assert phones.asked == "Ann says 31. Card 1: which is it?"
    phones.press(0, "KS")
    phones.choose(0, "J")
    phones.press(0, "undo")
    assert phones.asked == "Ann says 31. Card 2: which is it?", "only the rank is gone"
    phones.press(0, "undo")
    assert phones.asked == "Ann says 31. Card 1: which is it?"
    phones.press(0, "undo")
    assert phones.asked == "Ann: What happened?"
    phones.press(0, "undo")
    assert phones.table.question is None
    assert phones.view.turn == 0


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_a_31_that_was_not_said_is_said_by_menu_when_all_is_shown(phones):
    for seat in (0, 1, 2):
        phones.press(seat, "have", "stick")
    phones.press(0, "KS", "JS", "TS", "AS")
    assert phones.view.phase is Phase.DONE
    assert phones.view.result.winners == (0,)
    assert 1 in phones.view.may_reveal
    phones.press(1, "menu")
    phones.choose(1, "Bess had 31")
    phones.press(1, "KH", "JH", "TH", "AH")
    assert phones.view.seat(1).shown


@pytest.mark.parametrize("phones", [CARDS], indirect=True)
def test_who_takes_have_it_back_hears_what_becomes_of_the_card(phones):
    phones.press(0, "have")
    assert len(phones.view.seat(0).cards) == 4
    assert "goes back" not in str(phones.table.prompt.detail)
    phones.press(0, "undo")
    assert len(phones.view.seat(0).cards) == 3
    assert str(phones.table.prompt.detail) == "The card that was dealt goes back to the pack."
    phones.press(0, "stick")
    assert "goes back" not in str(phones.table.prompt.detail)


@pytest.mark.parametrize("phones", [("scat", None)], indirect=True)
def test_what_anybody_names_anybody_takes_back(phones):
    for seat, card in enumerate(("2S", "3S", "4S")):
        phones.press(seat, card)
    assert phones.asked == "Which card is turned up?"
    asked = phones.view
    phones.choose(None, "9")
    assert phones.asked.endswith("which suit is it?")
    assert phones.press(0, "undo") == "", "the last cut was Cecil's, the rank is nobody's"
    assert phones.asked == "Which card is turned up?"
    assert phones.view == asked
    assert "was Cecil's" in phones.press(0, "undo")
