"""What lies face down is in no byte that a real table publishes, though its journal knows it."""

import asyncio
import random

import pytest

from device.app import attach
from device.clock import HandClock
from device.feed.feed import Feed, shown_at
from device.hall.publisher import Publisher
from device.runtime.camera_worker import NoCamera
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from engine import Deal, Facing, Player, Stick, deck
from tests.support.hall_rig import SOON_S, Ear, config_for, running, until
from tests.support.mosquitto import Mosquitto, needs_mosquitto

pytestmark = needs_mosquitto


async def published(broker, folder, down, up):
    """Play a deal with these cards face down and face up; return all that the table sends."""
    clock = HandClock(wall=1_700_000_000.0)
    people = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]
    with Journal(folder / "journal.sqlite3") as journal:
        session = Session.begin(journal, clock, "bone-ace", people, dealer=2)
        table = TableController(session, NoCamera(), [], clock)
        with Feed(folder / "feed.sock", journal.path, "red-otter", clock) as feed:
            assert feed.ready.wait(10)
            feed.shows = lambda: shown_at(table)
            feed.open(session)
            attach(feed, table)
            ear = Ear(broker, "boneace/v1/red-otter/#")
            config = config_for(broker)
            async with running(ear.listen(), Publisher(config, folder / "feed.sock", SOON_S).run()):
                await until(lambda: ear.bodies("/status"), "the table")
                dealt = [(card, Facing.DOWN) for card in down] + [(card, Facing.UP) for card in up]
                for number, (card, facing) in enumerate(dealt):
                    session.apply(Deal(number % 3, card, facing))
                    clock.wait(1.0)
                    table.step()
                    await asyncio.sleep(0.05)
                session.apply(Stick(session.view.turn))
                clock.wait(1.0)
                table.step()
                last = len(dealt)
                await until(lambda: ear.bodies("/event")[-1:] and
                            ear.bodies("/event")[-1]["number"] == last, "the events")  # fmt: skip
                await until(lambda: ear.bodies("/state")[-1]["number"] == last, "the state")
    return ear


@pytest.mark.parametrize("seed", range(3))
def test_hands_that_differ_only_in_hidden_cards_are_published_alike(tmp_path, seed):
    # No aces: the view names the one that is the Bone-Ace, by the rules.
    cards = random.Random(seed).sample([card for card in deck() if str(card)[0] != "A"], 15)
    up, one, other = cards[:3], cards[3:9], cards[9:]
    heard = []
    for number, down in enumerate((one, other)):
        folder = tmp_path / str(number)
        with Mosquitto(folder) as broker:
            ear = asyncio.run(published(broker, folder, down, up))
        known = (folder / "journal.sqlite3").read_bytes()
        sent = b"".join(body for _, body, _ in ear.heard)
        for card in down:
            assert str(card).encode() in known, "the journal knows it"
            assert f'"{card}"'.encode() not in sent
        assert all(f'"{card}"'.encode() in sent for card in up)
        heard.append(ear)
    for what in ("/event", "/status"):
        first, second = ([body for at, body, _ in ear.heard if at.endswith(what)] for ear in heard)
        assert first == second
    assert heard[0].bodies("/state")[-1] == heard[1].bodies("/state")[-1]
