"""One page of every screen, in the words of any language: for the tests, and to be viewed."""

from __future__ import annotations

from typing import Any

from display.drawing.image import Picture
from display.i18n.money import token_value
from display.pages.base import Page
from display.pages.camera import CameraPage
from display.pages.cards import CardsPage, Pick
from display.pages.count import CountPage
from display.pages.evening import Column, Figure, LedgerPage, Row, SharePage, StatisticsPage
from display.pages.faces import FacesPage, ShareBar
from display.pages.games import GamesPage, GameTile
from display.pages.list import Item, LettersPage, ListPage
from display.pages.rules import Heading, RulesPage
from display.pages.seats import Choice, SeatPlate, SeatsPage
from display.pages.welcome import Label, WelcomePage
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.messages.prompt import KeyHint

QUARTER = token_value("0.25", "EUR")
NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester")


def cards(*codes: str) -> tuple[Card | None, ...]:
    return tuple(None if code == "??" else Card.parse(code) for code in codes)


def camera_picture() -> Picture:
    """A picture with a light and a dark half, and a frame of another colour."""
    width, height = 160, 120
    row = bytes((40, 90, 60)) * (width // 2) + bytes((200, 210, 220)) * (width // 2)
    return Picture((width, height), row * height)


def _shares() -> tuple[ShareBar, ...]:
    return tuple(
        ShareBar(face, face.value, count, count / 80, low, high, told)
        for face, count, low, high, told in (
            (Face.FLAT, 6, 0.035, 0.154, 0.1),
            (Face.CONCAVE, 27, 0.244, 0.446, 0.4),
            (Face.CONVEX, 31, 0.288, 0.497, 0.4),
            (Face.TWISTED, 16, 0.127, 0.3, 0.1),
        )
    )


def _welcomes(deal: str) -> dict[str, Any]:
    return {
        "steps": (
            "Sit down: press the button at your seat, or touch it.",
            deal,
            "The table sees them and keeps the score.",
        ),
        "facts": ("Best of the day: 14 tokens in one hand of Bone-Ace", "12 hands played today"),
        "invitation": "Press HAVE IT, or touch here, to play",
        "languages": ("English", "Deutsch", "Español", "Français", "Nederlands"),
        "language": 0,
    }


def pages() -> dict[str, Page]:
    """Every screen once, and some twice."""
    keys = (
        KeyHint("have", "choose"),
        KeyHint("stick", "next"),
        KeyHint("undo", "back"),
        KeyHint("menu", "close"),
    )
    return {
        "welcome": WelcomePage(
            title="I see the seven of hearts!",
            note="Lay another one beside it, and watch!",
            picture=camera_picture(),
            labels=(
                Label((0.3, 0.4), "seven of hearts"),
                Label((0.32, 0.41), "left out: it would lie on the seven"),
                Label((0.75, 0.8), "not sure", sure=False),
            ),
            **_welcomes("Deal real cards."),
            cards=cards("??", "KC", "AH", "7D", "??"),
        ),
        "welcome-bones": WelcomePage(
            title="This table can see real knucklebones",
            note="Throw some under the camera, and watch!",
            waiting="The camera is having a rest. Please call the host.",
            **_welcomes("Throw real knucklebones."),
            bones=(Face.FLAT, Face.CONCAVE, Face.CONVEX, Face.TWISTED),
        ),
        "games": GamesPage(
            title="Which game?",
            note="Turn the knob or touch a game.",
            hints=keys[:3],
            focus=1,
            items=(
                GameTile("One-and-Thirty", "Near to 31, but not over it.", cards("9S", "KH", "2C")),
                GameTile(
                    "Bone-Ace", "The best third card takes the Bone.", cards("??", "??", "AH")
                ),
                GameTile("One-and-Twenty", "Knucklebones against the bank.", bones=tuple(Face)),
                GameTile("Scat", "Collect one suit, then knock.", cards("AH", "KH", "TH")),
            ),
        ),
        "seats": SeatsPage(
            title="Who plays?",
            note="Press your own button to sit down or get up.",
            hints=keys[:3],
            focus=0,
            seats=tuple(SeatPlate(n, name if n != 5 else "") for n, name in enumerate(NAMES)),
            middle=("Bone-Ace", "willughby", "7 players"),
            free="free",
            choices=(
                Choice("Deal", loud=True),
                Choice("Stake", "1 token"),
                Choice("Rules", "willughby"),
                Choice("Names", "Ann, Bess …"),
            ),
        ),
        "letters": LettersPage(
            title="A name for seat 3",
            hints=keys[:3],
            focus=7,
            name="Cecil",
            keys=(*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "-", "'", "space", "delete", "done"),
        ),
        "menu": ListPage(
            title="Menu",
            note="The game waits.",
            hints=keys[:3],
            focus=0,
            items=tuple(
                Item(text)
                for text in (
                    "Go on",
                    "Take the last thing back",
                    "Correct a reading",
                    "Call a misdeal",
                    "The ledger",
                    "The rules",
                    "What the camera sees",
                    "Settings",
                    "End the evening",
                )
            ),
        ),
        "settings": ListPage(
            title="Settings",
            hints=keys[:3],
            focus=2,
            items=(
                Item("Language", "English"),
                Item("Colours", "Green felt"),
                Item("Suits", "Four colours"),
                Item("Volume", "70 %"),
                Item("Voice", "on"),
                Item("Teaching", "off"),
            ),
        ),
        "presets": ListPage(
            title="Whose rules?",
            hints=keys[:3],
            focus=1,
            items=(
                Item("willughby", detail="S1 du Coeur's reconstruction from Willughby"),
                Item("cotton", detail="E1 Cotton 1674, with S1"),
                Item("davis", detail="S3 Nakoa Davis"),
            ),
        ),
        "ledger": LedgerPage(
            title="The ledger",
            note="Bone-Ace, 12 hands.",
            hints=keys[2:],
            focus=0,
            columns=tuple(Column(name, n * 11 % 23 - 9) for n, name in enumerate(NAMES)),
            rows=tuple(
                Row(
                    number,
                    ("thirty-one", "showdown", "misdeal")[number % 3],
                    tuple(7 if n == number % 8 else -1 for n in range(8)),
                    () if number % 3 == 2 else (number % 8,),
                )
                for number in range(12, 0, -1)
            ),
        ),
        "ledger-marked": LedgerPage(
            title="Which hand was wrong?",
            note="Paid by mistake",
            hints=keys[:3],
            focus=1,
            marks=True,
            columns=tuple(Column(name, n * 7 % 13 - 5) for n, name in enumerate(NAMES[:4])),
            rows=(
                Row(2, "showdown", (-1, -1, 3, -1), (2,)),
                Row(None, "Paid by mistake", (2, -2, None, None)),
                Row(1, "31", (-2, 6, -2, -2), (1,)),
                Row(None, "Side bets", (None,) * 4, heading=True),
                Row(None, "Side bet 2: Bess wins the match, Ann with Tom, 3, open", (None,) * 4),
                Row(None, "Side bet 1", (2, -2, None, None)),
            ),
        ),
        "ledger-empty": LedgerPage(
            title="The ledger",
            columns=(Column("Ann", 0), Column("Bess", 0)),
            empty="No hand has been finished yet.",
        ),
        "rules": RulesPage(
            title="Bone-Ace",
            note="willughby",
            hints=keys[2:],
            focus=0,
            sections=tuple(
                Heading(head, ("Cards count their number, court cards ten, the ace one.",) * count)
                for head, count in (
                    ("The aim", 2),
                    ("The deal", 6),
                    ("The Bone", 6),
                    ("A turn", 6),
                    ("Who wins", 6),
                    ("Afterwards", 3),
                )
            ),
        ),
        "faces": FacesPage(
            title="How the bones fell",
            note="brass · 80 bones · 21 throws",
            headline="Perhaps your bones are not fair (p = 0.018); the oddest side: twisted.",
            key="Bar: how often it fell. Line: where its true chance lies, 95 times of 100. "
            "Marks above and below: published.",
            bars=_shares(),
        ),
        "count-bones": CountPage(
            title="Counting bones",
            note="Throw 17 · 80 bones · 12 throws a minute",
            hints=(KeyHint("have", "name a face"), *keys[2:]),
            total="18",
            items=(Face.FLAT, Face.CONVEX, Face.CONVEX, Face.TWISTED, Face.CONCAVE, None),
            status="1 bone leans, or is not read: lay it flat, or name it.",
            tally=_shares(),
            key="Bar: how often. Line: where the true chance lies, 95 times of 100. "
            "Marks: as expected.",
        ),
        "count-cards": CountPage(
            title="Counting cards",
            note="6 cards · 30 cards a minute",
            hints=(KeyHint("have", "name a card"), *keys[2:]),
            total="43",
            items=cards("4H", "8S", "AC", "8H", "TD", "QC"),
            kept=5,
            tally=tuple(
                ShareBar(None, rank.value, n % 3, n % 3 / 12, 0.01, 0.3 + n / 60, 1 / 13)
                for n, rank in enumerate(Rank)
            ),
        ),
        "statistics": StatisticsPage(
            title="The evening in figures",
            hints=keys[2:],
            figures=(
                Figure("Hands", "12"),
                Figure("Over 31", "17"),
                Figure("Exactly 31", "3"),
                Figure("Biggest win", "+14", "Bess, hand 4"),
                Figure("Luckiest seat", "2", "Bess, 5 hands won"),
                Figure("Longest run", "3", "Doll"),
            ),
        ),
        "share": SharePage(
            title="Bone-Ace",
            note="21 November 2026, 12 hands",
            headline="Cecil wins the evening",
            columns=tuple(
                sorted(
                    (
                        Column(name, tokens, QUARTER.of(tokens, signed=True))
                        for name, tokens in zip(NAMES, (14, -3, 120, -9, -21, -101), strict=False)
                    ),
                    key=lambda column: -column.tokens,
                )
            ),
            figures=(
                Figure("hands", "12"),
                Figure("over 31", "17"),
                Figure("exactly 31", "3"),
                Figure("biggest win", "+14"),
            ),
            aside="Side bets: Ann +5, Bess \N{MINUS SIGN}3, Cecil \N{MINUS SIGN}2.",
            foot="Dealt with real cards on a boneace table.",
        ),
        "camera": CameraPage(
            title="What the camera sees",
            hints=keys[2:],
            picture=camera_picture(),
            waiting="No picture yet.",
            facts=(("Cards read", "7"), ("Face down", "12"), ("Not sure", "1")),
            fine="All is well.",
            colours=(((70, 200, 90), "read"), ((60, 140, 230), "face down"), ((255, 160, 0), "?")),
        ),
        "camera-trouble": CameraPage(
            title="What the camera sees",
            hints=keys[2:],
            picture=None,
            waiting="I cannot see the table just now; the game waits.",
            facts=(("Cards read", "0"),),
            remarks=("The picture is too dark: add a lamp beside the table.",),
        ),
        "correct": CardsPage(
            title="Which card was read wrongly?",
            hints=keys[:3],
            focus=2,
            items=tuple(
                Pick(Card.parse(code), name)
                for code, name in zip(
                    ("7H", "KD", "TS", "AH", "3C", "QH", "9S", "5D"), NAMES, strict=True
                )
            ),
        ),
        "correct-rank": CardsPage(
            title="What is it really?",
            hints=keys[:3],
            focus=8,
            items=tuple(Pick(Card(rank, Suit.HEARTS)) for rank in Rank),
        ),
        "correct-none": CardsPage(
            title="Which card was read wrongly?", items=(), empty="No card lies open."
        ),
    }
