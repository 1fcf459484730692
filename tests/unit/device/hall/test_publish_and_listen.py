"""Tables publish, halls listen, at a real broker: nothing is lost, nothing counts twice."""

import asyncio
import contextlib

import aiomqtt
import pytest

from device.hall.listener import Live
from tests.support.fake_feed import FakeTable
from tests.support.hall_rig import Ear, a_hall, ledger, publisher, running, tokens, until
from tests.support.mosquitto import Mosquitto, needs_mosquitto

pytestmark = needs_mosquitto


@pytest.fixture
def broker(tmp_path):
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


def have(hall, table):
    live = hall.tables.get(table.name)
    return live and list(live.have)


def run(play):
    """Run a test with tables, which are closed at its end."""

    async def whole():
        async with contextlib.AsyncExitStack() as stack:

            async def table_at(folder, name="red-otter"):
                table = await FakeTable(name, folder / f"{name}.sock").open()
                stack.push_async_callback(table.close)
                return table

            await play(table_at)

    asyncio.run(whole())


def newest(table):
    return [table.events[-1]["sitting"], table.events[-1]["number"]]


def test_a_hall_gets_what_was_before_it_and_what_comes(tmp_path, broker):
    async def play(table_at):
        table = await table_at(tmp_path)
        for number in range(5):
            table.add(1, tokens=(number, -number))
        with a_hall(broker, tmp_path) as (hall, store):
            async with running(publisher(broker, table).run(), hall.run()):
                await until(lambda: have(hall, table) == [1, 4], "what was before")
                table.add(2, tokens=(7, -7))
                await until(lambda: have(hall, table) == [2, 0], "what comes")
                await until(lambda: hall.tables["red-otter"].online, "it is online")
                assert ledger(store) == tokens(table)
                assert hall.tables["red-otter"].state["number"] == 0

    run(play)


@pytest.mark.parametrize("before", [0, 2])
def test_a_table_is_shown_before_the_first_event_of_a_sitting(tmp_path, broker, caplog, before):
    async def play(table_at):
        table = await table_at(tmp_path)
        for _ in range(before):
            table.add(1)
        table.begun, table.view = 2, {"game": "bone-ace"}
        with a_hall(broker, tmp_path) as (hall, _):
            async with running(publisher(broker, table).run(), hall.run()):
                await until(lambda: hall.tables and hall.tables["red-otter"].online, "online")
                await until(lambda: hall.tables["red-otter"].state, "its state")
                table.add(2)
                await until(lambda: have(hall, table) == [2, 0], "the first event")
                assert have(hall, table) == newest(table)

    run(play)
    assert "refused" not in caplog.text


def test_a_table_that_stops_says_so_and_so_does_one_that_is_killed(tmp_path, broker):
    async def play(table_at):
        table = await table_at(tmp_path)
        with a_hall(broker, tmp_path) as (hall, _):
            async with running(hall.run()):
                async with running(publisher(broker, table).run()):
                    await until(lambda: hall.tables and hall.tables["red-otter"].online, "online")
                await until(lambda: not hall.tables["red-otter"].online, "stopped")
                async with running(publisher(broker, table).run()):
                    await until(lambda: hall.tables["red-otter"].online, "online again")
                    await table.close()
                    await until(lambda: not hall.tables["red-otter"].online, "no table")
                    await table.open()
                    await until(lambda: hall.tables["red-otter"].online, "the table is back")

    run(play)


@pytest.mark.parametrize("ending", ["/state", "/event"])
def test_a_table_that_goes_while_something_is_sent_is_published_again(
    tmp_path, broker, monkeypatch, ending
):
    """Python 3.11's ``wait_for`` forgets that it was cancelled if its wait ends just then."""
    publish, held = aiomqtt.Client.publish, asyncio.Event()

    async def publish_and_forget(self, where, *args, **more):
        await publish(self, where, *args, **more)
        if where.endswith(ending) and not held.is_set():
            held.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)

    monkeypatch.setattr(aiomqtt.Client, "publish", publish_and_forget)

    async def play(table_at):
        table = await table_at(tmp_path)
        with a_hall(broker, tmp_path) as (hall, _):
            async with running(hall.run(), publisher(broker, table).run()):
                await until(lambda: hall.tables and hall.tables["red-otter"].online, "online")
                table.add(1)
                await asyncio.wait_for(held.wait(), 60)
                await table.close()
                await table.open()
                table.add(1)
                await until(lambda: have(hall, table) == [1, 1], "what came after it")

    run(play)


def test_a_publisher_without_a_table_says_where_it_waits(tmp_path, broker, caplog):
    caplog.set_level("INFO")
    table = FakeTable("red-otter", tmp_path / "feed.sock")

    async def play(_table_at):
        async with running(publisher(broker, table).run()):
            await until(lambda: caplog.records, "a word")
        assert f"waiting for the table at {table.path}: it must run" in caplog.text
        caplog.clear()
        await table.open()
        async with running(publisher(broker, table).run()):
            await until(lambda: "is published at" in caplog.text, "the table")
        await table.close()

    run(play)


@pytest.mark.parametrize("user", ["", "red-otter", "calm-hare"])
def test_a_user_who_is_not_the_table_is_told_that_the_broker_may_drop_it(
    tmp_path, broker, caplog, user
):
    caplog.set_level("INFO")

    async def play(table_at):
        table = await table_at(tmp_path)
        async with running(publisher(broker, table, user=user).run()):
            await until(lambda: "table red-otter is" in caplog.text, "where it is published")

    run(play)
    fits = user != "calm-hare"
    assert ("is published at" in caplog.text) == fits
    assert ('as user "calm-hare"' in caplog.text and 'user = "red-otter"' in caplog.text) != fits


def test_a_hall_that_comes_back_gets_what_it_has_missed_and_no_more(tmp_path, broker):
    async def play(table_at):
        table = await table_at(tmp_path)
        ear = Ear(broker, "boneace/v1/+/event")
        async with running(publisher(broker, table).run(), ear.listen()):
            with a_hall(broker, tmp_path) as (hall, _):
                async with running(hall.run()):
                    table.add(1)
                    await until(lambda: have(hall, table) == [1, 0], "the first")
            for number in range(30):
                table.add(1, tokens=(number, -number))
            await until(lambda: len(ear.heard) >= 31, "they are published for whoever listens")
            with a_hall(broker, tmp_path) as (hall, store):
                async with running(hall.run()):
                    await until(lambda: have(hall, table) == [1, 30], "what was missed")
                    assert ledger(store) == tokens(table)
        again = [body["number"] for body in ear.bodies("/event")][31:]
        assert again == list(range(1, 31)), "from its own number on, and only once"

    run(play)


def test_hall_and_table_come_back_when_the_broker_was_killed_twice(tmp_path, broker):
    async def play(table_at):
        table = await table_at(tmp_path)
        with a_hall(broker, tmp_path) as (hall, store):
            async with running(publisher(broker, table).run(), hall.run()):
                for number in range(3):
                    table.add(1, tokens=(number, -number))
                    await until(lambda: have(hall, table) == newest(table), f"event {number}")
                    broker.kill()
                    await until(lambda: not hall.is_connected, "the hall has seen it go")
                    broker.start()
                    await until(lambda: hall.is_connected, "the hall is back")
                assert ledger(store) == tokens(table)

    run(play)


def test_two_halls_show_the_same_though_one_came_late(tmp_path, broker):
    async def play(table_at):
        tables = [await table_at(tmp_path, name) for name in ("red-otter", "blue-owl")]

        def has_all(hall):
            return lambda: all(have(hall, table) == newest(table) for table in tables)

        publishers = [publisher(broker, table).run() for table in tables]
        with (
            a_hall(broker, tmp_path, "east") as (east, first),
            a_hall(broker, tmp_path, "west") as (west, second),
        ):
            async with running(*publishers, east.run()):
                for number, table in enumerate(tables * 20):
                    table.add(1, tokens=(number, -number))
                await until(has_all(east), "east has all")
                async with running(west.run()):
                    await until(has_all(west), "west has all")
            assert ledger(first) == ledger(second) == tokens(tables[0]) | tokens(tables[1])

    run(play)


@pytest.mark.parametrize("answers_with_most", [True, False])
def test_a_long_journal_is_sent_in_order_and_the_table_is_asked_in_turn(
    tmp_path, broker, answers_with_most
):
    async def play(table_at):
        table = await table_at(tmp_path)
        table.answers_with_most = answers_with_most
        for sitting in (1, 4, 5):
            for number in range(400):
                table.add(sitting, tokens=(number, -number))
        with a_hall(broker, tmp_path) as (hall, store):
            async with running(publisher(broker, table).run(), hall.run()):
                await until(lambda: have(hall, table) == [5, 399], "all of it")
                assert ledger(store) == tokens(table)

    run(play)


def test_a_hall_that_is_stuck_holds_up_nobody_for_ever(tmp_path, broker, monkeypatch, caplog):
    monkeypatch.setattr("device.hall.publisher.SILENT_S", 0.3)

    async def play(table_at):
        table = await table_at(tmp_path)
        for _ in range(450):
            table.add(1)
        with a_hall(broker, tmp_path, "stuck") as (stuck, _):
            # It says that it listens, and where it stands, and never takes anything in.
            stuck.take = lambda messages: stuck.tables.setdefault("red-otter", Live())
            with a_hall(broker, tmp_path) as (hall, _):
                async with running(publisher(broker, table).run(), stuck.run(), hall.run()):
                    await until(lambda: have(hall, table) == [1, 449], "the other has all")

    run(play)
    assert "hall stuck takes in nothing" in caplog.text


def test_events_that_the_broker_has_lost_are_asked_for(tmp_path, broker, monkeypatch, caplog):
    monkeypatch.setattr("device.hall.listener.BEHIND_S", 0.2)

    async def play(table_at):
        table = await table_at(tmp_path)
        with a_hall(broker, tmp_path) as (hall, store):
            take = hall.take
            lost = []

            def lossy(messages):
                kept = [m for m in messages if not (m[0].endswith("event") and len(lost) < 3)]
                lost.extend(m for m in messages if m not in kept)
                take(kept)

            hall.take = lossy
            async with running(publisher(broker, table).run(), hall.run()):
                await until(lambda: hall.tables and hall.tables["red-otter"].online, "online")
                for number in range(10):
                    table.add(1, tokens=(number, -number))
                    await asyncio.sleep(0.02)
                await until(lambda: have(hall, table) == [1, 9], "all in the end")
                assert ledger(store) == tokens(table)
            assert len(lost) >= 3

    run(play)
    assert "has events that have not come" in caplog.text


def test_what_one_player_sees_is_in_no_byte(tmp_path, broker):
    async def play(table_at):
        table = await table_at(tmp_path)
        ear = Ear(broker)
        with a_hall(broker, tmp_path) as (hall, _):
            async with running(ear.listen(), publisher(broker, table).run(), hall.run()):
                table.add(1)
                await until(lambda: have(hall, table) == [1, 0], "an event")
                await until(lambda: ear.bodies("/state"), "a state")
        assert not any(b"SEEN-BY-ONE" in (body or b"") for _, body, _ in ear.heard)

    run(play)


def test_only_what_must_stay_is_retained(tmp_path, broker):
    async def play(table_at):
        table = await table_at(tmp_path)
        with a_hall(broker, tmp_path) as (hall, _):
            async with running(publisher(broker, table).run(), hall.run()):
                table.add(1)
                await until(lambda: have(hall, table) == [1, 0], "an event")
                late = Ear(broker)
                async with running(late.listen()):
                    await until(lambda: len(late.heard) >= 4, "what is retained")
                    await asyncio.sleep(0.3)
        kept = {topic for topic, _, retained in late.heard if retained}
        assert kept == {
            "boneace/v1/red-otter/status",
            "boneace/v1/red-otter/state",
            "boneace/v1/red-otter/have/hall",
            "boneace/v1-halls/hall/status",
        }

    run(play)
