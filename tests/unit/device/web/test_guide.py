"""What a phone says beside a question, so that nobody need ask what a word of it means."""

import contextlib
import re

import httpx
import pytest

from device.croupier.by_hand import ByHand
from device.croupier.open_cards import OpenCards
from device.ports import Button, Press
from display.i18n.languages import languages
from display.i18n.translate import Translator
from engine import Card, Phase
from engine.core.events import (
    Claim,
    Deal,
    Declare,
    Discard,
    Draw,
    Facing,
    Knock,
    Misdeal,
    NextHand,
    Reveal,
    Roll,
    Source,
    Stand,
    Stick,
    TurnUp,
)
from engine.core.messages.message import Message
from engine.core.messages.prompt import Prompt, PromptKind
from tests.support.played_table import PlayedTable
from tests.support.web_service import served, until

CUT = "Lay one card face up before you. The lowest deals the cards."
KNOCK = (
    "Then everybody else, clockwise, has one more turn, or stands with the cards they have.",
    "Knocking takes the place of your turn.",
)
FACES = "The broad sides are concave (hollow) and convex (bulging), the narrow ones flat and"


@contextlib.contextmanager
def phones(folder, game, **more):
    """Begin a table; yields it, and what returns the page of a seat once it has some words."""
    with (
        PlayedTable(folder / "table", game, **more) as table,
        served(table.path) as url,
        httpx.Client(base_url=url, timeout=10) as web,
    ):

        def page(seat, wanted, language="en"):
            address = f"/seat/{seat + 1}?lang={language}"
            return until(lambda: wanted in (html := web.get(address).text) and html)

        yield table, page


@pytest.mark.parametrize("game", ["one-and-thirty", "scat"])
def test_cut_is_explained_to_everybody(tmp_path, game):
    with phones(tmp_path, game, by_hand=True, dealer=None) as (_table, page):
        for seat in range(3):
            html = page(seat, CUT)
            assert ("to cut a card is to draw one from it" in html) is (game == "one-and-thirty")


def test_buttons_say_what_they_do_to_who_is_asked(tmp_path):
    with phones(tmp_path, "one-and-thirty") as (table, page):
        table.deal()
        turn = table.session.view.turn
        html = page(turn, "<b>HAVE IT</b><small>one more card</small>")
        assert "<b>STICK</b><small>no more</small>" in html
        assert "as near to 31 as you can, not over it." in html
        other = page((turn + 1) % 3, "Bess has 3 cards.")
        assert "<b>OUT</b><small>over 31, or I give up</small>" in other
        assert "<b>UNDO</b><small>take back my last step</small>" in other
        assert other.count("<small>") == 2
        assert "<b>MENU</b>" not in other
        assert "Hand 1. Ann deals." in other


@pytest.mark.parametrize("is_tied", [True, False])
def test_tie_is_explained_when_hands_are_shown(tmp_path, is_tied):
    tie = "On a tie the earlier player wins: the first on the dealer&#x27;s left."
    hands = {1: "KS 9S 6S", 2: "KH 9H 6H" if is_tied else "KH 9H 7H", 0: "2S 3S 4S"}
    with phones(tmp_path, "one-and-thirty", by_hand=True) as (table, page):
        until(lambda: table.session.view.phase is Phase.PLAY)
        for seat in hands:
            table.do(lambda: table.session.apply(Stick(seat)))  # noqa: B023
        assert tie in page(0, "Show your cards.")
        for seat, codes in hands.items():
            cards = tuple(map(Card.parse, codes.split()))
            table.do(lambda: table.session.apply(Reveal(seat, cards)))  # noqa: B023
        assert (tie in page(0, "next hand")) is is_tied


def turn_up(table):
    until(lambda: table.session.view.phase is Phase.TURN_UP)
    table.do(lambda: table.session.apply(TurnUp(Card.parse("7S"))))


@pytest.mark.parametrize("language", languages())
def test_knock_is_explained_to_who_may(tmp_path, language):
    def said(text):
        return Translator.of(language).render(Message(text)).replace("'", "&#39;")

    with phones(tmp_path, "scat", by_hand=True) as (table, page):
        turn_up(table)
        turn = table.session.view.turn
        html = page(turn, said(KNOCK[0]), language)
        assert said(KNOCK[1]) in html
        assert said("knock").capitalize() in html
        name = table.session.view.seat(turn).name
        asked = Translator.of(language).render(Message("{name}: draw, or knock?", name=name))
        assert asked in html
        assert said(KNOCK[0]) not in page((turn + 1) % 3, asked, language)


def test_card_that_nobody_saw_has_an_answer(tmp_path):
    with phones(tmp_path, "scat", by_hand=True) as (table, page):
        turn_up(table)
        turn = table.session.view.turn
        table.do(lambda: table.session.apply(Draw(turn, Source.STOCK)))
        html = page(turn, "nobody saw it")
        assert "none of these" not in html
        assert "discard a card." in html


def test_discard_that_nobody_saw_is_not_asked_for_as_by_a_camera(tmp_path):
    with phones(tmp_path, "scat", by_hand=True) as (table, page):
        turn_up(table)
        turn = table.session.view.turn
        for event in (Draw(turn, Source.STOCK), Discard(turn, None)):
            table.do(lambda: table.session.apply(event))  # noqa: B023
        for seat in range(3):
            html = page(seat, "lays an unknown card")
            assert "read" not in html.partition('id="main"')[2]


def test_words_of_thirty_one_are_explained_where_they_first_matter(tmp_path):
    with phones(tmp_path, "scat", by_hand=True) as (table, page):
        for seat in range(3):
            html = page(seat, "Which card is turned up?")
            assert "face down (the stock), its top card face up beside it (the discard)." in html
        turn_up(table)
        turn = table.session.view.turn
        html = page(turn, "From the stock (face down) or the discard (face up).")
        assert "<span>From the discard</span>" in html
        table.do(lambda: table.session.apply(Knock(turn)))
        for seat in range(3):
            html = page(seat, ": one more turn each, then all hands are shown.")
            is_next = seat == (turn + 1) % 3
            assert ("<span>Stand: keep my cards</span>" in html) is is_next
            assert "STICK:" not in html


@pytest.mark.parametrize(
    ("preset", "paid_in"),
    [
        ("wikipedia", "Each player puts into the pot for the match, in tokens: 3."),
        ("banking", "Each player puts into the pot before each hand, in tokens: 1."),
    ],
)
def test_phone_says_at_a_deal_what_was_paid_into_the_pot(tmp_path, preset, paid_in):
    by_hand = preset == "wikipedia"  # a widow needs a camera
    with phones(tmp_path, "scat", preset=preset, by_hand=by_hand) as (table, page):
        for seat in range(3):
            assert paid_in in page(seat, "Hand 1. Ann deals.")
        table.do(lambda: table.session.apply(Misdeal("called by the dealer")))
        assert paid_in not in page(0, "Misdeal")
        table.do(lambda: table.session.apply(NextHand()))
        assert (paid_in in page(0, '<p class="deals">Hand 2.')) is (preset == "banking")


def test_bones_are_told_in_words(tmp_path):
    with phones(tmp_path, "knucklebones", by_hand=True) as (table, page):
        turn = table.session.view.turn
        html = page(turn, FACES)
        assert f"{table.session.view.seat(turn).name}: throw 5 bones." in html
        assert "Round 1. Ann has the bank." in html
        table.go_on()
        until(lambda: "how many more bones?" in page(turn, "they are thrown together and added."))


def test_what_the_table_itself_says_stays(tmp_path):
    with phones(tmp_path, "one-and-thirty") as (table, page):
        table.deal()
        said = Prompt(Message("Not yet"), Message("Wait"), kind=PromptKind.TROUBLE)
        table.question = said, None
        html = page(table.session.view.turn, "<p>Wait</p>")
        assert html.count("<small>") == 2, "of OUT and UNDO"
        assert "as you can, not over it" not in html


@pytest.mark.parametrize(
    ("game", "deals"),
    [
        ("one-and-thirty", "Bess deals three cards to each player, face down."),
        ("bone-ace", "Bess deals two cards to each player, face down."),
        ("scat", "Bess deals three cards to each player, face down."),
    ],
)
def test_what_is_dealt_is_said_where_nobody_sees_it(tmp_path, game, deals):
    with phones(tmp_path, game, by_hand=True, dealer=1) as (table, page):
        assert f"<p>Shuffle. {deals}</p>" in page(2, deals)
        assert f"<p>Shuffle. {deals}</p>" in page(0, deals)
        if game == "one-and-thirty":
            assert "<small>one more card</small>" in page(2, deals)
            table.do(lambda: table.table.press(Press(Button.STICK, 0.0, 2)))
            assert deals not in page(0, "Ann: stick, or have it?")


def test_it_is_said_whether_the_next_card_is_dealt_open(tmp_path):
    with phones(tmp_path, "bone-ace", by_hand=True, dealer=1) as (table, page):
        for seat, card, said in (
            (2, "5D", "Cecil: next card face up."),
            (0, "7S", "Bess deals one card, face up."),
            (1, "9C", "Bess deals one card, face up."),
        ):
            name = table.session.view.seat(seat).name
            assert said in page(0, f"{name}&#x27;s card 3: which is it?")
            table.do(lambda: table.session.apply(Deal(seat, Card.parse(card), Facing.UP)))  # noqa: B023
        table.do(lambda: table.table.press(Press(Button.HAVE, 0.0, 2)))
        assert "Bess deals one card, face down." in page(0, "Cecil has 4 cards.")


def test_card_that_is_dealt_open_by_agreement_is_said_to_be(tmp_path):
    with phones(tmp_path, "one-and-thirty", by_hand=True, dealer=1) as (table, page):
        table.do(lambda: setattr(table.table, "croupier", ByHand(OpenCards.DRAWN)))
        table.do(lambda: table.table.press(Press(Button.HAVE, 0.0, 2)))
        html = page(0, "Cecil&#x27;s card 4: which is it?")
        assert re.findall(r"<p>(Bess deals.*?)</p>", html) == ["Bess deals one card, face up."]
        table.do(lambda: table.session.apply(Deal(2, Card.parse("5D"), Facing.UP)))
        assert "Bess deals one card, face up." in page(0, "Cecil has 4 cards.")


def test_thirty_one_can_be_called_at_the_turn(tmp_path):
    with phones(tmp_path, "scat", by_hand=True, dealer=1) as (table, page):
        table.do(lambda: table.session.apply(TurnUp(Card.parse("5D"))))
        html = page(2, "I have 31")
        said = []
        (number,) = re.findall(r'data-choice="(\d)"[^>]*><span>I have 31', html)
        table.do(lambda: table.table.press(Press(Button.HAVE, 0.0, 2, int(number))))
        for card in ("AS", "AS", "KS", "TS"):
            assert "Cecil" in page(2, "which is it?")
            rank, suit = "A23456789TJQK".index(card[0]), "CDHS".index(card[1])
            table.do(lambda n=rank: table.table.press(Press(Button.HAVE, 0.0, 2, n)))
            asked = table.do(lambda: table.table.question)
            suit = [str(each) for each in asked.cards].index(card)
            table.do(lambda n=suit: table.table.press(Press(Button.HAVE, 0.0, 2, n)))
            if not table.session.view.result:
                page(2, "Named so far: ace of spades")
            said.append(str(table.table.refused[1]))
        assert "Cecil has that card already" in said[1]
        assert "missing" in said[1]
        assert table.session.view.result.winners == (2,)


def test_stake_is_raised_by_the_phones_of_all_but_the_bank(tmp_path):
    with phones(tmp_path, "knucklebones", by_hand=True, dealer=0) as (table, page):
        for seat in (1, 2):
            html = page(seat, "<b>HAVE IT</b><small>one token more</small>")
            assert "<b>STICK</b><small>at least one token</small>" in html
            assert 'class="press stick idle"' in html
        bank = page(0, "has the bank")
        assert "stake more" not in bank
        assert "Stakes first" not in bank
        assert 'class="press have idle"' in bank
        table.do(lambda: table.table.press(Press(Button.HAVE, 0.0, 1)))
        assert dict(table.session.state.live_play.stakes) == {1: 2, 2: 1}
        assert 'stick idle"' not in page(1, "<b>STICK</b><small>one token less</small>")
        table.do(lambda: table.table.press(Press(Button.STICK, 0.0, 2)))
        assert "at least 1" in str(table.table.refused[1])
        table.do(lambda: table.table.press(Press(Button.HAVE, 0.0, 1, 0)))
        for seat in (1, 2):
            html = page(seat, "Named so far")
            assert "one token" not in html
            assert ('class="press have idle"' in html) is (seat == 2)
            assert ('class="press have' in html) is (seat == 2), "who names bones has answers"
        for _ in range(4):
            table.do(lambda: table.table.press(Press(Button.HAVE, 0.0, 1, 0)))
        assert "one token more" not in page(1, "how many more bones?")


@pytest.mark.parametrize(
    ("game", "aims"),
    [
        ("one-and-thirty", ("Come as near to 31",)),
        ("bone-ace", ("Come as near to 31", "The best third card has the Bone")),
        ("scat", ("only your best suit counts", "the lowest loses a life")),
        ("knucklebones", ("Throw nearer to 21 than the banker",)),
    ],
)
def test_phone_says_what_the_game_is_about(tmp_path, game, aims):
    with phones(tmp_path, game) as (_table, page):
        html = page(1, aims[0])
        said = html[html.index('id="aim"') :].partition("</section>")[0]
        assert all(each in said for each in aims)
        assert 'href="/rules?lang=en"' in said


def test_buttons_that_do_nothing_now_look_so(tmp_path):
    with phones(tmp_path, "one-and-thirty", by_hand=True, dealer=1) as (table, page):
        mine, other = page(2, "It is your turn."), page(0, "Cecil: stick, or have it?")
        assert "idle" not in mine
        for name in ("have", "stick"):
            assert f'class="press {name} idle"' in other
        assert 'class="press out"' in other
        for seat in (0, 2):
            table.do(lambda seat=seat: table.session.apply(Declare(seat, Claim.OUT)))
        over = page(0, "b-next")
        assert over.count("idle") == 3


def test_buttons_that_no_hand_of_thirty_one_needs_are_not_there(tmp_path):
    with phones(tmp_path, "scat", by_hand=True) as (table, page):
        turn_up(table)
        turn = table.session.view.turn
        for seat in range(3):
            html = page(seat, "draw, or knock?")
            assert ('id="b-have"' in html, 'id="b-stick"' in html) == (False, False)
            assert 'id="b-out"' in html
        assert "From the stock" in page(turn, "draw, or knock?")


def test_buttons_say_what_they_do_when_have_it_was_taken_back(tmp_path):
    with phones(tmp_path, "one-and-thirty", by_hand=True) as (table, page):
        until(lambda: table.session.view.phase is Phase.PLAY)
        turn = table.session.view.turn
        for button in (Button.HAVE, Button.UNDO):
            table.do(lambda button=button: table.table.press(Press(button, 1.0, turn)))
        html = page(turn, "The card that was dealt goes back to the pack.")
        assert "<b>HAVE IT</b><small>one more card</small>" in html
        assert "<b>STICK</b><small>no more</small>" in html
        assert "as near to 31 as you can, not over it." in html


def test_menu_says_31_where_it_may_be_said(tmp_path):
    with phones(tmp_path, "one-and-thirty", by_hand=True) as (table, page):
        until(lambda: table.session.view.phase is Phase.PLAY)
        turn = table.session.view.turn
        assert "<small>a card was wrong</small>" in page(turn, "<b>MENU</b>"), "three cards"
        table.do(lambda: table.table.press(Press(Button.HAVE, 1.0, turn)))
        html = page(turn, "With 31 press MENU, over 31 press OUT.")
        assert "<small>I have 31, or a card was wrong</small>" in html
        assert "Ann deals one card, face down." in html
        ends = "Exactly 31 wins at once: the hand is over, and all the others pay two stakes."
        main = html.partition('id="ask"')[2].partition("</section>")[0]
        assert ends in main
        other = page((turn + 1) % 3, "has 4 cards.")
        assert "Ann deals one card, face down." in other
        assert "<small>a card was wrong</small>" in other
        table.do(lambda: table.table.press(Press(Button.STICK, 2.0, turn)))
        assert "<small>a card was wrong</small>" in page(turn, "Cecil: stick")


def test_menu_says_on_the_phone_that_opened_it_how_it_closes(tmp_path):
    close = "<b>MENU</b><small>close</small>"
    with phones(tmp_path, "scat", by_hand=True) as (table, page):
        turn_up(table)
        turn = table.session.view.turn
        name = table.session.view.seat(turn).name
        assert close not in page(turn, "I have 31")
        table.do(lambda: table.table.press(Press(Button.MENU, 1.0, turn)))
        html = page(turn, f"{name}: What happened?")
        assert close in html
        assert '<p class="badge">Your menu</p>' in html
        assert '<p class="badge">Your menu</p>' not in page(
            (turn + 1) % 3, f"{name}: What happened?"
        )
        assert close not in page((turn + 1) % 3, f"{name}: What happened?")
        table.do(lambda: table.table.press(Press(Button.HAVE, 2.0, turn, 0)))
        assert close in page(turn, "Card 1: which is it?")
        table.do(lambda: table.table.press(Press(Button.HAVE, 2.0, turn, 0)))
        assert close in page(turn, "which suit is it?")
        table.do(lambda: table.table.press(Press(Button.MENU, 3.0, turn)))
        assert close not in page(turn, "draw, or knock?")


def test_bones_entered_by_phone_need_no_knob(tmp_path):
    with phones(tmp_path, "knucklebones", by_hand=True) as (table, page):
        turn = table.session.view.turn
        table.do(lambda: table.session.apply(Roll(turn, (1, 1, 3, 3, 4))))
        for seat in range(3):
            html = page(seat, "how many more bones?")
            assert "turn to the number" not in html
            assert ("they are thrown together and added" in html) is (seat == turn)


def test_what_counts_double_is_explained_when_it_has(tmp_path):
    with phones(tmp_path, "one-and-thirty", by_hand=True) as (table, page):
        until(lambda: table.session.view.phase is Phase.PLAY)
        turn = table.session.view.turn
        table.do(lambda: table.table.press(Press(Button.HAVE, 1.0, turn)))
        cards = tuple(map(Card.parse, ["KS", "QS", "TS", "AS"]))
        table.do(lambda: table.session.apply(Declare(turn, Claim.THIRTY_ONE, cards)))
        assert "all the others pay two stakes." in page(0, "next hand")
    with phones(tmp_path / "scat", "scat", by_hand=True) as (table, page):
        turn_up(table)
        knocker = table.session.view.turn
        table.do(lambda: table.session.apply(Knock(knocker)))
        for seat in ((knocker + 1) % 3, (knocker + 2) % 3):
            table.do(lambda: table.session.apply(Stand(seat)))  # noqa: B023
        hands = {knocker: "2S 3H 4D", (knocker + 1) % 3: "KS QS 9S", (knocker + 2) % 3: "KH QH 9H"}
        for seat, codes in hands.items():
            shown = tuple(map(Card.parse, codes.split()))
            table.do(lambda: table.session.apply(Reveal(seat, shown)))  # noqa: B023
        assert "A knocker who alone is lowest loses two lives." in page(0, "next hand")


def test_three_cards_are_not_asked_for_a_31_that_they_cannot_be(tmp_path):
    with phones(tmp_path, "one-and-thirty", by_hand=True) as (table, page):
        until(lambda: table.session.view.phase is Phase.PLAY)
        turn = table.session.view.turn
        for button in (Button.HAVE, Button.STICK):
            table.do(lambda button=button: table.table.press(Press(button, 1.0, turn)))
        turn = table.session.view.turn
        table.do(lambda: table.table.press(Press(Button.HAVE, 2.0, turn)))
        cards = tuple(map(Card.parse, ["KS", "QS", "TS", "AS"]))
        table.do(lambda: table.session.apply(Declare(turn, Claim.THIRTY_ONE, cards)))
        for seat in range(3):
            html = page(seat, "May still show: Bess.")
            assert ("I have 31" in html) is (seat == 1)
            assert ("Who had 31 before that says so by MENU." in html) is (seat == 1)


def test_banker_who_gives_up_is_told_what_it_costs(tmp_path):
    with phones(tmp_path, "knucklebones", by_hand=True) as (table, page):
        bank = table.session.view.dealer
        assert "<small>I give up, and pay everybody</small>" in page(bank, "<b>OUT</b>")
        assert "<small>I give up my stake</small>" in page((bank + 1) % 3, "<b>OUT</b>")


def test_after_a_knock_nobody_is_offered_to_say_31(tmp_path):
    with phones(tmp_path, "scat", by_hand=True) as (table, page):
        turn_up(table)
        turn = table.session.view.turn
        # MENU stands there before, too: while the first discard is turned up.
        assert page(turn, "<small>I have 31, or a card was wrong</small>")
        table.do(lambda: table.session.apply(Knock(turn)))
        after = (turn + 1) % 3
        html = page(after, "your last turn")
        assert "<small>a card was wrong</small>" in html
        table.do(lambda: table.session.apply(Draw(after, Source.STOCK)))
        assert "With 31, lay" not in page(after, "discard")
