"""Tell Home Assistant of each table of a hall: ``python examples/home_assistant.py HOST [PORT]``.

Needs ``pip install aiomqtt``. Each table becomes a device: whose turn it is, who won last, and
whether it is online. Home Assistant finds it by its MQTT discovery
(https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery). The topics of boneace are in
docs/reference/hall.md. User and password: BROKER_USER and BROKER_PASSWORD in the environment.
"""

import asyncio
import json
import os
import sys

import aiomqtt

TABLES = "boneace/v1"
TURN = """{{ (value_json.view.seats if value_json.view else [])
    | selectattr('is_turn') | map(attribute='name') | join(', ') or 'nobody' }}"""
ONLINE = "{{ 'online' if value_json.online else 'offline' }}"


def entities(table):
    """Return what Home Assistant must be told of a table, by the topic for it."""
    status = f"{TABLES}/{table}/status"
    device = {"identifiers": [f"boneace-{table}"], "name": table, "manufacturer": "boneace"}
    known = {"availability_topic": status, "availability_template": ONLINE, "device": device}
    found = {
        "sensor/turn": {
            "name": "Turn",
            "state_topic": f"{TABLES}/{table}/state",
            "value_template": TURN,
            **known,
        },
        "sensor/winner": {
            "name": "Last winner",
            "state_topic": f"boneace-home/{table}/winner",
            **known,
        },
        "binary_sensor/online": {
            "name": "Table",
            "state_topic": status,
            "value_template": ONLINE,
            "payload_on": "online",
            "payload_off": "offline",
            "device_class": "connectivity",
            "device": device,
        },
    }
    for place, entity in found.items():
        kind, what = place.split("/")
        unique = f"boneace-{table}-{what}"
        yield f"homeassistant/{kind}/{unique}/config", {"unique_id": unique, **entity}


async def main(host, port=1883):
    """Listen to all tables, and tell Home Assistant of each."""
    told = set()
    async with aiomqtt.Client(
        host, port, username=os.environ.get("BROKER_USER"),
        password=os.environ.get("BROKER_PASSWORD"),
    ) as broker:  # fmt: skip
        for what in ("status", "event"):
            await broker.subscribe(f"{TABLES}/+/{what}", qos=1)
        async for message in broker.messages:
            body = json.loads(message.payload)
            table = body["table"]
            if table not in told:
                told.add(table)
                for topic, entity in entities(table):
                    await broker.publish(topic, json.dumps(entity), qos=1, retain=True)
            if result := body.get("result"):
                names = {player["seat"]: player["name"] for player in body["players"]}
                winners = ", ".join(names[seat] for seat in result["winners"]) or "nobody"
                await broker.publish(f"boneace-home/{table}/winner", winners, retain=True)


asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:3])))
