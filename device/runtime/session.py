"""A session in progress: the state of the engine, and the journal, always in step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from device.clock import Clock
from device.croupier.open_cards import as_agreed, open_cards_in
from device.runtime.repairs import first_difference
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reader import SessionRecord
from device.storage.journal.replay import STAKES, play_session, player_record, start_of
from device.storage.journal.summary import Names, names_in, summarise, to_text
from device.storage.journal.wagers import KIND, PlacedWager, entry_due, wager_number, wagers_of
from display.i18n.money import token_value_in
from engine import (
    TABLE,
    Event,
    NextHand,
    Player,
    State,
    Undo,
    apply,
    event_to_dict,
    new_table,
    view,
)
from engine.core.errors import BoneAceError
from engine.core.events import Entry
from engine.core.fast_replace import replace
from engine.core.players import check_names
from engine.core.views import View
from engine.games import catalog
from engine.table.wagers import Wager, check_wager

log = logging.getLogger(__name__)

SessionListener = Callable[[Event, View, View, str], None]
"""Called with an event, the table's view before and after it, and what was assumed about it."""

LONGEST_REASON = 100
"""Letters of what an entry for a side wager says: half of what the rules take, since a name in it
that is erased may become longer."""

REPAIRED = "repaired"
"""Stands for what was assumed where several events were taken back and others played instead."""


def _has_begun(journal: Journal, record: SessionRecord) -> bool:
    """Return whether anything has happened in a session."""
    return journal.has_events(record.number) or bool(wagers_of(journal, record.number))


class Session:
    """The only way to change the game: engine first, then disk, then the state anybody sees.

    Attributes:
        state: the game now; everything in it is on disk.
        view: what everybody at the table may see now.
        open_cards: which cards are dealt open.
        token_value: what a token is worth; ``None`` without money.
        events: how many events of this session are on disk.
        written_s: wall time of the last of them, as the journal has it; 0 for none of this run.
        wagers: the side wagers of this session, all of them on disk (rule WL-7).
        listeners: called with each event; once, with the first that differs, after a repair.
    """

    def __init__(self, journal: Journal, record: SessionRecord, state: State, clock: Clock) -> None:
        """Wrap a session whose events are all in *state*; use :meth:`begin` or :meth:`resume`."""
        self.record = record
        self.listeners: list[SessionListener] = []
        self._journal = journal
        self._clock = clock
        self.open_cards = open_cards_in(record.settings)
        self.token_value = token_value_in(record.settings)
        self.state = state
        self.view = self._seen(state)
        self.events = 0
        self.written_s = 0.0
        self.wagers: tuple[PlacedWager, ...] = ()
        self._people: list[Names] = []  # of the hands before this one
        self._square: State | None = None  # when no entry for a wager was due

    @classmethod
    def begin(
        cls,
        journal: Journal,
        clock: Clock,
        game: str,
        players: Sequence[Player],
        *,
        dealer: int | None = None,
        preset: str | None = None,
        options: Mapping[str, object] | None = None,
        stake: int = 1,
        bones: str = "",
        settings: Mapping[str, object] | None = None,
    ) -> Session:
        """Begin a new session; the engine checks first whether the game can be played.

        *stake* is what everybody lays in the first round where each lays their own (rule KB-2).
        *bones* names the custom set on the table: ``boneace bones stats`` counts it apart.
        *settings* are of the table, not of the game, such as which cards are dealt open.

        Raises:
            BoneAceError: it cannot be played so, or two players have one name.
        """
        check_names(player.name for player in players)
        chosen = dict(options or {})
        kept = dict(settings or {})
        if stake != 1 and catalog.find(game).lays_stakes:
            kept[STAKES] = {str(player.seat): stake for player in players}
        start = start_of(kept)
        state = new_table(game, players, dealer=dealer, preset=preset, options=chosen, start=start)
        seen = view(state, TABLE)
        record = journal.begin(
            SessionRecord(
                seen.game,
                seen.preset,
                # All of them: a default that changes some day must not change what was played.
                asdict(state.setup.options),
                tuple(player_record(player) for player in players),
                dealer,
                clock.wall(),
                bones=bones,
                settings=kept,
            )
        )
        return cls(journal, record, state, clock)

    @classmethod
    def resume(cls, journal: Journal, clock: Clock, record: SessionRecord) -> Session:
        """Replay the events of a session, up to the last one on disk.

        Raises:
            JournalError: an event in the journal cannot be played any more.
        """
        played = play_session(journal, record)
        if not played.whole:
            problem = journal.damage[-1]
            raise JournalError(f"{journal.path}: {problem}; start again with: boneace play --new")
        session = cls(journal, record, played.state, clock)
        session.events = len(played.events)
        session._people = list(played.people[:-1])
        session.wagers = wagers_of(journal, record.number)
        return session

    @classmethod
    def unfinished(cls, journal: Journal, clock: Clock) -> Session | None:
        """Return the session that nobody has ended; ``None`` where there is nothing to go on with.

        There is not where nothing has happened in it, or its match is over.

        Raises:
            BoneAceError: it cannot be played any more.
        """
        record = next((each for each in journal.open_sittings() if _has_begun(journal, each)), None)
        found = None if record is None else cls.resume(journal, clock, record)
        return None if found is None or found.state.round.standing.over else found

    @classmethod
    def resume_last(cls, journal: Journal, clock: Clock) -> Session | None:
        """Resume the session that nobody has ended; return ``None`` where there is none.

        One in which nothing has happened yet is ended: what is asked for now counts. So is one
        that cannot be played any more: it stays in the journal, and the journal's notices say so,
        but it must not stop people who only want to play.
        """
        found: Session | None = None
        for record in journal.open_sittings():
            if found is None and _has_begun(journal, record):
                try:
                    found = cls.resume(journal, clock, record)
                    continue
                except BoneAceError as problem:
                    log.error("%s", problem)
                    journal.notices.append(
                        f"The last game cannot be gone on with; sitting {record.number} is kept "
                        "in the journal. A new one can begin."
                    )
            journal.end(record.number, clock.wall())
        return found

    def apply(self, event: Event, assumed: str = "", looks: Sequence[str] = ()) -> None:
        """Play *event*.

        Args:
            event: what happened.
            assumed: why it is only assumed; empty where it was seen or said.
            looks: what was seen that led to it, in the words of a readings log.

        Raises:
            IllegalActionError: the rules refuse it; nothing has changed.
            JournalError: the disk refuses it; nothing has changed either.
        """
        self._play([(event, assumed)], looks)

    def amend(
        self, back: int, steps: Sequence[tuple[Event, str]], looks: Sequence[str] = ()
    ) -> None:
        """Take the last *back* events back and play *steps* instead, all of it or nothing.

        Listeners are called once, with the first event that is not as it was, or the last one, and
        the views before and after it all.

        Args:
            back: how many events of the hand in play, from 0.
            steps: each event, and why it is only assumed.
            looks: what was seen that led to them.

        Raises:
            IllegalActionError: the rules refuse one of them; nothing has changed.
            JournalError: the disk refuses them; nothing has changed either.
        """
        self._play([*[(Undo(), "")] * back, *steps], looks, batch=self.events + 1)

    def _play(
        self, steps: Sequence[tuple[Event, str]], looks: Sequence[str], batch: int = 0
    ) -> None:
        after, people = self.state, list(self._people)
        for event, _ in steps:
            if isinstance(event, NextHand):
                people.append(names_in(after))
            after = apply(after, event)
        now_s = self._clock.wall()
        self._journal.append_all(
            self.record.number,
            self.events,
            [(event_to_dict(event), assumed) for event, assumed in steps],
            now_s,
            batch=batch,
            looks=looks,
            forget_looks=len(people) > len(self._people),
        )
        before, log = self.view, self.state.log
        self.state, self.view, self._people = after, self._seen(after), people
        self.events += len(steps)
        self.written_s = now_s
        if not steps:
            return
        event, mark = steps[-1]
        if batch:
            event, mark = first_difference(log, after.log) or event, REPAIRED
        for listener in self.listeners:
            listener(event, before, self.view, mark)

    def _seen(self, state: State) -> View:
        """Return what everybody at the table may see of *state*, and the next card as agreed."""
        return as_agreed(view(state, TABLE), self.open_cards)

    def looks(self) -> list[str]:
        """Return what was seen of the hand in play, as lines of a readings log.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._journal.looks(self.record.number)

    def bet(self, wager: Wager, reason: str) -> None:
        """Keep a side wager; *reason* says in its entries what was bet, after its number.

        Raises:
            WagerError: nobody can make it now.
            JournalError: the disk refuses it; it is not made.
        """
        check_wager(wager, self.state)
        placed = PlacedWager(len(self.wagers) + 1, wager, reason[:LONGEST_REASON])
        self._journal.note(KIND, placed.body, self._clock.wall(), self.record.number)
        self.wagers = (*self.wagers, placed)

    def call_off(self, number: int) -> None:
        """Call the side wager *number* off; nothing moves for it any more.

        Raises:
            JournalError: the disk refuses; it stands.
        """
        body = {"number": number, "off": True}
        self._journal.note(KIND, body, self._clock.wall(), self.record.number)
        self.wagers = tuple(
            replace(each, off=True) if each.number == number else each for each in self.wagers
        )

    def entry_due(self) -> Entry | None:
        """Return the entry that is due now for a side wager; ``None`` where there is none."""
        if self._square is self.state:
            return None
        entry = entry_due(self.wagers, self.state)
        if entry is None:
            self._square = self.state
        return entry

    def settles(self, entry: Entry) -> bool:
        """Return whether *entry* was written for a side wager."""
        return wager_number(self.wagers, entry) is not None

    def close(self) -> None:
        """End the session, with every side wager settled: the next start begins a new one.

        Raises:
            JournalError: the disk refuses; the session goes on.
        """
        while (entry := self.entry_due()) is not None:
            self.apply(entry)
        people = [*self._people, names_in(self.state)]
        summary = to_text(summarise(self.state, people, self.wagers))
        self._journal.end(self.record.number, self._clock.wall(), summary)
