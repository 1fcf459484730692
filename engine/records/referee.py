"""Replay written cases and judge them: what was refused, how each hand ended, how it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.core.cards import code_of
from engine.core.errors import BoneAceError
from engine.core.events import Join
from engine.core.outcome import MatchState
from engine.core.players import Player, PlayersError, check_names
from engine.core.refusals import IllegalActionError
from engine.core.text.limits import MOST_EVENTS, MOST_IN_A_HAND
from engine.records.codec import event_from_dict
from engine.table.hand import EDITION
from engine.table.state import UNNAMED, State, apply, new_table
from engine.table.visibility import TABLE, visible_cards

SCHEMA = 1
"""The version of the case format that is understood."""

Json = dict[str, Any]


class CaseError(BoneAceError, ValueError):
    """A record that is no case; the message says what is missing."""


def cases_of(document: object) -> list[Json]:
    """Return the cases of a file: a group of them, or one alone.

    Raises:
        CaseError: the document is neither, or of another version.
    """
    if not isinstance(document, dict):
        raise CaseError("not an object; write {'schema': 1, 'cases': [...]} or one case")
    if "schema" in document and document["schema"] != SCHEMA:
        raise CaseError(
            f"schema: {document['schema']!r} is not understood; write it as version {SCHEMA}"
        )
    found = document.get("cases", [document])
    if not isinstance(found, list) or not all(isinstance(case, dict) for case in found):
        raise CaseError("cases: not a list of objects; write 'cases': [{...}, ...]")
    if "cases" not in document and "events" not in document:
        raise CaseError("no key 'cases' and no key 'events'; write a group of cases or one case")
    if "cases" in document and "schema" not in document:
        raise CaseError(f"schema: missing; add 'schema': {SCHEMA}")
    return found


def replay(case: Mapping[str, Any]) -> Json:
    """Play a case and return what came out, ready for JSON.

    Raises:
        BoneAceError: the case cannot be played: an unknown game or option, a wrong event.
    """
    state = table_of(case)
    rejected = []
    events = _get(case, "events", list)
    if len(events) > MOST_EVENTS:
        raise CaseError(
            f"events: {len(events)} are too many, at most {MOST_EVENTS}; split the case"
        )
    for place, record in enumerate(events):
        try:
            event = event_from_dict(record)
        except (BoneAceError, AttributeError) as problem:
            raise CaseError(f"events[{place}]: {problem}") from problem
        try:
            state = apply(state, event)
        except IllegalActionError as refusal:
            rejected.append({"at": place, "code": str(refusal.code), "message": str(refusal)})
        if isinstance(event, Join):
            _check_names(case, f"events[{place}]", state.players)
        if len(state.log) > MOST_IN_A_HAND:
            raise CaseError(
                f"events[{place}]: a hand of over {MOST_IN_A_HAND} events; end it, or take out "
                "what undo takes back"
            )
    return {
        "id": case.get("id"),
        "rejected": rejected,
        **results_of(state),
        "state": state_record(state),
    }


def results_of(state: State) -> Json:
    """Return the finished hands and the match in the words of the case format."""
    return {
        "hands": [state.setup.game.views.hand_record(hand) for hand in state.hands],
        "match": match_record(state.round.standing),
    }


def differences(case: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Return, in words, where *found* is not what the case expects; empty when it is.

    Raises:
        CaseError: the case expects nothing.
    """
    expect = _get(case, "expect", dict)
    refused = [{"at": one["at"], "code": one["code"]} for one in found["rejected"]]
    rejected = _objects(expect, "rejected")
    wanted = [{"at": one.get("at"), "code": one.get("code")} for one in rejected]
    said = [] if refused == wanted else [f"rejected: expected {wanted}, got {refused}"]
    hands = _objects(expect, "hands")
    if len(hands) != len(found["hands"]):
        said.append(f"hands: expected {len(hands)} finished, got {len(found['hands'])}")
    for number, (want, got) in enumerate(zip(hands, found["hands"], strict=False)):
        said.extend(_compare(f"hands[{number}]", want, got))
        paid, due = want.get("settlement"), got.get("settlement")
        if isinstance(paid, dict) and paid != due:
            told = f"the file says {_paid(case, paid)}; played again it is {_paid(case, due)}"
            said.append(f"hand {number + 1}: {told}")
    if "match" in expect:
        said.extend(_compare_value("match", expect["match"], found["match"]))
    state = _get(expect, "state", dict) if "state" in expect else {}
    said.extend(_compare("state", state, found["state"]))
    return said


def state_record(state: State) -> Json:
    """Return how the table stands, in the words of the case format."""
    hand, play = state.round, state.round.play
    game, options = state.setup.game, state.setup.options
    record: Json = {
        "phase": str(state.phase),
        "dealer": state.dealer,
        "turn": state.turn,
        "to_cut": list(hand.to_cut),
        "to_reveal": [],
        "out": [],
        "totals": {},
        "bone": None,
        "public": {},
        "stock": len(game.pack(options)) * game.decks(options),
        "ledger": {str(seat): tokens for seat, tokens in state.ledger.entries},
    }
    if play is None:
        return record
    hands = sorted(play.hands, key=lambda held: held.seat)
    record["to_reveal"] = [] if hand.misdeal is not None else list(play.to_reveal())
    record["out"] = [held.seat for held in hands if held.out]
    record["totals"] = {str(held.seat): game.total(play, held.cards) for held in hands}
    bone = play.bone if hand.misdeal is None else None
    record["bone"] = None if bone is None else bone.holder
    record["stock"] -= sum(len(held.cards) for held in hands)
    for held in hands:
        cards = visible_cards(hand, held, TABLE)
        up = [code_of(card) for card in cards if card is not None]
        record["public"][str(held.seat)] = {"up": up, "down": len(cards) - len(up)}
    return record | game.views.state_record(play)


def table_of(case: Mapping[str, Any]) -> State:
    """Return the table before the first event of a case.

    A record has a key ``version``, the edition of the rules that judges it (rule OT-26).

    Raises:
        BoneAceError: the game, an option or a player of it cannot be.
    """
    players = []
    for place, record in enumerate(_get(case, "players", list)):
        try:
            players.append(Player(record["seat"], record["name"], record.get("age")))
        except (KeyError, TypeError, AttributeError) as problem:
            raise CaseError(
                f"players[{place}]: write a seat and a name, not {record!r}"
            ) from problem
    _check_names(case, "players", players)
    edition = case.get("version", EDITION)
    if type(edition) is not int or edition not in UNNAMED:
        raise CaseError(f"version: {edition!r} is not understood; write {EDITION}")
    return new_table(
        _get(case, "game", str),
        players,
        dealer=case.get("dealer"),
        preset=case.get("preset"),
        options=_get(case, "options", dict) if "options" in case else {},
        start={key: _get(case, key, dict) for key in ("start", "stakes") if key in case},
        edition=edition,
    )


def _check_names(case: Mapping[str, Any], where: str, players: Iterable[Player]) -> None:
    """Refuse two players of one name in what was written by hand.

    What boneace itself wrote carries a digest. Evenings of 0.1.0 may have a name twice, and stay
    readable.
    """
    if case.get("digest") is not None:
        return
    try:
        check_names(player.name for player in players)
    except PlayersError as problem:
        raise CaseError(f"{where}: {problem}") from problem


def _get(case: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(case.get(key), kind):
        raise CaseError(f"{key}: missing, or not of the kind {kind.__name__}; write it in the case")
    return case[key]


def _objects(expect: Mapping[str, Any], key: str) -> list[Json]:
    found = expect.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise CaseError(f"expect.{key}: not a list of objects; write [{{...}}], or take it away")
    return found


def match_record(standing: MatchState) -> Json | None:
    """Return a match that is over in the words of the case format; ``None`` before that."""
    if not standing.over:
        return None
    settlement = {str(seat): tokens for seat, tokens in standing.settlement}
    return {"over": True, "winner": standing.winner, "settlement": settlement}


def _paid(case: Mapping[str, Any], settlement: Mapping[str, Any] | None) -> str:
    """Return a settlement, perhaps as a stranger wrote it, with the names of *case*."""
    names = {str(one["seat"]): one["name"] for one in case["players"]}
    paid = (settlement or {}).items()
    return ", ".join(f"{names.get(seat, f'seat {seat}')} {tokens}" for seat, tokens in paid)


def _compare(where: str, want: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[str]:
    for key, value in want.items():
        if key not in got:
            yield f"{where}.{key}: expected {value!r}, got nothing"
        else:
            yield from _compare_value(f"{where}.{key}", value, got[key])


def _compare_value(where: str, want: Any, got: Any) -> Iterator[str]:
    if where.endswith(".winners") and isinstance(want, list) and isinstance(got, list):
        # By their text: a stranger's list may hold what cannot be compared.
        want, got = sorted(want, key=str), sorted(got, key=str)
    if where.endswith((".lost", ".gained")) and isinstance(want, dict) and isinstance(got, dict):
        # A seat that is not named lost, or gained, nothing.
        want, got = ({seat: n for seat, n in each.items() if n} for each in (want, got))
    if want != got:
        yield f"{where}: expected {want!r}, got {got!r}"
