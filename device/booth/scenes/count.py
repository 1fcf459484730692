"""Counting without a game: throw bones or lay cards, and see the total at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from device.booth.scenes.base import (
    Action,
    BackTo,
    Close,
    Context,
    Do,
    Open,
    Scene,
    Then,
    choosing,
)
from device.booth.scenes.naming import CardsScene, FaceScene, RankScene
from device.croupier.counting.counter import Item, Kind, Lying, What
from device.croupier.looks import LyingBone
from device.ports import Button, Lamps, Press
from device.runtime.counting import Counting, bars
from display.pages.base import Page
from display.pages.cards import Pick
from display.pages.count import CountPage
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.message import Joined, Listing, Message, Value, plural, sentences
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import card_words
from vision.readings import Reading

KEY = Message(
    "Bar: how often. Line: where the true chance lies, 95 times of 100. Marks: as expected."
)


class CountScene(Scene):
    """Counts from when it opens until it closes.

    NEXT counts the other kind of thing, where *open_count* can; HAVE names a face or a card. Where
    no camera sees what lies there, HAVE enters it, and STICK names.
    """

    def __init__(
        self,
        context: Context,
        open_count: Callable[[Kind], Counting],
        kind: Kind = Kind.BONES,
        *,
        other: bool = True,
        trouble: Callable[[], Value] = lambda: "",
        by_hand: bool = False,
    ) -> None:
        """Count what *open_count* opens; *trouble* tells whether the camera gives no picture.

        Without *other* nothing else than *kind* can be counted. *by_hand* there is no camera.
        """
        super().__init__(context)
        self._open, self._other, self._trouble = open_count, other, trouble
        self._by_hand = by_hand
        self.counting = open_count(kind)

    def see(self, reading: Reading) -> bool:
        """Count what is read; return whether that changed anything."""
        self.refused = ""
        return self.counting.see(reading)

    @property
    def lamps(self) -> Lamps:
        """No lamp."""
        return Lamps()

    def closed(self) -> None:
        """End the count."""
        self.counting.end()

    def press(self, press: Press) -> Action | None:
        """Handle a press; a bone or card that is touched is named."""
        self.refused = ""
        enters = self._is_entered and press.choice is None
        if press.button in (Button.HAVE, Button.PUSH):
            return Open(self._entry()) if enters else self._name(press.choice)
        if press.button is Button.STICK and enters:
            return self._name(None)
        if press.button is Button.UNDO:
            return None if self.counting.undo() else Do.BACK
        if press.button is Button.NEXT and self._other:
            other = Kind.CARDS if self.counting.kind is Kind.BONES else Kind.BONES
            self.counting.end()
            self.counting = self._open(other)
        elif press.button is Button.MENU:
            return Close()
        return None

    def page(self) -> Page:
        """Return the total, what it is of, and the tally."""
        counting, counter = self.counting, self.counting.counter
        last = counter.throws[-1] if counter.throws else None
        trouble = self._why_not()
        bones = counting.kind is Kind.BONES
        undo = Message("take it back") if last else Message("back")
        other = Message("count cards") if bones else Message("count bones")
        name = Message("name a face") if bones else Message("name a card")
        enter = Message("enter a throw") if bones else Message("enter cards")
        hints = [KeyHint("have", enter)] if self._is_entered else []
        if last or counter.unread:
            hints.append(KeyHint("stick" if hints else "have", name))
        return CountPage(
            title=Message("Counting bones") if bones else Message("Counting cards"),
            note=trouble or self._note,
            warning=bool(trouble),
            hints=(
                *hints,
                KeyHint("undo", undo),
                *([KeyHint("next", other)] if self._other else []),
                KeyHint("menu", Message("end")),
            ),
            total="" if last is None else str(last.total),
            items=(*(each.what for each in (last.shown if last else ())), *_blanks(counter.unread)),
            kept=len(last.kept) if last else 0,
            status=self._status,
            tally=bars(counting.kind, counter.counts),
            key=KEY if counter.throws else "",
            said=self._said,
        )

    @property
    def _note(self) -> Value:
        throws, pace = self.counting.counter.throws, self.counting.counter.pace
        if not throws:
            return Message("No game, no stakes.")
        number = sum(len(throw.items) for throw in throws)
        if self.counting.kind is Kind.BONES:
            parts: list[Value] = [
                Message("Throw {n}", n=throws[-1].number),
                Message("{n} bone", "{n} bones", number, n=number),
            ]
            speed = plural("{n} throw a minute", "{n} throws a minute")
        else:
            parts = [Message("{n} card", "{n} cards", number, n=number)]
            speed = plural("{n} card a minute", "{n} cards a minute")
        if pace is not None:
            parts.append(Message(*speed, round(pace), n=f"{pace:.0f}"))
        return Joined(tuple(parts), " · ")

    @property
    def _status(self) -> Value:
        counter, found = self.counting.counter, []
        bones = self.counting.kind is Kind.BONES
        if self.refused:
            found.append(self.refused)
        if n := len(counter.unread):
            found.append(
                Message(
                    "{n} bone leans, or is not read: lay it flat, or name it.",
                    "{n} bones lean, or are not read: lay them flat, or name them.",
                    n,
                    n=n,
                )
                if bones
                else Message(
                    "{n} card is not read: lay it apart, or name it.",
                    "{n} cards are not read: lay them apart, or name them.",
                    n,
                    n=n,
                )
            )
        if n := counter.beside:
            found.append(
                Message(
                    "{n} bone lies beside the mat and does not count.",
                    "{n} bones lie beside the mat and do not count.",
                    n,
                    n=n,
                )
            )
        if not found and not counter.throws:
            entered = (
                Message("Throw the bones, and enter how they lie."),
                Message("Lay cards, and enter each."),
            )
            seen = (
                Message("Throw the bones: they are counted when they rest."),
                Message("Lay cards face up: each is counted."),
            )
            found.append((entered if self._by_hand else seen)[not bones])
        return sentences(*found)

    @property
    def _said(self) -> Value:
        throws = self.counting.counter.throws
        if not throws:
            return ""
        last = throws[-1]
        card = last.items[-1].what if last.items else None
        if isinstance(card, Card):
            return Message("{card}: {total}.", card=card_words(card), total=last.total)
        return Message("Throw {n}: {total}.", n=last.number, total=last.total)

    def _why_not(self) -> Value:
        if self._trouble():  # how to mend a camera is no sentence for a line: the log has it
            return Message("The camera gives no picture: enter what lies there.")
        if not self.counting.counter.sees:
            return Message("The mat is not seen: nothing is counted meanwhile.")
        if not self.counting.is_kept:
            return Message("The counts cannot be kept: check the disk.")
        return ""

    @property
    def _is_entered(self) -> bool:
        """Whether people enter what lies there: no camera sees it."""
        return self._by_hand or bool(self._trouble())

    def _entry(self) -> Scene:
        """Return what asks for one bone or card after the other; each counts at once."""
        named: list[Value] = []

        def enter(what: What) -> Action:
            self.counting.enter(what, begins=not named)
            named.append(_pick(what).spoken)
            scene.note = Message("Named so far: {cards}.", cards=Listing(tuple(named)))
            return BackTo(scene)

        is_bone = self.counting.kind is Kind.BONES
        scene = (FaceScene if is_bone else RankScene)(self.context, None, enter)
        scene.hints = choosing(Message("that was all"))
        return scene

    def _name(self, choice: int | None) -> Action | None:
        picks = WhichScene(self.context, self.counting, BackTo(self))
        if not picks.count:
            self.refused = Message("Nothing lies open that could be put right.")
            return None
        if choice is not None and choice < picks.count:
            return picks.choose(choice)
        return Open(picks)


class WhichScene(CardsScene):
    """Which bone or card is to be named?"""

    title = Message("What was read wrongly?")
    note = Message("The total and the tally follow.")

    def __init__(self, context: Context, counting: Counting, then: Action) -> None:
        """Ask about what lies there; *then* follows."""
        super().__init__(context)
        self._counting, self._then = counting, then

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return what was counted last, then what was not read."""
        counter = self._counting.counter
        shown = counter.throws[-1].shown if counter.throws else ()
        return [
            *((_pick(item.what), partial(self._ask_item, item)) for item in shown),
            *((_pick(_likely(each)), partial(self._ask_unread, each)) for each in counter.unread),
        ]

    def _ask_item(self, item: Item) -> Action:
        return Open(self._scene(item.what, item.what, partial(self._counting.name, item.number)))

    def _ask_unread(self, lying: Lying) -> Action:
        name = partial(self._counting.name_unread, lying.number)
        return Open(self._scene(None, _likely(lying), name))

    def _scene(self, was: What | None, likely: What, name: Callable[[What], object]) -> Scene:
        def named(what: What) -> Action:
            name(what)
            return self._then

        if isinstance(likely, Face):
            return FaceScene(self.context, was if isinstance(was, Face) else None, named, likely)
        return RankScene(self.context, was if isinstance(was, Card) else None, named, likely)


def _likely(lying: Lying) -> What:
    """Return what something unread is most likely."""
    if isinstance(lying, LyingBone):
        return lying.candidates[0] if lying.candidates else Face.FLAT
    return lying.candidates[0] if lying.candidates else Card.parse("AS")


def _blanks(unread: Sequence[Lying]) -> tuple[None, ...]:
    return (None,) * len(unread)


def _pick(what: What) -> Pick:
    return Pick(what, spoken=str(what.points) if isinstance(what, Face) else card_words(what))
