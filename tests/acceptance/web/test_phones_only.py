"""Hands without a camera and without a wired button: phones enter the cards, and say everything."""

import random
import time

import httpx
import pytest

from tests.support.played_table import PlayedTable
from tests.support.web_service import served

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", ["one-and-thirty", "bone-ace", "scat", "knucklebones"])
def test_phones_play_a_hand_that_nobody_sees(tmp_path, game):
    rng = random.Random(game)
    with (
        PlayedTable(tmp_path / "table", game, by_hand=True) as table,
        served(table.path) as url,
        httpx.Client(base_url=url, timeout=10) as web,
    ):
        phones = {
            seat: {"boneace-secret": secret, "boneace-phone": f"phone-{seat}"}
            for seat, secret in table.secrets.items()
        }
        until, refused = time.monotonic() + 90, []
        while table.session.view.result is None:
            assert time.monotonic() < until, table.session.view
            state = web.get("/api/state").json()
            view, prompt = state["view"], state["prompt"]
            seat = view["turn"] if prompt["whose"] is None else prompt["whose"]
            seat = rng.choice(view["to_cut"] or sorted(phones)) if seat is None else seat
            answers = len(prompt["cards"]) + len(prompt["choices"])
            said = {"button": rng.choice(["have", "stick", "stick"])}
            if answers:
                said = {"choice": rng.randrange(answers), "prompt": prompt["id"]}
            if prompt["refused"]["en"] and rng.random() < 0.5:
                said = {"button": "undo"}  # a card that was named before
            answer = web.post("/api/press", json={"seat": seat, **said}, headers=phones[seat])
            if not answer.json()["ok"]:
                refused.append(answer.json()["problem"])
            time.sleep(0.11)  # the table takes ten presses a second
        # Between looking and pressing the table may ask something else.
        assert set(refused) <= {"stale"}
        assert sum(seat.tokens for seat in table.session.view.seats) == 0
        assert {press.seat for press in table.pressed if press.choice is None} <= set(phones)
