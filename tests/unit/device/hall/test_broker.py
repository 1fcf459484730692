"""The way to the broker: when it is tried again, and when not."""

import asyncio

import aiomqtt

from device.config.model import HallConfig
from device.hall.broker import OFTEN, keep_connected


def test_an_end_counts_also_in_the_moment_in_which_the_broker_goes():
    async def read():
        try:
            await asyncio.sleep(60)
        finally:
            raise aiomqtt.MqttError("the broker has gone")

    tries = []

    async def session(_connected):
        tries.append(1)
        if len(tries) > 1:
            raise AssertionError("it is tried again")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(read())
            await asyncio.sleep(60)

    async def play():
        work = asyncio.create_task(keep_connected(HallConfig(), session, 0.01))
        await asyncio.sleep(0.05)
        work.cancel()
        await asyncio.wait([work])
        assert work.cancelled()

    asyncio.run(play())


def test_who_is_thrown_out_again_and_again_hears_of_the_other_of_that_name(caplog):
    tries = []

    async def session(connected):
        tries.append(1)
        connected()
        raise aiomqtt.MqttError("Disconnected during message iteration")

    async def play():
        work = asyncio.create_task(keep_connected(HallConfig(), session, 0.001))
        while len(tries) < OFTEN + 3:
            await asyncio.sleep(0.01)
        work.cancel()
        await asyncio.wait([work])

    asyncio.run(asyncio.wait_for(play(), 30))
    told = [line for line in caplog.messages if "another machine of the same name" in line]
    assert len(told) == 1
    assert len(caplog.messages) == OFTEN


def test_it_is_tried_again_when_the_broker_goes_while_a_group_is_waited_for():
    """Before Python 3.13 such a group leaves its task marked as cancelled."""
    tries = []

    async def read():
        await asyncio.sleep(0)
        raise aiomqtt.MqttError("the broker has gone")

    async def session(_connected):
        tries.append(1)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(read())

    async def play():
        work = asyncio.create_task(keep_connected(HallConfig(), session, 0.01))
        while len(tries) < 3:
            assert not work.done()
            await asyncio.sleep(0.01)
        work.cancel()
        await asyncio.wait([work])
        assert work.cancelled()

    asyncio.run(asyncio.wait_for(play(), 30))
