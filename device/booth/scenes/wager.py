"""A side bet: who bets with whom, on what, how much; and the bets that are open (rule WL-7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from device.booth.scenes.base import (
    Action,
    BackTo,
    Bet,
    CallOff,
    Context,
    ListScene,
    Open,
    SureScene,
    Then,
)
from device.booth.scenes.entry import MOST_TOKENS
from device.booth.scenes.typed import NumberScene
from device.booth.summary import pair, player_names
from device.storage.journal.summary import WagerLine, wager_lines
from display.i18n.translate import Translator
from display.pages.base import joined
from display.pages.list import Item
from engine import State
from engine.core.fast_replace import replace
from engine.core.messages.message import Message, Value
from engine.core.messages.words import count
from engine.table.wagers import Verdict, Wager, in_match


def may_bet(state: State) -> bool:
    """Return whether two players may bet with each other now (rule WL-7)."""
    return len(in_match(state)) > 1 and len(state.players) > 1


def likeliest(state: State, before: Sequence[Wager]) -> Wager:
    """Return what is likeliest to be bet: by who is out, on who leads, as much as last time.

    Args:
        state: one in which two may bet.
        before: the wagers that were made.
    """
    playing = in_match(state)
    watching = [player.seat for player in state.players if player.seat not in playing]
    bettor, other = (*watching, *playing)[:2]
    on = max(playing, key=lambda seat: _lives(state, seat))
    return Wager(bettor, other, before[-1].tokens if before else 1, on)


def _lives(state: State, seat: int) -> int:
    setup = state.setup
    seen = setup.game.match.player_view(setup.options, state.round.standing, seat)
    return 0 if seen is None or seen.lives is None else seen.lives


def outcomes(state: State) -> list[tuple[int, int | None]]:
    """Return what one may bet on: who wins, who leads first; then who goes further than whom."""
    playing = sorted(in_match(state), key=lambda seat: -_lives(state, seat))
    pairs = [(one, other) for one in playing for other in playing if one != other]
    return [*((seat, None) for seat in playing), *pairs]


class WagerScene(ListScene):
    """Four choices, each the likeliest at first, and the bets that can be called off.

    Attributes:
        wager: what is chosen now.
    """

    title = Message("Side bet")
    note = Message("Who is right gets it from the other, as soon as it is decided.")

    def __init__(self, context: Context) -> None:
        """Propose what is likeliest."""
        super().__init__(context)
        session = context.session
        assert session is not None  # it is opened from a table
        self._session = session
        self.wager = likeliest(context.state, [each.wager for each in session.wagers])

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return the four choices, that the bet is made, and the bets that are open."""
        names, now, worth = player_names(self.context.state), self.wager, self.context.token_value
        tokens: Value = count(now.tokens, "token")
        if worth is not None:
            tokens = joined(tokens, " (", worth.of(now.tokens), ")")
        # Translators: the four choices of a side bet, each before what is chosen.
        rows: list[tuple[Item, Then]] = [
            (Item(Message("Who bets"), names[now.bettor]), self._next_bettor),
            (Item(Message("With whom"), names[now.other]), self._next_other),
            (Item(Message("On what"), bet_words(now, names)), Open(OutcomeScene(self))),
            (Item(Message("How much"), tokens), self._ask_tokens),
            (Item(Message("It is a bet")), self._make),
        ]
        for line in wager_lines(self.context.state, names, self._session.wagers):
            if line.verdict is Verdict.OPEN:
                rows.append((Item(line.reason, pair(line)), partial(self._call_off, line)))
        return rows

    def _next_bettor(self) -> None:
        now = self.wager
        bettor = self._after(now.bettor)
        # The one who was the other bets instead: the two change places.
        other = now.bettor if bettor == now.other else now.other
        self.wager = replace(now, bettor=bettor, other=other)

    def _next_other(self) -> None:
        now = self.wager
        other = self._after(now.other)
        other = self._after(other) if other == now.bettor else other
        self.wager = replace(now, other=other)

    def _after(self, seat: int) -> int:
        seats = [player.seat for player in self.context.state.players]
        return next((each for each in seats if each > seat), seats[0])

    def _ask_tokens(self) -> Action:
        def use(tokens: int | None) -> Action | None:
            if not tokens:
                return None
            self.wager = replace(self.wager, tokens=tokens)
            return BackTo(self)

        return Open(NumberScene(self.context, Message("How many tokens?"), MOST_TOKENS, use))

    def _make(self) -> Action:
        names = player_names(self.context.state)
        translator = Translator.of(self.context.preferences.language)
        said = bet_words(self.wager, names)
        number = len(self._session.wagers) + 1
        reason = Message("Side bet {n}: {bet}", n=number, bet=said)
        return Bet(self.wager, translator.render(reason))

    def _call_off(self, line: WagerLine) -> Action:
        title = Message("Call this side bet off?")
        end = Message("Call it off")
        return Open(SureScene(self.context, title, (end, CallOff(line.number)), note=line.reason))


def bet_words(wager: Wager, names: dict[int, str]) -> Message:
    """Return what the bettor says."""
    on = names[wager.on]
    if wager.than is None:
        return Message("{name} wins the match", name=on)
    return Message("{name} goes further than {other}", name=on, other=names[wager.than])


class OutcomeScene(ListScene):
    """On what? Who wins the match, or which of two goes further."""

    title = Message("On what?")
    note = Message("Who goes further stays in the match longer.")

    def __init__(self, below: WagerScene) -> None:
        """Choose for the scene *below*; what it has is marked."""
        super().__init__(below.context)
        self._below = below
        now = (below.wager.on, below.wager.than)
        self._all = outcomes(below.context.state)
        self.focus = self._all.index(now) if now in self._all else 0

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return everything that can be bet on."""
        names = player_names(self.context.state)
        wager = self._below.wager
        return [
            (
                Item(bet_words(replace(wager, on=on, than=than), names)),
                partial(self._use, on, than),
            )
            for on, than in self._all
        ]

    def _use(self, on: int, than: int | None) -> Action:
        self._below.wager = replace(self._below.wager, on=on, than=than)
        return BackTo(self._below)
