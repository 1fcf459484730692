"""The example for Home Assistant, at a real broker: its templates say what is so."""

import asyncio
import json

from jinja2 import Environment

from tests.acceptance.hall.storm import Child
from tests.support.fake_feed import FakeTable
from tests.support.hall_rig import Ear, publisher, running, until
from tests.support.mosquitto import Mosquitto, needs_mosquitto
from tests.support.paths import ROOT


def shown(entity, key, body):
    """Return what Home Assistant shows: it renders templates with Jinja, as ``value_json``."""
    return Environment().from_string(entity[key]).render(value_json=body)


@needs_mosquitto
def test_turn_winner_and_table_come_to_home_assistant(tmp_path):
    async def play(broker):
        table = await FakeTable("red-otter", tmp_path / "feed.sock").open()
        seat = {"tokens": 0, "cards": [], "throws": []}
        ann, bess = {"seat": 0, "name": "Ann", **seat}, {"seat": 1, "name": "Bess", **seat}
        table.view = {"seats": [{**ann, "is_turn": False}, {**bess, "is_turn": True}]}
        ear = Ear(broker)
        async with running(ear.listen(), publisher(broker, table).run()):
            await until(lambda: ear.bodies("boneace-red-otter-turn/config"), "the example")
            table.add(1, result={"winners": [1], "end": "showdown"})

            def last(topic):
                found = [body for heard, body, _ in ear.heard if heard == topic]
                return found[-1] if found else None

            await until(lambda: last("boneace-home/red-otter/winner") == b"Bess", "who won")
            at = "homeassistant/sensor/boneace-red-otter-turn/config"
            turn = json.loads(last(at))
            assert turn["state_topic"] == "boneace/v1/red-otter/state"
            state = json.loads(last(turn["state_topic"]))
            assert shown(turn, "value_template", state) == "Bess"
            assert shown(turn, "value_template", {**state, "view": None}) == "nobody"
            at = "homeassistant/binary_sensor/boneace-red-otter-online/config"
            online = json.loads(last(at))
            status = json.loads(last(online["state_topic"]))
            assert shown(online, "value_template", status) == online["payload_on"]
            winner = json.loads(last("homeassistant/sensor/boneace-red-otter-winner/config"))
            assert winner["state_topic"] == "boneace-home/red-otter/winner"
            entities = (turn, online, winner)
            assert len({entity["unique_id"] for entity in entities}) == 3
            assert len({json.dumps(entity["device"]) for entity in entities}) == 1
            retained = [topic for topic, _, _ in ear.heard if topic.startswith("homeassistant/")]
            assert len(retained) == 3, "each is told once"
        await table.close()

    with Mosquitto(tmp_path / "broker") as broker:
        words = (ROOT / "examples" / "home_assistant.py", "127.0.0.1", broker.port)
        example = Child(*words, log=tmp_path / "example.log").start()
        try:
            asyncio.run(play(broker))
        finally:
            example.kill()
