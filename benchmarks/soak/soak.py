"""``make soak``: random events at every game and preset, and after each the same questions.

python benchmarks/soak/soak.py [--events 100000] [--seed 1] [--game NAME] [--preset NAME]

Listed actions filled in at random, nonsense of every kind, corrections, undos, misdeals, players
who leave and join. Asked is: is it refused with a known code, or accepted; does a refusal change
nothing; is what is accepted listed, and what is listed accepted; do tokens sum to zero; does the
hand folded again give the same; does the table's view hang on a hidden card; does a hand end?

On a failure the sitting up to there is written as a record that ``boneace referee`` plays.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.soak.chosen import add_arguments, run
from benchmarks.soak.random_events import DECK, RandomEvents
from engine import (
    TABLE,
    Action,
    Correct,
    Event,
    IllegalActionError,
    Phase,
    Player,
    State,
    apply,
    event_to_dict,
    find_inconsistencies,
    legal_actions,
    new_table,
    view,
)
from engine.core.errors import BoneAceError
from engine.core.options import OneOf, WholeNumber, describe
from engine.games import catalog
from engine.records.record import Record, write
from engine.table.book import PutRight
from engine.table.state import refolded
from engine.table.visibility import actions_for

CODES = set(
    re.findall(
        r"\w+",
        "UNKNOWN_SEAT SEAT_OUT WRONG_PHASE NOT_YOUR_TURN DUPLICATE_CARD NOT_IN_DECK "
        "UPCARD_UNREADABLE MISMATCH TOO_MANY_CARDS WRONG_DEAL_ORDER NO_REQUEST CARD_PENDING "
        "WRONG_END FALSE_31 BAD_CORRECTION NO_SUCH_HAND BAD_ENTRY NOTHING_TO_UNDO "
        "JOIN_NOT_NOW SEAT_TAKEN TABLE_FULL "
        "NOT_ENOUGH_PLAYERS MATCH_OVER BONE_COUNT BAD_FACE COCKED_BONE BAD_CHOICE CHOOSE_FIRST "
        "BANKER_MUST_ROLL BAD_STAKE MUST_DRAW MUST_DISCARD NOT_IN_HAND RETURNED_DISCARD "
        "OWN_DISCARD STOCK_EMPTY DISCARD_EMPTY ALREADY_KNOCKED KNOCK_NOT_ALLOWED "
        "STAND_NOT_ALLOWED MUST_SWAP_FIRST WIDOW_COUNT BAD_SWAP NOT_ON_TABLE RENEW_NOT_ALLOWED "
        "RESTART_NOT_ALLOWED",
    )
)
"""Every refusal code of the event language."""
SITTING = 400
"""Events of one sitting; then other people sit down, who have agreed on other things."""
MOST_STEPS = 5000
"""Who has not come to the end of a hand after so many events never will."""
RARE = {
    "misdeal": 0.02, "leave": 0.03, "undo": 0.1, "correct": 0.06, "knock": 0.15, "join": 0.2,
    "entry": 0.1,
}  # fmt: skip
ON = ("entry", "misdeal", "leave", "undo", "correct", "join", "next_hand", "stake")
"""What does not bring a hand to its end."""
DISCRIMINATORS = ("what", "source", "hand", "keep", "pile")


class Found(Exception):
    """Something is wrong; the message says what."""


@dataclass
class Soak:
    """One game and preset under random events."""

    game: str
    preset: str
    seed: int
    counts: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.game}-{self.preset}-{self.seed}")

    def run(self, events: int) -> None:
        """Go through so many events, sitting after sitting."""
        while self.counts["events"] < events:
            self.open_session()
            for _ in range(SITTING):
                self.go_on()
                if self.state.round.standing.over and self.rng.random() < 0.05:
                    break
            self.check_refold_of_all()
            self.come_to_the_end()

    def open_session(self) -> None:
        """Begin a sitting, half of them with something else agreed than the preset says."""
        rng = self.rng
        self.make = RandomEvents(rng, rng.choice([0.0, 0.0, 0.3, 0.9]))
        changes = self.agreed() if rng.random() < 0.5 else {}
        while True:
            seats = rng.sample(range(9), rng.randint(2, 6))
            players = [Player(seat, f"P{seat}", rng.choice([None, 20, 40])) for seat in seats]
            rules = catalog.find(self.game)
            dealer = rng.choice([*seats, None] if rules.cuts_for_deal else seats)
            try:
                self.opening = new_table(
                    self.game, players, dealer=dealer, preset=self.preset, options=changes
                )
                break
            except BoneAceError:  # what was agreed does not go together
                changes = self.agreed() if rng.random() < 0.9 else {}
        self.state = self.opening
        self.pending: Event | None = None
        self.counts["sittings"] += 1

    def agreed(self) -> dict[str, object]:
        """Agree on one to three other options."""
        infos = describe(catalog.find(self.game).options_type)
        some = self.rng.sample(infos, self.rng.randint(1, 3))
        found: dict[str, object] = {}
        for info in some:
            if isinstance(info.choices, OneOf):
                found[info.name] = self.rng.choice(info.choices.values)
            elif isinstance(info.choices, WholeNumber):
                most = info.choices.most or info.choices.least + 6
                found[info.name] = self.rng.randint(info.choices.least, most)
        return found

    # --- one event ----------------------------------------------------------------------------

    def go_on(self) -> None:
        """Try one event and ask everything about it."""
        self.counts["events"] += 1
        listed, twisted = self.rng.random() < 0.75, self.rng.random() < 0.3
        event = self.listed_event() if listed else self.make.any_event(self.state)
        if event is None:
            return
        if listed and twisted:  # nearly right, so that it is judged to the end
            event, listed = self.make.twist(self.state, event), False
        self.pending = event
        before = repr(self.state.round) if self.rng.random() < 0.01 else None
        was = self.state
        try:
            after = apply(was, event)
        except IllegalActionError as refusal:
            self.counts["refused"] += 1
            if refusal.code not in CODES:
                raise Found(f"refused with an unknown code {refusal.code!r}") from refusal
            if listed and not self.excused(event, refusal):
                raise Found(f"listed, but refused: {refusal.code} {refusal}") from refusal
            after = was
        else:
            self.counts["accepted"] += 1
            if not listed and not self.is_listed(was, event):
                raise Found("accepted, but not listed")
        if before is not None and repr(was.round) != before:
            raise Found("the state that was given has changed")
        self.pending = None
        if after is not was:
            self.state = after
            self.check(after)

    def listed_event(self) -> Event | None:
        found = legal_actions(self.state)
        likely = [one for one in found if self.rng.random() < RARE.get(one.kind, 1.0)]
        if not found:
            if not self.state.round.standing.over and len(self.state.players) > 1:
                raise Found("nothing may come next")
            return None
        return self.make.fill(self.state, self.rng.choice(likely or found))

    def excused(self, event: Event, refusal: IllegalActionError) -> bool:
        """Tell whether a listed action may be refused: only a correction that changes nothing."""
        return isinstance(event, Correct) and refusal.code in ("BAD_CORRECTION", "DUPLICATE_CARD")

    def is_listed(self, state: State, event: Event) -> bool:
        """Tell whether an accepted event is one of the listed actions, or about an earlier hand."""
        if isinstance(event, PutRight) and event.hand not in (None, state.hand_number):
            return True
        return any(fits(action, event) for action in legal_actions(state))

    # --- what must always hold ------------------------------------------------------------------

    def check(self, state: State) -> None:
        """Ask what must hold of every state; the dear questions now and then."""
        wrong = find_inconsistencies(state)
        if wrong:
            raise Found("; ".join(wrong))
        pot = getattr(state.ledger, "pot", 0)
        if sum(dict(state.ledger.entries).values()) + pot != 0:
            raise Found(f"the ledger {state.ledger} does not sum to zero")
        if state.outcome is not None:
            self.counts["ends"] += 1
            if sum(tokens for _, tokens in state.round.standing.settlement) != 0:
                raise Found("the match does not sum to zero")
        if self.rng.random() < 0.02:
            self.counts["refolds"] += 1
            if refolded(state) != state:
                raise Found("folding the hand again gives another one")
        if self.rng.random() < 0.05:
            self.check_leaks(state)

    def check_leaks(self, state: State) -> None:
        """Compare what is seen with other cards under the backs (rule G-7)."""
        if state.live_play is None or state.phase is Phase.DONE:
            return
        self.counts["views"] += 1
        other = swapped(state, self.rng, None)
        if view(other, TABLE) != view(state, TABLE):
            raise Found("what the table sees hangs on a hidden card")
        if actions_for(other, TABLE) != actions_for(state, TABLE):
            raise Found("what the table may do hangs on a hidden card")
        seat = self.rng.choice(state.live_play.hands).seat
        other = swapped(state, self.rng, seat)
        if view(other, seat) != view(state, seat):
            raise Found(f"what seat {seat} sees hangs on a card hidden from him")
        if actions_for(other, seat) != actions_for(state, seat):
            raise Found(f"what seat {seat} may do hangs on a card hidden from him")

    def check_refold_of_all(self) -> None:
        """Play all the accepted events again."""
        state = self.opening
        for event in self.state.events:
            state = apply(state, event)
        if state != self.state:
            raise Found("playing all the events again gives another table")

    def come_to_the_end(self) -> None:
        """Play on until the hand is over: it must be, in bounded time."""
        for _ in range(MOST_STEPS):
            if self.state.phase is Phase.DONE:
                return
            found = [one for one in legal_actions(self.state) if one.kind not in ON]
            event = self.make.fill(self.state, self.rng.choice(found)) if found else None
            if event is not None:
                self.pending = event
                self.state = apply(self.state, event)
                self.pending = None
            elif not found:
                raise Found("the hand cannot go on")
        raise Found(f"the hand does not end within {MOST_STEPS} events")

    # --- telling ------------------------------------------------------------------------------

    def record(self) -> dict[str, object]:
        """Return the sitting as a record, the event that failed at its end."""
        events = self.shortest()
        kept = tuple((None, event) for event in events)
        title = f"soak {self.game} {self.preset} seed {self.seed}"
        document = write(Record(self.opening, kept, title=title)) | {"results": None}
        if self.pending is not None:
            document["events"].append(event_to_dict(self.pending))
        return document

    def shortest(self) -> tuple[Event, ...]:
        """Return the events of the shortest prefix that shows it: without hands that do not."""
        events = self.state.events
        if self.pending is None:
            return events
        for start in range(len(events), -1, -1):
            if self.fails(events[:start]):
                return events[:start]
        return events

    def fails(self, events: tuple[Event, ...]) -> bool:
        """Tell whether the pending event raises something strange after these."""
        state = self.opening
        for event in events:
            state = apply(state, event)
        try:
            apply(state, self.pending)
        except IllegalActionError as refusal:
            return refusal.code not in CODES
        except Exception:
            return True
        return False


def fits(action: Action, event: Event) -> bool:
    """Tell whether an event is of a listed action, its cards aside."""
    if action.kind != event.kind:
        return False
    if action.seat is not None and action.seat != getattr(event, "seat", None):
        return event.kind == "correct" and not action.bones
    named = {name: getattr(event, name, None) for name in DISCRIMINATORS}
    named["pile"] = getattr(event, "to", None)
    if event.kind in ("correct", "misdeal"):
        named["hand"] = None  # there it is the number of a hand
    if event.kind == "declare" and event.what != action.what:
        return False
    wanted = {name: getattr(action, name) for name in DISCRIMINATORS if name != "what"}
    if any(named[name] != value for name, value in wanted.items()):
        return False
    count = len(getattr(event, "take", None) or ())
    if action.counts and count not in action.counts:
        return False
    number = getattr(event, "n", getattr(event, "amount", None))
    if action.least is not None and number is not None:
        return number >= action.least and (action.most is None or number <= action.most)
    return True


def swapped(state: State, rng: random.Random, seat: int | None) -> State:
    """Return the same table with other cards where *seat* (``None``: the table) sees backs."""
    play = state.live_play

    def other(card):
        return None if card is None else rng.choice(DECK)

    hands = []
    for hand in play.hands:
        if hand.shown or hand.seat == seat:
            hands.append(hand)
            continue
        seen = getattr(hand, "known", hand.up)
        pairs = zip(hand.cards, seen, strict=True)
        hands.append(replace(hand, cards=tuple(c if up else other(c) for c, up in pairs)))
    changes = {"hands": tuple(hands)}
    if hasattr(play, "piles"):
        changes["piles"] = tuple(
            (name, places)
            if name == "second" and seat == play.dealer
            else (name, tuple(p if p.up else replace(p, card=other(p.card)) for p in places))
            for name, places in play.piles
        )
    return replace(state, round=replace(state.round, play=replace(play, **changes)))


def soak(game: str, preset: str, seed: int, events: int, out: Path) -> tuple[str, bool]:
    """Soak one game; return what there is to say of it, and whether all was well."""
    one, began = Soak(game, preset, seed), time.perf_counter()
    name = f"{game} {preset} seed {seed}"
    try:
        one.run(events)
    except Exception as problem:
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"soak-{game}-{preset}-{seed}.json"
        path.write_text(json.dumps(one.record(), indent=1), encoding="utf-8")
        where = "" if isinstance(problem, Found) else "\n" + traceback.format_exc()
        said = f"{name}: FAILED after {one.counts['events']} events: {problem}{where}"
        pending = None if one.pending is None else event_to_dict(one.pending)
        return f"{said}\n  event: {pending}\n  see it again: boneace referee {path}", False
    seconds = time.perf_counter() - began
    counts = ", ".join(f"{number} {what}" for what, number in sorted(one.counts.items()))
    return f"{name}: well ({counts}) in {seconds:.0f} s", True


def main() -> int:
    """Soak what was asked for, two at a time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=100_000, help="for each game and preset")
    parser.add_argument("--seed", type=int, default=1)
    add_arguments(parser)
    parser.add_argument("--out", type=Path, default=Path("out/soak"), help="where records go")
    args = parser.parse_args()
    return run(parser, args, soak, args.seed, args.events, args.out)


if __name__ == "__main__":
    sys.exit(main())
