"""A booth that runs itself: it waits for people, asks what they play, deals, and shows who won.

It is a main loop around one table at a time, with a new table for each session. The journal
outlives everything here: a game that was left can be resumed, also after a power cut.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, replace
from functools import partial

from device.booth.hints import count_leftovers, reading_signature, with_key_hints
from device.booth.preferences import GameSetup, default_setup
from device.booth.presentation import Presentation
from device.booth.scenes.base import (
    Action,
    BackTo,
    Bet,
    CallOff,
    Close,
    Context,
    Do,
    Open,
    Play,
    PressTable,
    Scene,
    SetPreferences,
    after_match,
)
from device.booth.scenes.correct import touched_card
from device.booth.scenes.count import CountScene
from device.booth.scenes.games import GamesScene
from device.booth.scenes.menu import AfterwardsScene, EndScene, MenuScene, StillThereScene
from device.booth.scenes.phones import PhonesScene
from device.booth.scenes.players import PeopleScene
from device.booth.scenes.seats import SeatsScene
from device.booth.state import Idle, Playing, Stage, Summary
from device.booth.stuck_buttons import StuckButtons, held_buttons
from device.booth.summary import share_page
from device.booth.tables import Services, Tables
from device.booth.view import BoothView
from device.booth.welcome import LANGUAGE_S, Welcome, played_today
from device.config.model import Config
from device.croupier.by_hand import can_be_entered
from device.croupier.counting.counter import Kind
from device.croupier.interpreter import MASHED_S
from device.croupier.questions import QuestionKind
from device.feed.feed import Shown, shown_at
from device.ports import ASKS_VOICE, Button, Lamps, Press
from device.runtime.counting import Counting, game_to_count
from device.runtime.loop import MainLoop
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.counts import counts_path
from engine.core.errors import BoneAceError
from engine.core.events import Join, Leave, Misdeal
from engine.core.messages.message import Message, Value
from engine.core.views import Phase
from engine.games import catalog
from engine.table.state import takes_newcomers
from vision.readings import Reading

log = logging.getLogger(__name__)

TWICE_S = 0.5
"""So soon after the first a second tap is of the same finger."""

ALONE = 2 / 3
"""Share of the time until the welcome screen comes back, after which what is set up says so."""

LEFT_ALONE = Message("Is anybody there? Press any button, or the welcome screen comes back.")

OFFERED_S = 24 * 3600.0
"""A game that was left can be resumed until somebody else begins one, at most for a day."""

OWN_MENU = (QuestionKind.OPEN, QuestionKind.MISDEAL)
"""Questions for which MENU has a meaning of its own."""


@dataclass(slots=True)
class Activity:
    """When somebody last did something.

    Attributes:
        last_s: of the booth's clock.
        signature: what lay on the mat when something was last moved.
    """

    last_s: float
    signature: object = None

    def moved(self, reading: Reading, now_s: float) -> bool:
        """Return whether people moved something; shadows of passers-by are read again as well."""
        signature = reading_signature(reading)
        if reading.seats is None or signature == self.signature:
            return False
        self.signature, self.last_s = signature, now_s
        return True


class Booth(MainLoop):
    """The whole evening.

    Attributes:
        context: what its scenes know.
        stage: the state of the booth.
        view: what it shows.
        tables: makes the table of each session.
    """

    def __init__(self, services: Services, config: Config, session: Session | None = None) -> None:
        """Open the booth, at once with *session*; without one with the unfinished game."""
        super().__init__(services.source, services.panels, services.clock)
        self._services, self._config = services, config
        self._folder = services.journal.path.parent
        self._presentation = Presentation(
            config, self._folder, services.screen, services.speaker_for
        )
        self.context = Context(
            self._presentation.preferences,
            default_setup(config),
            config.booth.seats,
            observer=services.observer,
            currency=config.game.currency,
        )
        if services.processor_for is not None or services.by_hand:
            self.context.count = lambda: CountScene(
                self.context, self._open_count, trouble=self.trouble, by_hand=services.by_hand
            )
        if services.feed is not None:
            self.context.phones = partial(PhonesScene, self.context, services.feed)
            services.feed.shows = self._shown
        self.stage = Stage(self.context)
        stuck = StuckButtons(held_buttons(services.panels))
        self._game = catalog.find(config.game.name)
        welcome = Welcome(self.context, self._game, self.trouble)
        self.view = BoothView(self.stage, self._presentation, welcome, stuck, services.screen)
        self.tables = Tables(services, config, self._presentation)
        self._activity = Activity(services.clock.monotonic())
        self._woken_s = self._pressed_s = -math.inf
        self._late: Press | None = None
        """Somebody sits down late, unless it was an elbow."""
        self._waited = False
        table = self.tables.resume_last() if session is None else self.tables.table_of(session)
        if table is None:
            self._forget()  # the players from before the power was gone
        else:
            self._keep_nothing()
            self.stage.enter(Playing(table))

    @property
    def session(self) -> Session | None:
        """The session in progress, or left unfinished."""
        return self.context.session

    @property
    def is_waiting(self) -> bool:
        """Whether the booth plays with itself, waiting for people."""
        return isinstance(self.stage.state, Idle)

    @property
    def lamps(self) -> Lamps:
        """Which lamps are lit now."""
        return self.view.lamps

    def show(self, now_s: float) -> None:
        """Show and say how things stand at *now_s*."""
        waited, self._waited = self._waited, self.is_waiting
        if self.is_waiting and not waited:
            self._count_today()
        self.view.show(now_s)

    def see(self, reading: Reading) -> None:
        """Handle one reading; while nobody plays it only tells what lies on the mat."""
        if reading.seats is not None:
            self.context.leftovers = count_leftovers(reading)
            top = self.stage.top
            if isinstance(top, SeatsScene) and top.waits_for_mat and not self.context.leftovers:
                self.carry_out(Do.START, top)  # the mat is clear: nobody need press again
        table, below = self.stage.in_play, self.stage.scenes[:2]
        counts = next((each for each in below if isinstance(each, CountScene)), None)
        if counts is not None:
            now_s = self._clock.monotonic()
            self._activity.moved(reading, now_s)
            if counts.see(reading):
                self._activity.last_s = now_s  # the same faces may fall again
        if self.is_waiting and self._activity.moved(reading, self._clock.monotonic()):
            self.view.attract.rest(self._clock.monotonic())  # who lays a card sees it read
        if table is None:
            return
        moved = self._activity.moved(reading, self._clock.monotonic())
        if moved and isinstance(self.stage.top, StillThereScene):
            self.stage.back()  # who moves a card plays
        table.see(reading)

    def press(self, press: Press) -> None:
        """Handle one press; any press wakes the booth."""
        self._activity.last_s = self._clock.monotonic()
        scene, table = self.stage.top, self.stage.in_play
        if table is not None and scene is None:
            press = table.meant(press)
        if scene is not None and press.button in ASKS_VOICE:
            self._presentation.read_again()
        elif isinstance(scene, GamesScene) and self._is_second_tap(press):
            return
        elif scene is not None:
            self.carry_out(scene.press(press), scene)
        elif table is None:
            self._wake(press)
        elif _comes_late(table, press):
            self._late = None if self._is_mashed(press) else press
        else:
            if self._is_mashed(press):
                self._late = None
            self._press_at(table, press)
        self._pressed_s = press.time_s

    def _is_mashed(self, press: Press) -> bool:
        """Return whether it is an elbow's: another button was pressed almost at once.

        Presses of a script may have one time, and tell nothing.
        """
        return 0 < press.time_s - self._pressed_s < MASHED_S

    def _press_at(self, table: TableController, press: Press) -> None:
        action = _action_at_table(self.context, table, press)
        if action is None:
            table.press(press)
        else:
            self.carry_out(action)

    def _sit_down_late(self, table: TableController, now_s: float) -> None:
        """Void the hand for who sits down before the deal, once no other button was pressed."""
        press = self._late
        if press is None or now_s - press.time_s < MASHED_S:
            return
        self._late = None
        if self.stage.top is None and _comes_late(table, press):
            self.carry_out(Play(Misdeal("somebody sat down before the deal")))
            self._press_at(table, press)

    def _is_second_tap(self, press: Press) -> bool:
        """Return whether it is of the finger that woke the booth: it chooses nothing yet."""
        return press.choice is not None and self._activity.last_s - self._woken_s < TWICE_S

    def _wake(self, press: Press) -> None:
        """Ask what is to be played, unless *press* only changes the language."""
        self.view.attract.rest(self._clock.monotonic())
        language = self.view.welcome.language_after(press)
        if language is None:
            self._woken_s = self._activity.last_s
            self.stage.open(GamesScene(self.context))
        else:
            self._presentation.set(language)
            self._apply_preferences()

    def _shown(self) -> Shown:
        """Return what is shown, for the feed; of what nobody plays only the screen."""
        table, language = self.stage.in_play, self._presentation.preferences.language
        page = self.view.page
        if table is None:
            return Shown(page=page, language=language)
        prompt = with_key_hints(table.prompt, table.session.view, table.is_by_hand)
        return replace(shown_at(table), prompt=prompt, page=page, language=language)

    def pass_time(self, now_s: float) -> None:
        """Go on by itself where nobody does anything."""
        self.view.stuck.check(now_s)
        idle_s = now_s - self._activity.last_s
        times = self._config.booth
        table = self.stage.in_play
        if self.is_waiting:
            self.view.attract.tick(now_s)
            if idle_s >= LANGUAGE_S and not self._is_as_it_was:
                self._forget()
            if idle_s >= OFFERED_S:
                self._end_table()
        elif table is not None:
            self._sit_down_late(table, now_s)
            table.pass_time(now_s)
            if self.stage.left is not None and _is_dealt(table):
                self.tables.end(self.stage.left)
                self.stage.forget_left()
            self._time_out(table, now_s, idle_s)
        elif idle_s >= times.asked_s:
            self._wait(now_s)
        elif (top := self.stage.top) is not None:
            if idle_s >= times.asked_s * ALONE:
                top.refused = LEFT_ALONE
            elif top.refused == LEFT_ALONE:
                top.refused = ""

    def _time_out(self, table: TableController, now_s: float, idle_s: float) -> None:
        """Ask whether anybody is there, or show the ledger; after a while wait for others."""
        times, over = self._config.booth, table.session.view.phase is Phase.DONE
        if idle_s < (times.result_s if over else times.asked_s):
            return
        if over:
            if not isinstance(self.stage.top, AfterwardsScene):
                self.stage.close()
                self.stage.open(AfterwardsScene(self.context))
                self._activity.last_s = now_s
                return
        elif idle_s < times.left_s:
            if not isinstance(self.stage.top, StillThereScene):
                self.stage.close()
                self.stage.open(StillThereScene(self.context))
            return
        self._leave_table()
        self._wait(now_s)

    def _leave_table(self) -> None:
        """Close every scene and leave the table: somebody may come back to it."""
        self.stage.close()
        table = self.stage.in_play
        if table is None:
            return
        if table.session.events and (self.stage.left is None or _is_dealt(table)):
            self.stage.enter(Idle(table))
        else:
            self._end_table()

    def failed(self) -> None:
        """Report a failed step: at the table, where somebody plays."""
        self.stage.close()
        if self.stage.table is not None:
            self.stage.table.failed()

    def shut(self) -> None:
        """Fall silent; the game in progress stays in the journal."""
        self.stage.close()
        self._keep_nothing()
        self._presentation.close()

    # Counting without a game

    def _open_count(self, kind: Kind) -> Counting:
        """Begin a count, or go on with one that a power cut broke off."""
        self.tables.load_networks(game_to_count(kind))
        return Counting(kind, counts_path(self._services.journal.path), self._clock)

    # What scenes answer with

    def carry_out(self, action: Action | None, scene: Scene | None = None) -> None:
        """Carry out *action*; *scene* shows why it is refused."""
        match action:
            case None:
                pass
            case Open(above, press):
                self.stage.open(above)
                if press is not None:
                    self.carry_out(above.press(press), above)
            case Do.BACK:
                self.stage.back()
            case BackTo(below):
                self.stage.back_to(below)
            case Close(then):
                self.stage.close()
                self.carry_out(then)
            case SetPreferences(preferences):
                self._presentation.set(preferences)
                self._apply_preferences()
            case _:
                refused = self._carry_out_at_table(action)
                if scene is not None:
                    scene.refused = refused

    def _carry_out_at_table(self, action: Action) -> Value:
        """Carry out *action*; return why not, or nothing."""
        table = self.stage.table
        match action:
            case Do.START:
                return self._start_game(self.context.setup)
            case Do.RESUME if self.stage.left is not None:
                left = self.stage.left
                self.stage.close()
                # Meanwhile others may have had the networks of another game loaded.
                self.tables.load_networks_of(left.session)
                self.stage.enter(Playing(left))
            case Do():
                self._do(action)
            case PressTable(button, seat) if table is not None:
                table.press(Press(button, self._clock.monotonic(), seat))
            case Play(Join() | Leave() as event) if table is not None:
                refused = table.enter(event)
                # The next game is proposed to those who then play.
                players = table.session.state.players
                self.context.setup.seated = {player.seat: player.name for player in players}
                ages = {player.seat: player.age for player in players}
                self.context.setup.ages = {s: age for s, age in ages.items() if age is not None}
                return refused
            case Play(event) if table is not None:
                table.enter(event)
            case Bet() | CallOff() if table is not None:
                return self._bet(table, action)
        return ""

    def _do(self, action: Do) -> None:
        """Do what ends or leaves the game, or changes how it is played."""
        table = self.stage.table
        match action:
            case Do.NEW_GAME:
                self.new_game()
            case Do.LEAVE:
                self._leave_table()
                self._ask_game()
            case Do.BY_HAND if table is not None:
                table.enter_by_hand()
            case Do.END:
                self.end_session()

    def _bet(self, table: TableController, action: Bet | CallOff) -> Value:
        """Make a side bet or call one off; return why not, or nothing."""
        if isinstance(action, CallOff):
            table.call_off(action.number)
            return ""
        refused = table.bet(action.wager, action.reason)
        if not refused:
            self.stage.close()
        return refused

    def _start_game(self, setup: GameSetup) -> Value:
        left = self.stage.left
        if self._services.by_hand and not can_be_entered(setup.options):
            return Message("Only a camera can follow this game: choose another one.")
        try:
            table = self.tables.open(setup)
        except BoneAceError as problem:
            log.warning("%s", problem)
            return str(problem)
        self.stage.close()
        self.stage.enter(Playing(table, left))
        return ""

    def new_game(self) -> None:
        """End the game, and ask which one is played next; strangers find nothing of it."""
        self._end_table()
        self._ask_game()

    def _ask_game(self) -> None:
        if not self._config.booth.keep_settings:
            self._forget()
        self.stage.open(GamesScene(self.context))

    def end_session(self) -> None:
        """End the evening: its picture is shown and kept; then the booth waits again."""
        table = self.stage.table
        if table is None or not table.session.state.hands:
            self._end_table()
            return
        self.stage.close()
        session = table.session
        page = share_page(session.state, self._clock.wall(), session.token_value, session.wagers)
        if self._services.by_hand:
            page = replace(page, foot="")  # no card was read
        name = f"boneace-{session.record.number:04d}.png"
        if self._services.save is not None:
            try:
                language = self.context.preferences.language
                self._services.save(page, self._folder / "pictures" / name, language)
            except (BoneAceError, OSError) as problem:
                log.warning("the picture of the evening is not kept: %s", problem)
        self._end_table()
        self.stage.enter(Summary((EndScene(self.context, page),)))

    def _end_table(self) -> None:
        """Close every scene, end the session and wait.

        Where people have only begun to begin, the game that was left before stays.
        """
        self.stage.close()
        table, left = self.stage.in_play, self.stage.left
        over = table or left
        if over is not None:
            self.tables.end(over)
            self.stage.enter(Idle(None if table is None else left))

    def _wait(self, now_s: float) -> None:
        """Wait for people; nothing of the last ones is left for the next."""
        self.stage.close()
        self._activity.last_s = now_s
        self._forget()
        # What passers-by lay is read as cards, whatever was played last.
        self.tables.load_networks(self._game.name)
        self.view.attract.begin(now_s)

    def _count_today(self) -> None:
        """Find out what was played today, at the table that was left as well."""
        today = played_today(self._services.journal, self._clock.wall())
        if self.stage.left is not None:
            session = self.stage.left.session
            today = today.and_hands(session.view.game, session.state.hands)
        self.view.welcome.today = today

    def _forget(self) -> None:
        """Reset what the last players chose and set."""
        self.context.setup = default_setup(self._config)
        if not self._config.booth.keep_settings:
            self._presentation.reset()
            self._apply_preferences()

    def _keep_nothing(self) -> None:
        """Leave nothing on the disk that visitors set: it would count for other commands too."""
        if not self._config.booth.keep_settings:
            self._presentation.forget_file()

    @property
    def _is_as_it_was(self) -> bool:
        """Whether the next people find language and look as they are to be here."""
        return self._config.booth.keep_settings or self._presentation.is_own

    def _apply_preferences(self) -> None:
        self.context.preferences = self._presentation.preferences
        if self.stage.table is not None:
            self.tables.apply_preferences(self.stage.table)


def _is_dealt(table: TableController) -> bool:
    """Return whether a card or a bone has fallen: a press alone begins no game."""
    seen = table.session.view
    dealt = any(seat.cards or seat.throws for seat in seen.seats)
    return bool(dealt or seen.cuts)


def _action_at_table(context: Context, table: TableController, press: Press) -> Action | None:
    """Return what *press* means to the booth; ``None`` where the table handles it."""
    question, match = table.question, table.session.view.match
    if press.button is Button.MENU and press.choice is not None:
        scene = touched_card(context, table.session.view, press.choice)
        return Close() if scene is None else Open(scene)
    has_own = question is not None and question.kind in OWN_MENU
    if press.button is Button.MENU and press.seat is None and not has_own:
        context.by_hand, context.may_enter = table.menu_by_hand, table.may_enter
        context.lying = table.lying
        return Open(MenuScene(context))
    if press.seat is not None and question is None and _changes_players(table, press):
        # Who gets up must mean it: that takes a second press.
        return Open(PeopleScene(context), press if press.button is Button.HAVE else None)
    if press.button is Button.NEXT and match is not None and match.over:
        return Open(after_match(context))
    return None


def _comes_late(table: TableController, press: Press) -> bool:
    """Return whether somebody sits down after NEXT, before a card or a bone has fallen.

    That hand is void: players join only between hands (rule G-15).
    """
    state = table.session.state
    if press.button is not Button.HAVE or press.seat is None or _is_seated(table, press.seat):
        return False
    may_be_void = state.phase not in (Phase.CUT, Phase.DONE) and table.question is None
    return may_be_void and not _is_dealt(table) and takes_newcomers(state)


def _changes_players(table: TableController, press: Press) -> bool:
    """Return whether a press at a seat between hands means that somebody joins or leaves."""
    if table.session.view.phase is not Phase.DONE:
        return False
    return press.button is (Button.STICK if _is_seated(table, press.seat) else Button.HAVE)


def _is_seated(table: TableController, seat: int | None) -> bool:
    return any(player.seat == seat for player in table.session.state.players)
