"""A booth that runs itself: it waits for people, asks what they play, deals, and shows who won.

The booth wraps the loop of one table and makes a new one for
every sitting. The journal outlives everything here: a game that was left can be gone on with, also
after a power cut.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from device.booth.attract import AttractMode
from device.booth.hints import count_leftovers, idle_prompt, reading_signature, with_key_hints
from device.booth.preferences import Preferences
from device.booth.presentation import House, SpeakerFactory
from device.booth.scenes.base import Scene
from device.booth.scenes.idle import AfterwardsScene, StillThereScene
from device.booth.scenes.menu import EndScene, MenuScene
from device.booth.scenes.players import PeopleScene
from device.booth.scenes.setup import GameSetup, GamesScene, proposed, welcome
from device.booth.screen_port import Screen, touchables
from device.booth.stuck_buttons import StuckButtons, held_buttons, stuck_words
from device.booth.summary import share_page
from device.clock import Clock
from device.config.model import Config
from device.hardware.buttons import Touchable
from device.ports import Button, Lamps, Panel, Press
from device.runtime.camera_worker import FrameProcessor, ReadingSource
from device.runtime.hints import HintProvider
from device.runtime.loop import MainLoop
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.bone_sets import set_name
from device.storage.journal import Journal, JournalError
from display import Prompt, prompt_for
from display.pages.base import Page
from engine import Player
from engine.core.errors import BoneAceError
from engine.core.events import Correct, CorrectBone, Join, Leave
from engine.core.views import Phase, View
from engine.games import catalog
from vision.readings import Reading

log = logging.getLogger(__name__)

IN_PLAY = 3
"""A hand in play is left so many times as long as a finished one before the booth waits again; all
but the first of them it asks whether anybody is there."""

OFFERED = 5
"""So many times as long, while it waits, the hand that was left can still be gone on with."""

KEPT_FOR_THE_TABLE = ("exposed", "misdeal")
"""Questions for which MENU has a meaning of its own."""


class Booth(MainLoop):
    """The whole evening.

    Attributes:
        app: the table in progress; ``None`` while there is none.
        asked: how many questions were put to all tables together.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        config: Config,
        eyes: ReadingSource,
        panels: Sequence[Panel],
        *,
        looking: ReadingObserver | None = None,
        glass: Screen | None = None,
        folder: Path | None = None,
        hear: SpeakerFactory | None = None,
        watch_for: Callable[[str, object], FrameProcessor] | None = None,
        save: Callable[[Page, Path], object] | None = None,
        listener: Callable[[Session], None] | None = None,
    ) -> None:
        """Open the booth; an unfinished game in the journal is gone on with at once.

        Args:
            journal: where every sitting is written down.
            clock: the machine's.
            config: what is set beforehand.
            eyes: one pair for the whole evening.
            panels: buttons and lamps.
            looking: what looks over the eyes' shoulder.
            glass: the window; without one the booth is only heard.
            folder: where settings and pictures are kept; the journal's when ``None``.
            hear: opens the speaker as the preferences want it.
            watch_for: makes the watch that reads what a game, with its options, is played with.
            save: writes the picture of the evening.
            listener: told of each new sitting.
        """
        super().__init__(eyes, panels, clock)
        self.app: TableController | None = None
        self.asked = 0
        self._journal, self._config = journal, config
        self._looking, self._glass = looking, glass
        self._folder = journal.path.parent if folder is None else folder
        self._watch_for, self._save, self._listener = watch_for, save, listener
        self._scenes: list[Scene] = []
        self._left = False
        self._lies: object = None
        self._left_lying = 0
        self._stuck = StuckButtons(held_buttons(panels))
        self._alarm = ""
        self._attraction = AttractMode()
        self._teacher = HintProvider()
        self._active_s = clock.monotonic()
        self._house = House(config, self._folder, glass, hear)
        self._agreed = proposed(config)
        self._go_on_after_a_start()
        if self.app is None:
            self._forget()  # of the company before the power was gone

    # What scenes may ask

    @property
    def preferences(self) -> Preferences:
        """Return what is set at the table."""
        return self._house.preferences

    @property
    def session(self) -> Session | None:
        """Return the sitting in progress."""
        return None if self.app is None else self.app.session

    @property
    def looking(self) -> ReadingObserver | None:
        """Return what looks over the eyes' shoulder."""
        return self._looking

    @property
    def chairs(self) -> int:
        """Return how many seats the table has."""
        return self._config.booth.seats

    @property
    def agreed(self) -> GameSetup:
        """Return what was chosen last."""
        return self._agreed

    @property
    def is_waiting(self) -> bool:
        """Say whether the booth plays with itself, waiting for people."""
        return not self._scenes and (self.app is None or self._left)

    def open(self, scene: Scene) -> None:
        """Lay *scene* over what is shown."""
        self._scenes.append(scene)

    def back(self) -> None:
        """Take the scene on top away."""
        if self._scenes:
            self._scenes.pop().left()

    def close(self) -> None:
        """Take every scene away: the table is shown, or the screen that waits."""
        while self._scenes:
            self.back()

    def set(self, preferences: Preferences) -> None:
        """Use *preferences* until the booth waits again, and keep them if the config says so."""
        self._house.set(preferences)
        self._tell_the_table()

    def press_table(self, button: Button) -> None:
        """Press a button of the table itself."""
        if self.app is not None:
            self.app.press(Press(button, self._clock.monotonic()))

    def correct(self, event: Correct | CorrectBone) -> None:
        """Put a reading right."""
        if self.app is not None:
            self.app.correct(event)

    def change_players(self, event: Join | Leave) -> str:
        """Let somebody sit down or get up; return why not, or nothing.

        Whoever plays now is the company that the next game is proposed to.
        """
        if self.app is None:
            return ""
        refused = self.app.change_players(event)
        seated = self.app.session.state.players
        self._agreed.seated = {player.seat: player.name for player in seated}
        return refused

    def begin(self, agreed: GameSetup) -> str:
        """Sit down to the game; return why not, or nothing."""
        if self.app is not None:
            self._close_sitting()
        game = agreed.game
        seats = sorted(agreed.seated)
        try:
            session = Session.begin(
                self._journal,
                self._clock,
                game.name,
                [Player(seat, agreed.seated[seat]) for seat in seats],
                # Who holds the bank first is agreed, not cut for: the last seat has it.
                dealer=None if game.cuts_for_deal else seats[-1],
                preset=agreed.preset,
                options=agreed.changes,
                bones=set_name(self._config.game.bones) if game.with_bones else "",
            )
        except BoneAceError as problem:
            log.warning("%s", problem)
            return str(problem)
        self._sit(session)
        return ""

    def resume(self) -> None:
        """Go on with the game that was left."""
        self._left = False
        if self.app is not None:
            self._refit(self.app.session)  # others may have looked for another game meanwhile
        self.close()

    def new_game(self) -> None:
        """End the game, and ask which one is played next; strangers find nothing of it."""
        self.close()
        self._close_sitting()
        if not self._config.booth.keep_settings:
            self._forget()
        self.open(GamesScene(self))

    def finish(self) -> None:
        """End the evening: its picture is shown and kept; then the booth waits again."""
        if self.app is None:
            return
        self.close()
        state = self.app.session.state
        if not state.hands:
            self._close_sitting()
            return
        page = share_page(state, self._clock.wall())
        name = f"boneace-{self.app.session.sitting.number:04d}.png"
        if self._save is not None:
            try:
                self._save(page, self._folder / "pictures" / name)
            except (BoneAceError, OSError) as problem:
                log.warning("the picture of the evening is not kept: %s", problem)
        self._close_sitting()
        self.open(EndScene(self, page))

    # The loop

    def see(self, reading: Reading) -> None:
        """Take one reading; while nobody plays it only tells what the last people left lying."""
        if reading.seats is not None:
            self._left_lying = count_leftovers(reading)
        if self.app is not None and not self._left:
            lies = reading_signature(reading)
            if reading.seats is not None and lies != self._lies:
                # The same once more is nobody's doing: shadows of who walks past are looked at too.
                self._lies, self._active_s = lies, self._clock.monotonic()
                if isinstance(self._top, StillThereScene):
                    self.back()  # whoever moves a card plays
            self.app.see(reading)

    def press(self, press: Press) -> None:
        """Take one press: whoever presses anything wakes the booth."""
        waited = self.is_waiting
        self._active_s = self._clock.monotonic()
        if waited:
            self.open(GamesScene(self))
        elif self._scenes:
            self._scenes[-1].press(press)
        elif self.app is not None:
            self._press_at_the_table(self.app, press)

    @property
    def lamps(self) -> Lamps:
        """Return which lamps are lit now."""
        if self._scenes:
            return self._scenes[-1].lamps
        if self.app is not None and not self._left:
            return self.app.lamps
        return Lamps(attention=True)

    @property
    def count_leftovers(self) -> int:
        """Return how many cards and bones lay on the mat when it was last looked at."""
        return self._left_lying

    @property
    def page(self) -> Page | None:
        """Return the screen around the game that is shown; ``None`` while a table is."""
        page = self._page_now()
        if page is not None and self._alarm:
            page = replace(page, note=self._alarm, warning=True)
        return page

    def _page_now(self) -> Page | None:
        if self._scenes:
            return self._scenes[-1].page()
        if self.is_waiting and self._attraction.view is None:
            return welcome(catalog.find(self._attraction.game))
        return None

    @property
    def table(self) -> tuple[View, Prompt] | None:
        """Return the table that is shown, and what is said there."""
        shown = self._table_now()
        if shown is not None and self._alarm:
            shown = (shown[0], replace(shown[1], detail=self._alarm))
        return shown

    def _table_now(self) -> tuple[View, Prompt] | None:
        if self._scenes:
            return None
        if self.is_waiting:
            view = self._attraction.view
            if view is None:
                return None
            return view, idle_prompt(prompt_for(view, self.preferences.language))
        assert self.app is not None  # else it would be waiting
        view, said = self.app.session.view, self.app.prompt
        ordinary = prompt_for(view, self.preferences.language)
        return view, with_key_hints(said, ordinary, view, self.app.question)

    def touchables(self) -> tuple[Touchable, ...]:
        """Return what can be touched now, for :class:`device.hardware.buttons.TouchPanel`."""
        whole = (Touchable(0.0, 0.0, 1.0, 1.0, Button.HAVE),) if self.is_waiting else ()
        return (*whole, *touchables(self._glass))

    # Within

    def _press_at_the_table(self, app: TableController, press: Press) -> None:
        question = app.question
        if press.button is Button.MENU and (
            question is None or question.kind.value not in KEPT_FOR_THE_TABLE
        ):
            self.open(MenuScene(self))
            return
        if press.seat is not None and question is None and self._comes_or_goes(app, press):
            return
        match = app.session.view.match
        if press.button is Button.NEXT and match is not None and match.over:
            self.finish()
            return
        app.press(press)

    def _comes_or_goes(self, app: TableController, press: Press) -> bool:
        """Ask who plays on, where a press between hands means that somebody comes or goes."""
        if app.session.view.phase is not Phase.DONE:
            return False
        here = any(player.seat == press.seat for player in app.session.state.players)
        if press.button is not (Button.STICK if here else Button.HAVE):
            return False
        scene = PeopleScene(self)
        self.open(scene)
        if not here:
            scene.press(press)  # who gets up must mean it: that takes a second press
        return True

    def pass_time(self, now_s: float) -> None:
        """Go on by itself where nobody does anything."""
        self._alarm = stuck_words(self._stuck.look(now_s))
        idle_s = now_s - self._active_s
        patience_s = float(self._config.booth.idle_s)
        if self.is_waiting:
            self._attraction.tick(now_s)
            if self._left and idle_s >= patience_s * OFFERED:
                self._close_sitting()
            return
        if self.app is not None and not self._left:
            self.app.pass_time(now_s)
            done = self.app.session.view.phase is Phase.DONE
            if idle_s < patience_s:
                return
            if done and not isinstance(self._top, AfterwardsScene):
                self.close()
                self.open(AfterwardsScene(self))
                self._active_s = now_s
                return
            if not done and idle_s < patience_s * IN_PLAY:
                if not isinstance(self._top, StillThereScene):
                    self.close()
                    self.open(StillThereScene(self))
                return
            self.close()
            if done:
                self._close_sitting()
            else:
                # Somebody may come back to it: it is the first thing that is offered.
                self._left = True
            self._wait(now_s)
        elif idle_s >= patience_s:
            self.close()
            self._wait(now_s)

    @property
    def _top(self) -> Scene | None:
        return self._scenes[-1] if self._scenes else None

    def _wait(self, now_s: float) -> None:
        """Begin to wait for people; nothing of the last ones is left for the next."""
        self._active_s = now_s
        self._forget()
        self._attraction.begin(now_s)

    def _forget(self) -> None:
        """Take back what the last company agreed on and set."""
        self._agreed = proposed(self._config)
        if not self._config.booth.keep_settings:
            self._house.reset()
            self._tell_the_table()

    def _tell_the_table(self) -> None:
        if self.app is not None:
            self.app.language = self.preferences.language
            self.app.teacher = self._teacher if self.preferences.teaching else None

    def _sit(self, session: Session) -> None:
        """Bring *session* to the table."""
        self.close()
        self._left = False
        language = self.preferences.language
        self.app = TableController(
            session,
            self._source,
            (),
            self._clock,
            language=language,
            notices=self._journal.notices,
            looking=self._looking,
            teacher=self._teacher if self.preferences.teaching else None,
        )
        self._journal.notices.clear()  # said once, not to every company of the evening
        session.listeners.append(self._house.listen)
        if self._listener is not None:
            self._listener(session)
        self._refit(session)

    def _refit(self, session: Session) -> None:
        """Let the eyes look for what this game is played with; networks take a while to load."""
        looking, make = self._looking, self._watch_for
        if looking is None or make is None:
            return
        setup = session.state.setup

        def work() -> None:
            try:
                looking.watch = make(setup.game.name, setup.options)
            except BoneAceError as problem:
                log.error("%s", problem)

        threading.Thread(target=work, name="refit", daemon=True).start()

    def _close_sitting(self) -> None:
        """End the sitting; a disk that refuses leaves it to be gone on with, and harms nobody."""
        if self.app is None:
            return
        self.asked += self.app.asked
        try:
            self.app.session.close()
        except JournalError as problem:
            log.error("%s", problem)
        self.app, self._left = None, False

    def _go_on_after_a_start(self) -> None:
        session = Session.resume_last(self._journal, self._clock)
        if session is not None:
            self._sit(session)

    def failed(self) -> None:
        """Say that a step failed: at the table, where somebody plays."""
        self.close()
        if self.app is not None:
            self.app.failed()

    def show(self, now_s: float) -> None:
        """Show the page on top, or the table; it is heard where somebody is there."""
        # Nobody is talked to who has not come to the table.
        aloud = not self.is_waiting
        page = self.page
        if page is not None:
            self._house.show_page(page, now_s, aloud=aloud)
            return
        table = self.table
        if table is not None:
            self._house.show_table(*table, now_s, aloud=aloud)

    def shut(self) -> None:
        """Fall silent; the game in progress stays in the journal."""
        self.close()
        self._house.close()
