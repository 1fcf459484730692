"""What the screen that waits shows: what the camera reads as anybody lays a card, and how to play.

Nothing of it is a game, and nothing is written to the journal.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from device.booth.hints import INVITATION
from device.booth.preferences import Preferences
from device.booth.scenes.base import Context
from device.booth.scenes.tiles import tile_of, title_of
from device.booth.summary import statistics
from device.clock import local
from device.ports import Button, Press
from device.runtime.camera_trouble import words_for
from device.runtime.observer import ObservedReading
from device.storage.journal.errors import JournalError
from device.storage.journal.reader import JournalReader
from device.storage.journal.summary import from_text
from display.i18n.languages import language_of, languages
from display.pages.welcome import Label, WelcomePage
from engine.core.messages.message import Message, Value
from engine.core.messages.words import card_words, the_card
from engine.core.outcome import Outcome
from engine.games import catalog
from engine.games.base import Game
from engine.games.knucklebones.story import FACE_WORDS
from vision.readings import Place, Point, ZoneKind

log = logging.getLogger(__name__)

LANGUAGE_S = 30.0
"""Seconds after which the screen that waits goes back to its own language."""

LANGUAGE_STEPS = {Button.STICK: 1, Button.RIGHT: 1, Button.UNDO: -1, Button.LEFT: -1}
"""Buttons of the console that go through the languages; of five each is two presses away."""


@dataclass(frozen=True, slots=True)
class Today:
    """What was played today.

    Attributes:
        hands: finished hands.
        won: the most tokens that anybody has won in one of them.
        game: the game of that hand.
    """

    hands: int = 0
    won: int = 0
    game: str = ""

    def and_hands(self, game: str, hands: Sequence[Outcome]) -> Today:
        """Return this with more *hands* of *game*."""
        told = statistics(hands)
        won = 0 if told.biggest is None else told.biggest[0]
        best = (won, game) if won > self.won else (self.won, self.game)
        return Today(self.hands + told.hands, *best)


def played_today(journal: JournalReader, wall_s: float) -> Today:
    """Return what the sittings that began on the day of *wall_s*, and are over, have brought."""
    found, day = Today(), local(wall_s, "%Y-%m-%d")
    try:
        for sitting in reversed(journal.sittings()):
            if local(sitting.started, "%Y-%m-%d") != day:
                break
            kept = journal.summary(sitting.number) if sitting.closed is not None else None
            if kept is not None:
                found = found.and_hands(sitting.game, from_text(kept).hands)
    except (JournalError, ValueError) as problem:
        # The show must never break the booth.
        log.warning("the best of the day is not shown: %s", problem)
    return found


class Welcome:
    """Makes the screen that waits.

    Attributes:
        today: what was played today.
    """

    def __init__(self, context: Context, game: Game, trouble: Callable[[], Value]) -> None:
        """Show how *game* is played; *trouble* returns why the camera sees nothing."""
        self.today = Today()
        self._context, self._game, self._trouble = context, game, trouble
        self._looks = False

    def look(self, wanted: bool) -> None:
        """Have the live picture drawn, or no longer: it costs time."""
        observer = self._context.observer
        if observer is not None and wanted != self._looks:
            observer.forget()
            observer.live = observer.plain = wanted
        self._looks = wanted

    def language_after(self, press: Press) -> Preferences | None:
        """Return what *press* sets: another language, or nothing."""
        now = self._context.preferences
        if press.choice is not None and press.button is Button.HAVE:
            known = languages()
            return replace(now, language=known[press.choice]) if press.choice < len(known) else None
        if press.seat is None and press.button in LANGUAGE_STEPS:
            return now.next_language(LANGUAGE_STEPS[press.button])
        return None

    def page(self) -> WelcomePage:
        """Return the page."""
        observer, tile = (
            self._context.observer,
            tile_of(self._game, self._context.preferences.language),
        )
        last = None if observer is None or not self._looks else observer.last
        known, now = languages(), self._context.preferences.language
        picture = None if observer is None or self._trouble() else observer.picture
        seen = last if picture is not None else None
        title, note = self._told(seen)
        remarks = () if observer is None or picture is None else observer.remarks
        if seen is not None and seen.reading.seats is None and remarks:
            note = words_for(remarks[0])
        return WelcomePage(
            title=title,
            note=note,
            picture=picture,
            labels=() if seen is None else labels_of(seen),
            waiting=self._waiting(),
            cards=tile.cards,
            bones=tile.bones,
            steps=(
                Message("Sit down: press the button at your seat, or touch it."),
                Message("Throw real knucklebones.")
                if self._game.with_bones
                else Message("Deal real cards."),
                Message("The table sees them and keeps the score.")
                if observer is not None
                else Message("Tell the table what lies there: it keeps the score."),
            ),
            facts=self._facts(),
            invitation=INVITATION,
            languages=tuple(language_of(code).name for code in known),
            language=known.index(now) if now in known else -1,
        )

    def _waiting(self) -> Value:
        """Return why there is no picture, in words for everybody."""
        if self._context.observer is None:
            return Message("No camera today: you tell the table what lies there.")
        if self._trouble():
            return Message("The camera is having a rest. Please call the host.")
        return Message("The camera is waking up.")

    def _told(self, seen: ObservedReading | None) -> tuple[Value, Value]:
        """Return what the table can do, or what it has just read, and what to try now."""
        if self._context.observer is None:
            return Message("This table keeps the score"), Message("You play, it counts.")
        if self._game.with_bones:
            bones = 0 if seen is None else len(seen.reading.bones)
            if bones:
                words = Message("I see {n} bone!", "I see {n} bones!", bones, n=bones)
                return words, Message("Throw them again, and watch!")
            can = Message("This table can see real knucklebones")
            return can, Message("Throw some under the camera, and watch!")
        if seen is not None:
            reading = seen.reading
            if len(reading.cards) == 1:
                words = Message("I see {card}!", card=the_card(reading.cards[0].card))
                return words, Message("Lay another one beside it, and watch!")
            if reading.cards:
                n = len(reading.cards)
                words = Message("I see {n} card!", "I see {n} cards!", n, n=n)
                return words, Message("Turn one face down, or take one away, and watch!")
            if reading.jokers:
                none = Message("It is in none of the games. Lay another card, and watch!")
                return Message("I see a joker!"), none
            if any(not _is_pile(each.place) for each in reading.backs):
                return Message("I see the back of a card"), Message("Turn it face up, and watch!")
            if reading.unsure:
                flat = Message("Lay it flat, with no other card on it.")
                return Message("I cannot read that card yet"), flat
        can = Message("This table can read real cards")
        return can, Message("Lay any card under the camera, and watch!")

    def _facts(self) -> tuple[Value, ...]:
        """Return the best of the day."""
        today = self.today
        if not today.hands:
            return (Message("Nobody has played today: be the first!"),)
        played = Message(
            "{n} hand played today", "{n} hands played today", today.hands, n=today.hands
        )
        if not today.won:
            return (played,)
        best = Message(
            "Best of the day: {n} token in one hand of {game}",
            "Best of the day: {n} tokens in one hand of {game}",
            today.won,
            n=today.won,
            game=title_of(catalog.find(today.game)),
        )
        return best, played


def _is_pile(place: Place) -> bool:
    """Return whether the pack lies there: nobody has laid that down to be read."""
    return place.zone is not None and place.zone.kind is ZoneKind.STOCK


def labels_of(seen: ObservedReading) -> tuple[Label, ...]:
    """Return what is written on everything that was found on the picture."""
    height, width = seen.image.shape[:2]

    def label(outline: Sequence[Point], text: Value, sure: bool = True) -> Label:
        across, down = zip(*outline, strict=True)
        return Label((sum(across) / len(across) / width, max(down) / height), text, sure)

    reading, doubt = seen.reading, Message("not sure")
    return (
        *(label(each.place.corners, card_words(each.card)) for each in reading.cards),
        *(label(each.spot.outline, FACE_WORDS[each.face]) for each in reading.bones),
        *(
            label(each.place.corners, Message("face down"))
            for each in reading.backs
            if not _is_pile(each.place)
        ),
        *(label(each.place.corners, Message("joker")) for each in reading.jokers),
        *(label(each.place.corners, doubt, sure=False) for each in reading.unsure),
        *(label(each.spot.outline, doubt, sure=False) for each in reading.unsure_bones),
    )
