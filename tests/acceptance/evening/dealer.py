"""The dealer: he sees to it that the screen shows what is really played, and mends what does not.

He looks at the screen, compares it with what he knows, answers what is asked, and uses what every
dealer has: a push at a card, laying it again, UNDO, and "Correct a reading".
"""

from __future__ import annotations

from collections import Counter

from device.booth.scenes.base import SureScene
from device.booth.scenes.correct import ChangeScene, CorrectScene
from device.booth.scenes.naming import RankScene, SuitScene
from device.booth.scenes.players import PeopleScene
from device.croupier.legal import is_legal
from device.croupier.questions import QuestionKind
from device.ports import Button
from device.runtime.camera_trouble import WORDS
from device.runtime.observer import STILL_S
from device.runtime.table import UNREAD_S
from engine.core.cards import Rank, Suit
from engine.core.events import (
    Accept,
    Choose,
    Deal,
    Draw,
    Have,
    Join,
    Knock,
    Leave,
    Misdeal,
    NextHand,
    Restart,
    Roll,
    Source,
    Stand,
    Stick,
)
from engine.core.views import Phase
from tests.acceptance.evening.actual_game import (
    difference,
    events_of,
    is_behind,
    key,
    misread,
    misread_lying,
    without_unread,
)
from tests.acceptance.evening.oracle_answers import Answers, is_same
from vision.image_quality import IssueKind

PATIENCE_S = 2.5
"""So long the dealer waits for the screen before he helps."""

MOST_REPAIRS = 40
"""After so many tries he calls a misdeal."""

MOST_TRIES_IN_GLARE = 5
"""After so many tries he does about the light what the screen says."""

MOST_TRIES_AT_DEAL = 3
"""After so many tries he goes on with the deal."""

NOT_LISTED = 4
"""After so many tries a card that is none of the candidates is taken for one and corrected."""


WORDS_SAID = (Choose, Have, Knock, Stand, Stick)
"""What is told by a button."""


class InterruptedGameError(Exception):
    """The booth has ended or left this game: nobody can go on with it here."""


class Dealer(Answers):
    """Keeps the machine in step with the true game.

    Attributes:
        done: what he had to do, by its name.
    """

    def __init__(self, machine, room, log):
        self.machine, self.room, self.log = machine, room, log
        self.done = Counter()
        self.true = self.hands = self.sitting = None
        self.keep = None

    def open_session(self, true, hands):
        """Begin with a game that the machine has just begun."""
        self.true, self.hands = true, hands
        self.sitting = self.machine.session.record.number

    # Looking

    @property
    def state(self):
        session = self.machine.session
        if session is None or session.record.number != self.sitting:
            raise InterruptedGameError("the game was ended")
        return session.state

    def difference(self):
        """Say what is not on the screen as it is."""
        if self.machine.scene is not None:
            return f"a screen is open: {type(self.machine.scene).__name__}"
        if self.machine.booth.is_waiting:
            raise InterruptedGameError("the game was left")
        deciding = self.true.seen.phase is Phase.RESTART
        if deciding and self._asks(QuestionKind.RESTART):
            return ""  # it asks what they are about to decide
        told = difference(self.true, self.state)
        if told:
            return told
        question = self.machine.question
        if question is not None and self._is_due(question):
            return ""
        return "" if question is None else f"a question: {question.text}"

    def _is_due(self, question):
        """Say whether a question belongs to what comes next in the game, not to what was."""
        due = (QuestionKind.NUMBER, QuestionKind.RESTART)
        return question.kind in due

    # Waiting

    def let_move(self):
        """Wait while hands move, and a moment longer."""
        for _ in range(60):
            self.machine.step()
            if not self.room.is_moving:
                return

    def wait(self, seconds, step=0.5):
        """Let time pass at the table; where nothing moves, in larger steps."""
        until = self.machine.now + seconds
        while self.machine.now < until:
            left = until - self.machine.now
            quick = self.room.is_moving
            self.machine.step(0.1 if quick else min(max(left, 0.1), step))

    def settle(self):
        """Wait until the screen shows what is; say what it does not show."""
        until = self.machine.now + PATIENCE_S
        told = self.difference()
        while self.machine.now < until or self.room.is_moving:
            if not told and not self.room.is_moving:
                return ""
            if self.machine.scene is not None or self.machine.question is not None:
                break
            self.machine.step()
            told = self.difference()
        return told

    # Doing

    def do(self, event, *, quick=False, before=None):
        """Carry out one event, and see that the machine has it; *quick* people do not look up.

        *before* may change the steps of it: who drops a card first.
        """
        steps = self.hands.steps(event)
        if before is not None:
            steps = before(event, steps)
        self.true.do(event)
        for step in steps:
            step()
            self.let_move()
        if not quick:
            self.see_to_it(event)

    def see_to_it(self, event):
        """Mend until the screen shows what is."""
        tries = 0
        while True:
            told = self.settle()
            if not told:
                return
            tries += 1
            dealt = self.true.seen.deal_to is not None and self.state.phase is Phase.DEAL
            deals_on = dealt and self.true.game == "scat"
            if tries > MOST_TRIES_AT_DEAL and (deals_on or self._holds_a_card()):
                # He deals on, and says at the end that everybody has his cards; and where a card
                # came from that somebody holds shows when they lay one.
                return
            if tries > MOST_REPAIRS:
                self.log(f"gives up: {told}")
                self.done["hands given up"] += 1
                self.give_up()
                return
            self.log(f"  try {tries} after {event}: {told}; {self._said()}")
            if tries == 5 and self.keep is not None:
                self.keep(f"{self.machine.now:.0f}")
            self.mend(event, told, tries)

    def _holds_a_card(self):
        """Return whether somebody holds a card that they drew, and nothing but the draw differs."""
        if self.machine.scene is not None or self.machine.question is not None:
            return False
        middle = self.true.seen.middle
        if self.true.seen.phase is not Phase.PLAY or middle is None or middle.drawn is None:
            return False
        extra, missing = without_unread(events_of(self.state), events_of(self.true.state))
        return not extra and all(each[0] == "draw" for each in missing)

    def _said(self):
        """Return what the machine says."""
        app = self.machine.booth.stage.table
        return "" if app is None else f"“{app.prompt_text.title} {app.prompt_text.detail}”"

    def give_up(self):
        """Throw the cards in; where not even that is understood, end the evening."""
        before = self.true.state
        if self.true.seen.phase not in (Phase.CUT, Phase.DONE):
            self.true.do(Misdeal("the dealer gives up"))
        for _ in range(12):
            told = self.settle()
            if not told:
                return
            if self.machine.scene is not None:
                self.close_scene()
            elif self._asks(QuestionKind.MISDEAL):
                self.machine.press(Button.HAVE)
            elif not self.machine.row("Call a misdeal"):
                self.machine.press(Button.UNDO)  # a question keeps the menu away
        told = self.settle()
        if told:
            self.log(f"not even a misdeal: {told}; {self._said()}")
            self.true.state = before  # the hand ends with the evening, and counts for nobody
            self.end_the_evening()
            raise InterruptedGameError("the dealer gave up")

    def _asks(self, kind):
        question = self.machine.question
        return question is not None and question.kind is kind

    def end_the_evening(self):
        """End the sitting by the menu."""
        while self.machine.scene is not None:
            self.close_scene()
        question = self.machine.question
        for _ in range(5):
            if question is None:
                break
            self.machine.press(Button.STICK)
            question = self.machine.question
        self.machine.row("End the evening")
        self.machine.row("End the evening")  # it asks

    # Mending

    def mend(self, event, told, tries):
        """Do one thing about what is not on the screen as it is."""
        if self.machine.scene is not None:
            self.close_scene()
        elif self.machine.question is not None and self.answer(self.machine.question, tries):
            pass
        elif self.machine.is_blind:
            self.wait(2.0)
        elif self._is_a_hand_behind():
            self.machine.press(Button.NEXT)
        elif tries > MOST_TRIES_IN_GLARE and self._moves_the_lamp():
            self.wait(2.0)
        elif not (
            self._follow()
            or (tries % 3 == 1 and self._all_dealt())
            or self._stakes()
            or self._shows_too()
            or self._company()
            or self._misread(tries)
        ):
            self._events(event, tries)

    def close_scene(self):
        """Go back to the table from whatever somebody has opened."""
        scene = self.machine.scene
        self.done["screens closed"] += 1
        if isinstance(scene, PeopleScene):
            for seat in self._intruders():
                self.machine.press(Button.STICK, seat)
        self.machine.press(Button.UNDO)

    def _intruders(self):
        session = self.machine.session
        if session is None:
            return []
        return [each.seat for each in session.state.players if each.seat not in self.true.seated]

    def _follow(self):
        """What cannot be taken back has happened: somebody has pressed NEXT, or sits there now."""
        real, state = self.true.seen, self.state
        if real.phase is Phase.DONE and state.hand_number == real.hand_number + 1:
            newcomers = self._intruders()
            for each in state.players:
                if each.seat in newcomers:
                    self.true.do(Join(each.seat, each.name))
            for seat in set(self.true.seated) - {each.seat for each in state.players}:
                self.true.do(Leave(seat))
            self.true.do(NextHand())
            self.done["hands begun by mistake"] += 1
            for step in self.hands.gather():
                step()
                self.let_move()
            self.lay_open_hand()
            return True
        return False

    def _moves_the_lamp(self):
        """Take the glare away once the screen says that it hides what lies there."""
        self.wait(STILL_S + 1.0)
        table = self.machine.booth.stage.table
        said = "" if table is None else table.prompt_text.hint
        if not self.room.light or str(WORDS[IssueKind.GLARE][0]) not in said:
            return False
        self.done["lamp moved"] += 1
        self.room.light = ""
        return True

    def _all_dealt(self):
        """Say that everybody has his cards, as the screen offers it."""
        late = self.state.phase is Phase.DEAL and self.true.seen.phase is not Phase.DEAL
        if late and self.true.game == "scat":
            self.done["said that all is dealt"] += 1
            self.machine.press(Button.NEXT)
            return True
        return False

    def lay_open_hand(self):
        """Lay the hand of who begins Switch anew in the middle, where there is one (rule SW-8)."""
        cards = self.true.piles.get("A", [])
        for step in self.hands.restart_laid(cards) if cards else ():
            step()
            self.let_move()

    def _shows_too(self):
        """Lay open the hands that the screen asks for, though all have seen what they are."""
        if self.state.phase is not Phase.SHOWDOWN or self.true.seen.phase is not Phase.DONE:
            return False
        asked = self.machine.session.view.to_reveal
        for seat in asked:
            self.done["shown though known"] += 1
            self.hands.show(seat)
            self.let_move()
        return bool(asked)

    def _company(self):
        """Send away whom somebody has seated by mistake."""
        strangers = self._intruders()
        if not strangers or self.true.seen.phase is not Phase.DONE:
            return False
        self.done["strangers sent away"] += 1
        self.machine.press(Button.STICK, strangers[0])
        return True

    def _stakes(self):
        """Push tokens by the buttons until the screen shows as many."""
        real = self.true.seen
        if real.phase is not Phase.PLAY:
            return False
        shown = {seat.seat: seat for seat in self.machine.session.view.seats}
        if any(seat.throws for seat in shown.values()):
            return False
        for seat in real.seats:
            if seat.seat in shown and shown[seat.seat].stake_laid != seat.stake_laid:
                more = shown[seat.seat].stake_laid < seat.stake_laid
                self.machine.press(Button.HAVE if more else Button.STICK, seat.seat)
                return True
        return False

    def _misread(self, tries):
        """Say by the menu which card was read wrongly."""
        wrong = misread(self.true, self.machine.session.view)
        if is_behind(self.true, self.state):
            # What lies between the players differs because the machine has not seen a move, and a
            # card that was cut because it has not seen the next.
            cutting = self.true.seen.phase is Phase.CUT
            wrong = [each for each in wrong if each[0] is not None and not cutting]
        table = self.machine.booth.stage.table
        if not wrong and table is not None:
            wrong = misread_lying(self.true, table.lying)
        if not wrong:
            return False
        seat, was, card = wrong[tries % len(wrong)]
        self.done["readings corrected"] += 1
        self.log(f"  corrects {was} of {seat} to {card}")
        if not self.machine.row("Correct a reading"):
            self.machine.press(Button.UNDO)
            return True
        scene = self.machine.scene
        assert isinstance(scene, CorrectScene)
        names = {each.seat: each.name for each in self.true.seen.seats}
        picks = scene.page().items
        mine = [n for n, pick in enumerate(picks) if pick.what == was]
        named = [n for n in mine if seat is None or picks[n].label == names.get(seat)]
        if not (named or mine):
            self.machine.press(Button.MENU)
            return False
        self.machine.choose((named or mine)[0])
        assert isinstance(self.machine.scene, RankScene)
        self.machine.choose(list(Rank).index(card.rank))
        assert isinstance(self.machine.scene, SuitScene)
        self.machine.choose(list(Suit).index(card.suit))
        if isinstance(self.machine.scene, ChangeScene):
            self.machine.press(Button.HAVE)
        return True

    def _events(self, event, tries):
        """Take back what did not happen, and do again what the machine does not know."""
        extra, missing = without_unread(events_of(self.state), events_of(self.true.state))
        self.log(f"    machine has besides {dict(extra)}, lacks {dict(missing)}")
        if tries % 6 == 1:
            self.wait(1.0)
        elif (word := self._due_word(missing)) is not None:
            self.again(word, tries)
        elif extra and (not missing or self._is_last(extra)):
            self.done["UNDO"] += 1
            self.machine.press(Button.UNDO)
        elif missing:
            first = next((e for e in self.true.state.round.raw if key(e) in missing), event)
            self.again(first, tries)
        elif not extra and self.state.log and tries % 3 == 0:
            self.done["UNDO"] += 1
            self.machine.press(Button.UNDO)
        else:
            self.again(event, tries)

    def _due_word(self, missing):
        """Return the word that the machine waits for, where it has been said already."""
        words = (e for e in self.true.state.round.raw if isinstance(e, WORDS_SAID))
        first = next((e for e in words if key(e) in missing), None)
        return first if first is not None and is_legal(self.state, first) else None

    def _is_a_hand_behind(self):
        """Say whether the machine still shows the end of the hand before."""
        return self.state.hand_number < self.true.seen.hand_number

    def _is_last(self, extra):
        """Say whether what the screen told last did not happen: UNDO takes back that alone."""
        raw = self.state.round.raw
        return bool(raw) and key(raw[-1]) in extra

    def again(self, event, tries):
        """Do once more what was not seen."""
        self.done["done again"] += 1
        hands, machine, seen = self.hands, self.machine, self.machine.session.view
        match event:
            case Roll(seat=seat, faces=faces):
                hands.table.lift(seat)
                self.let_move()
                self.wait(1.0, step=0.1)
                hands.throw(seat, faces)
            case None | Restart() | Accept():
                self.wait(1.0)
            case NextHand():
                machine.press(Button.NEXT)
            case Leave(seat=seat):
                self.leave(seat)
            case Join(seat=seat):
                machine.press(Button.HAVE, seat)
            case Misdeal():
                machine.row("Call a misdeal")
            case Draw(source=Source.STOCK):
                machine.press(Button.HAVE)
            case Knock() | Stand() | Stick() | Choose():
                for step in hands.steps(event):
                    step()
            case _ if event.kind == "have":
                machine.press(Button.HAVE, event.seat)
            case _ if event.kind in ("reveal", "declare"):
                self._show_again(event, tries)
            case _:
                self._lay_again(event, tries, seen)
        self.let_move()

    def _show_again(self, event, tries):
        if tries % 2:
            lying = self.hands.lying_of(event)
            if lying:
                self.hands.push(lying[tries // 2 % len(lying)], event.seat)
            return
        self.hands.show_again(event.seat)
        self.let_move()
        self.wait(1.0, step=0.1)
        self.hands.show(event.seat)

    def _lay_again(self, event, tries, seen):
        """Push a card, lay it again, or say that it counts as it lies."""
        lying = self.hands.lying_of(event)
        by = getattr(event, "seat", None)
        by = self.hands.dealer if by is None else by
        if self.true.game == "scat" and tries % 4 == 0 and not isinstance(event, Deal):
            self.machine.press(Button.HAVE)
        elif lying and tries % 2:
            self.hands.push(lying[-1 - tries // 2 % len(lying)], by)
        elif lying:
            lay = self.hands.again(lying[-1], by)
            self.let_move()
            self.wait(1.0, step=0.1)
            lay()
        else:
            self.wait(1.0)

    def leave(self, seat):
        """Let somebody get up, by the screen of who plays on."""
        if self.machine.row("Who plays on?"):
            self.machine.press(Button.STICK, seat)
            if isinstance(self.machine.scene, SureScene):
                self.machine.row("Get up")  # in mid-play it asks
            if self.machine.scene is not None:
                self.machine.press(Button.MENU)

    # Answering

    def answer(self, question, tries):
        """Answer as who knows; say whether there was anything to press."""
        self.wait(UNREAD_S)
        now = self.machine.question
        if now is None or not now.is_same(question):
            return True  # while it was read, it was gone
        wanted = self.wanted(question)
        if wanted is None:
            return False
        offered = any(is_same(each, wanted) for each in question.candidates)
        if not offered and not isinstance(wanted, Button):
            wanted = Button.UNDO  # what is true is none of the answers
        listed = question.kind in (QuestionKind.CARD, QuestionKind.HISTORY)
        if wanted is Button.UNDO and listed and tries > NOT_LISTED:
            # It is none of those, however it is laid: take one, and put right by the menu or by
            # UNDO what it is.
            self.done["accepted to be corrected"] += 1
            history = question.kind is QuestionKind.HISTORY
            wanted = self.nearest(question) if history else Button.HAVE
        self.done[f"asked: {question.kind.value}"] += 1
        if isinstance(wanted, Button):
            self.machine.press(wanted)
            return True
        for _ in Rank:
            now = self.machine.question
            if now is None or not now.is_same(question):
                return True
            if is_same(now.candidates[now.selected], wanted):
                self.machine.press(Button.HAVE)
                return True
            self.machine.press(Button.RIGHT if tries % 2 else Button.STICK)
        return True
