"""What the players of One-and-Thirty, Bone-Ace and One-and-Twenty do, and why."""

from __future__ import annotations

from random import Random

import pytest

from engine import Card, Deal, Facing, Have, Player, Stick, apply, deck, new_table, view
from engine.bots import player
from engine.core.events import Choose, Roll, Stake
from engine.games import catalog
from engine.games.decision import Decision, actions_of
from engine.games.knucklebones.odds import best_bones, best_bones_of_banker
from engine.games.one_and_thirty.odds import Opponent, stick_now
from engine.games.one_and_thirty.strategy import Stakes, Worth
from engine.odds.unseen import unseen
from engine.table.visibility import actions_for
from tests.support.game_driver import Driver


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def deal(*hands: str, game="one-and-thirty", preset=None, **options):
    """Deal these hands, seat 0 first; the last one deals."""
    seats = len(hands)
    people = [Player(seat, f"P{seat}", 30) for seat in range(seats)]
    state = new_table(game, people, dealer=seats - 1, preset=preset, options=options)
    order = [(place, seat) for place in range(3) for seat in range(seats)]
    if state.setup.options.deal_style == "packet":
        order.sort(key=lambda each: each[1])
    for place, seat in order:
        up = game == "bone-ace" and place == 2
        face = Facing.UP if up else Facing.DOWN
        state = apply(state, Deal(seat, cards(hands[seat])[place], face))
    return state


def asked(state, seat=None) -> Decision:
    seat = state.turn if seat is None else seat
    seen = view(state, seat)
    mine = actions_of(actions_for(state, seat), seat)
    me = seen.seat(seat)
    return Decision(seen, state.setup.options, mine, me, me.cards)


def ask(state, style, seat=None):
    seat = state.turn if seat is None else seat
    game, options = state.setup.game.name, state.setup.options
    return player(style, game).decide(
        view(state, seat), actions_of(actions_for(state, seat), seat), options
    )


# --- to stick or to have it -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "cautious", "bold"),
    [("KH 9D 2C", Have, Have), ("KH 9D 3C", Stick, Have), ("KH 9D 7C", Stick, Have)],
)
def test_simple_players_stick_at_their_threshold(hand, cautious, bold):
    state = deal(hand, "2H 3D 4C")
    assert isinstance(ask(state, "cautious"), cautious)
    assert isinstance(ask(state, "bold"), bold)


def test_the_bold_stick_at_27():
    assert ask(deal("KH 9D 8C", "2H 3D 4C"), "bold") == Stick(0)


@pytest.mark.parametrize("ace_value", [1, 11, "1or11"])
def test_against_one_player_sticking_is_what_the_odds_say(ace_value):
    """The chance to win is that of stick_now, as eldest and as dealer, exactly."""
    rng = Random(6)
    for _ in range(6):
        drawn = rng.sample(deck(), 6)
        hands = [" ".join(map(str, drawn[k::2])) for k in range(2)]
        state = deal(*hands, ace_value=ace_value)
        if state.turn != 0:
            continue
        question = asked(state)
        if question.me.total > 30:
            continue
        waits = Opponent((None,) * 3, elder=False, stick_at=25)
        first = stick_now(question.hand, [waits], ace_value=ace_value)
        assert Worth.of(question).win(question.me.total) == pytest.approx(float(first.win))
        state = apply(state, Stick(0))
        question = asked(state)
        if question.me.total is None or question.me.total > 30:
            continue
        stuck = Opponent((None,) * 3, elder=True, at_least=22)
        last = stick_now(question.hand, [stuck], ace_value=ace_value)
        assert Worth.of(question).win(question.me.total) == pytest.approx(float(last.win))


def test_one_more_card_is_followed_to_the_end():
    """With a total from which no second card can be had, all can be added up by hand."""
    state = deal("KH 9D 9C", "2H 3D 4C", double_on_31=False)  # 28
    question = asked(state)
    worth = Worth.of(question)
    pool = unseen(question.hand)
    by_points = dict(enumerate(pool, start=1))
    win = {points: worth.win(points) for points in (29, 30)}
    after = {1: 2 * win[29] - 1, 2: 2 * win[30] - 1, 3: 1.0}
    # At 29 and 30 another card is worse still, or the hand would not be followed so.
    expected = sum(count * after.get(points, -1.0) for points, count in by_points.items())
    assert worth.of_having() == pytest.approx(expected / 49)
    assert worth.of_sticking() == pytest.approx(2 * worth.win(28) - 1)
    assert ask(state, "exact") == Stick(0)


def test_below_the_danger_the_exact_player_always_has_a_card():
    for hand in ("KH 9D 2C", "2H 3D 4C", "KH 8D AC"):
        assert ask(deal(hand, "5H 6D 7C"), "exact") == Have(0)


def test_the_exact_player_minds_how_many_play():
    """Against one, 25 is enough as dealer; seven others make it too little."""
    few = deal("2H 3D 9C", "KH 8D 7C")
    many = deal(
        *("2H 3D 9C", "2D 3C 9H", "2C 3H 9D", "4H 5D 8C", "4D 5C 8H", "4C 5H 8S", "6H 6D 7H"),
        "KH 7D 7C",
    )
    for state, said in ((few, Stick), (many, Have)):
        while state.turn != len(state.players) - 1:
            state = apply(state, Stick(state.turn))
        assert isinstance(ask(state, "exact"), said)


def test_stakes_are_read_from_what_was_agreed():
    plain = Stakes.of(asked(deal("KH 9D 2C", "2H 3D 4C", "5H 6D 7C", stake=2)))
    assert (plain.win, plain.win_31, plain.lose, plain.lose_31) == (4, 8, -2, -2)
    single = Stakes.of(asked(deal("KH 9D 2C", "2H 3D 4C", double_on_31=False)))
    assert (single.win, single.win_31, single.lose_31) == (1, 1, 0)
    pool = Stakes.of(
        asked(deal("KH 9D 2C", "2H 3D 4C", "5H 6D 7S", game="bone-ace", preset="cotton"))
    )
    assert (pool.win, pool.win_31, pool.lose) == (2, 2, 0)
    capped = Stakes.of(
        asked(deal("KH 9D 2C", "2H 3D KC", "5H 6D 7S", game="bone-ace", cap_double="whole_hand"))
    )
    # Who paid for the Bone pays one more for 31, its holder two; the one asked has paid.
    assert (capped.win_31, capped.lose_31) == (3, 0)


def test_a_tie_is_the_elders():
    """Where ties are split nobody wins one alone: so the elder loses by that, the younger not."""
    hands = "KH 9D 6C", "KS 8D 7C"
    for before, elder in (((), True), ((Stick(0),), False)):
        wins = []
        for rule in ("eldest", "split"):
            state = deal(*hands, tie_rule=rule)
            for event in before:
                state = apply(state, event)
            wins.append(Worth.of(asked(state)).win(25))
        assert (wins[0] > wins[1] + 0.02) is elder
        assert elder or wins[0] == wins[1]


def test_cards_that_lie_open_are_counted():
    """In Bone-Ace the third cards are seen: with tens among them a card is less of a risk."""
    tens = deal("9H 8D 7C", "2H 3D KC", "4H 5D KS", "2S 3S QC", game="bone-ace")
    small = deal("9H 8D 7C", "2H 3D 4C", "4H 5D 4S", "2S 3S 5C", game="bone-ace")
    hidden = deal("9H 8D 7C", "2H 3D 4C", "4H 5D 4S", "2S 3S 5C")
    have = [Worth.of(asked(state, 0)).of_having() for state in (tens, hidden, small)]
    assert have[0] > have[1] > have[2]


# --- bones ----------------------------------------------------------------------------------------


def bones(*throws: tuple[int, ...], players=3, **options):
    people = [Player(seat, f"P{seat}") for seat in range(players)]
    state = new_table("knucklebones", people, dealer=players - 1, options=options)
    for faces in throws:
        state = apply(state, Roll(state.turn, faces))
    return state


@pytest.mark.parametrize("total", [9, 12, 15, 17, 19, 20, 21])
def test_bones_are_thrown_as_each_style_says(total):
    throw = next(
        (a, b, c, d, e)
        for a in (1, 3, 4, 6)
        for b in (1, 3, 4, 6)
        for c in (1, 3, 4, 6)
        for d in (1, 3, 4, 6)
        for e in (1, 3, 4, 6)
        if a + b + c + d + e == total
    )
    state = bones(throw)
    assert ask(state, "cautious") == Choose(0, min(5, (21 - total) // 6))
    assert ask(state, "bold") == Choose(0, min(5, round((21 - total) / 3.5)))
    assert ask(state, "exact") == Choose(0, best_bones(total).best.bones)


def test_the_only_player_knows_that_the_banker_sees_him():
    lone = bones((3, 3, 3, 3, 4), players=2)
    assert ask(lone, "exact") == Choose(0, best_bones(16, banker="informed").best.bones)


def test_the_banker_looks_at_what_the_players_have():
    state = bones((4, 4, 4, 4, 4))
    state = apply(state, Choose(0, 0))
    state = apply(state, Roll(1, (3, 3, 3, 3, 3)))
    state = apply(state, Choose(1, 0))
    for total, faces in ((15, (3, 3, 3, 3, 3)), (18, (3, 3, 4, 4, 4))):
        thrown = apply(state, Roll(2, faces))
        best = best_bones_of_banker(total, [(20, 1), (15, 1)]).best.bones
        assert ask(thrown, "exact") == Choose(2, best)


def test_a_bound_banker_throws_what_he_must():
    state = bones((4, 4, 4, 4, 4), players=2, banker_rule="stand17")
    state = apply(state, Choose(0, 0))
    state = apply(state, Roll(1, (4, 3, 3, 3, 3)))
    for style in ("cautious", "bold", "exact"):
        said = ask(state, style)
        assert said.n >= 1
        apply(state, said)


def test_one_bone_at_a_time_is_thrown_while_it_pays():
    state = bones((1, 1, 3, 3, 3), extra_mode="one_at_a_time")
    assert [ask(state, style) for style in ("cautious", "bold", "exact")] == [Have(0)] * 3
    state = bones((4, 4, 4, 4, 4), extra_mode="one_at_a_time")
    assert [ask(state, style) for style in ("cautious", "bold", "exact")] == [Stick(0)] * 3


def test_stakes_are_laid_once():
    state = bones()
    assert ask(state, "cautious", 0) is None  # one token lies already
    assert ask(state, "bold", 0) == Stake(0, 3)
    assert ask(state, "exact", 0) is None  # the bank has the better of it
    state = apply(state, Stake(0, 3))
    assert ask(state, "bold", 0) is None
    kind = new_table(
        "knucklebones", state.players, dealer=2, options={"tie": "push", "banker_rule": "stand17"}
    )
    assert ask(kind, "exact", 0) in (None, Stake(0, 3))


# --- who earns most -------------------------------------------------------------------------------


def earned(game: str, style: str, hands: int, **options) -> int:
    """Tokens of who plays so, at every seat in turn, with the same cards for all styles."""
    total = 0
    for number in range(hands):
        seat = number % 3
        people = [player(other, game) for other in ("cautious", "bold")]
        people.insert(seat, player(style, game))
        table = Driver(game, None, people, seed=f"earn-{number}", dealer=number // 3 % 3)
        table.play_hand()
        total += dict(table.state.hands[-1].settlement)[seat]
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "hands"), [("one-and-thirty", 90), ("bone-ace", 90), ("knucklebones", 120)]
)
def test_the_exact_player_earns_most(game, hands):
    """Over so few hands by about two sampling errors; ``make soak`` plays until it is sure."""
    exact = earned(game, "exact", hands)
    assert exact > earned(game, "cautious", hands)
    assert exact > earned(game, "bold", hands)


def test_all_the_games_here_have_players():
    for game in catalog.all_games():
        assert player("exact", game.name).style == "exact"
