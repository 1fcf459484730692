"""What is true of a question that the machine asks: people know what they did, and see cards."""

from __future__ import annotations

import math

from device.croupier.questions import OTHER, Choice, QuestionKind
from device.ports import Button
from device.runtime.readings import stories_of
from engine.core.bones import Face
from engine.core.events import (
    Accept,
    Choose,
    Claim,
    Draw,
    Knock,
    Leave,
    Renew,
    Restart,
    Stand,
    SwapHand,
)
from tests.acceptance.evening.actual_game import events_in, told

NEAR_MM = 40.0


class Answers:
    """The half of the dealer that answers; the other half looks after the game."""

    def wanted(self, question):
        """Return the candidate that is true, or the button that says so."""
        kind = question.kind
        if kind is QuestionKind.MISDEAL:
            return Button.STICK
        if kind is QuestionKind.OPEN:
            lying = self._lying(question)
            return Button.HAVE if lying is not None and lying.face_up else Button.STICK
        if kind in (QuestionKind.CARD, QuestionKind.CHANGED):
            return self._named(question)
        if kind in (QuestionKind.FACE, QuestionKind.BUMPED, QuestionKind.OFFMAT):
            return self._about_a_bone(question)
        if kind is QuestionKind.OUT:  # a hand that is shown and one thrown in are told alike
            return self._in_words(question)
        return self._by_what_was_done(question) or self._in_words(question)

    def _named(self, question):
        """Return what names the card: one of the candidates, or "another card", rank, and suit."""
        lying = self._lying(question)
        if lying is None or not lying.face_up:
            return Button.UNDO
        if lying.card in question.candidates:
            return lying.card
        if question.of is not None:
            return str(lying.card.rank)
        return OTHER.key if OTHER in question.candidates else Button.UNDO

    def _by_what_was_done(self, question):
        """Return the one answer that leaves a history in which all happened that did."""
        wrong = self._differences(question)
        right = [key for key, parts in wrong.items() if parts == (0, 0)]
        if question.kind is QuestionKind.HISTORY and not right:
            # As far as it goes: what is still to come nobody has seen yet.
            right = [key for key, (more, _) in wrong.items() if more == 0][:1]
        return right[0] if len(right) == 1 else None

    def nearest(self, question):
        """Return the answer that comes closest to what was done, where none is right."""
        wrong = self._differences(question)
        return min(wrong, key=lambda key: sum(wrong[key]), default=Button.HAVE)

    def _differences(self, question):
        """Count for each answer in words what did not happen, and what did and is not in it."""
        real = told(events_in(self.true.state.round.raw))
        stories = stories_of(self.machine.booth.stage.table)
        found = {}
        for candidate, histories in zip(question.candidates, stories, strict=False):
            shown = [told(events_in(events)) for events in histories]
            if isinstance(candidate, Choice) and shown:
                parts = [((one - real).total(), (real - one).total()) for one in shown]
                found[candidate.key] = min(parts, key=sum)
        return found

    def _lying(self, question):
        """Return the card on top at the place that a question is about."""
        if question.place is None:
            return None

        def far(each):
            return math.dist(question.place, (each.x_mm, each.y_mm))

        cards = self.hands.table.cards
        nearest = min(cards, key=far, default=None)
        if nearest is None or far(nearest) > NEAR_MM:
            return None
        # Of a pile the card on top is meant, which was laid last.
        spot = (nearest.seat, nearest.slot)
        return [each for each in cards if (each.seat, each.slot) == spot][-1]

    def _about_a_bone(self, question):
        if question.kind is QuestionKind.OFFMAT:
            return Button.HAVE
        if question.kind is QuestionKind.BUMPED:
            right, shown = self.true.seen, self.machine.session.view
            same = [sorted(map(sorted, s.throws)) for s in right.seats] == [
                sorted(map(sorted, s.throws)) for s in shown.seats
            ]
            return next(c for c in question.candidates if c.key == ("old" if same else "new"))
        bones = self.hands.table.bones
        near = min(
            bones,
            key=lambda b: math.dist((b.x_mm, b.y_mm), question.place or (0, 0)),
            default=None,
        )
        return Button.UNDO if near is None or near.face is None else near.face

    def _in_words(self, question):
        """Choose among answers in words by what was really done last."""
        keys = [each.key for each in question.candidates if isinstance(each, Choice)]
        done = self.true.state.round.raw
        last = done[-1] if done else None
        if question.kind is QuestionKind.NUMBER:
            chosen = [e for e in done if isinstance(e, Choose) and e.seat == question.seat]
            return chosen[-1].n if chosen else None
        if question.kind is QuestionKind.RESTART:
            if isinstance(last, Restart):
                return str(last.seat)
            return "accept" if isinstance(last, Accept) else None
        if question.kind is QuestionKind.WHOSE:
            turn = self.true.seen.turn
            return str(-1 if turn is None else turn)
        if question.kind is QuestionKind.KNOCKER:
            return next((str(e.seat) for e in done if isinstance(e, Knock)), "-1")
        if question.kind is QuestionKind.KNOCKED:
            knocks = [e for e in done if isinstance(e, Knock) and e.seat == question.seat]
            return "yes" if knocks else "no"
        if question.kind is QuestionKind.OUT:
            mine = [e for e in done if getattr(e, "seat", None) == question.seat]
            out = any(isinstance(e, Leave) or getattr(e, "what", None) is Claim.OUT for e in mine)
            return "yes" if out else "no"
        if question.kind is QuestionKind.SOURCE:
            drawn = [e for e in done if isinstance(e, Draw) and e.seat == question.seat]
            return str(drawn[-1].source) if drawn else None
        match last:
            case Knock() | Stand() if last.kind in keys:
                return last.kind
            case Renew() | SwapHand() if last.kind in keys:
                return last.kind
        return Button.UNDO


def is_same(candidate, wanted):
    """Say whether a candidate is what was wanted: a card, a face, a number, or a key of words."""
    if isinstance(candidate, Choice):
        return candidate.key == wanted
    if isinstance(candidate, Face) or isinstance(wanted, Face):
        return candidate is wanted
    return candidate == wanted
