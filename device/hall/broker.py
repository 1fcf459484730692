"""The way to the broker: how it is reached, and how long is waited between tries."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
import ssl
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from pathlib import Path

import aiomqtt

from device.clock import Backoff
from device.config.model import HallConfig
from device.feed.client import NoTableError
from device.files import read_file
from device.hall.messages import LARGEST, Body, encode
from engine.core.errors import BoneAceError

log = logging.getLogger(__name__)

FIRST_S, LONGEST_S = 1.0, 60.0
"""Seconds between the first tries, and at most."""

MOST_TABLES = 2_000
"""Tables that a hall listens to: a broker that lies must not fill the memory."""

WHO_IS_REFUSED = (134, 135)
"""What a broker answers to a wrong user or password (MQTT 5, 2.4; paho says so for MQTT 3 too)."""

STEADY_S, OFTEN = 10.0, 4
"""Who is cut off sooner than this after being let in, so often in a row, has a double."""

KEEPALIVE_S = 15
"""A broker notices a connection that is dead after one and a half times this."""


class BrokerError(BoneAceError):
    """The broker does not let this machine in."""


@contextlib.asynccontextmanager
async def present(
    config: HallConfig, name: str, where: str, who: Body, more: Body, topics: Iterable[str]
) -> AsyncIterator[aiomqtt.Client]:
    """Connect to the broker that *config* names, hear *topics*, and be online at *where*.

    A second client of the same *name* takes the place of the first, with its last will: that of a
    connection that died unnoticed cannot come later and say that who is back has gone.

    Args:
        config: of this table or hall.
        name: of this client.
        where: the topic at which it says that it is online, and in the end that it has gone.
        who: says so, in either case.
        more: is said while it is online.
        topics: what it hears.

    Raises:
        OSError: the file of the password or of the certificates cannot be read.
    """
    gone = encode({**who, "online": False})
    async with _client(config, name, aiomqtt.Will(where, gone, qos=1, retain=True)) as broker:
        try:
            await send(broker, where, {**who, **more, "online": True}, 1, retain=True)
            await broker.subscribe([(each, 1) for each in topics])
            _end_if_cancelled()
            yield broker
        finally:
            # A connection that ends in order leaves no will.
            with contextlib.suppress(aiomqtt.MqttError):
                await broker.publish(where, gone, 1, retain=True, timeout=2)


async def log_in(config: HallConfig) -> None:
    """Log in to the broker that *config* names, as nobody else does, and leave it again.

    Raises:
        BrokerError: it does not let this machine in; says why, and what to look at.
    """
    try:
        async with _client(config, f"boneace-doctor-{random.getrandbits(32):08x}"):
            pass
    except (aiomqtt.MqttError, OSError) as problem:
        raise BrokerError(_what_is_wrong(config, problem)) from problem


async def send(
    broker: aiomqtt.Client, where: str, body: Body, qos: int = 0, *, retain: bool = False
) -> None:
    """Publish *body* at the topic *where*, and wait until the broker has it.

    In Python 3.11 a wait that ends as its task is cancelled forgets that it was
    (https://github.com/python/cpython/issues/86296), and aiomqtt waits so: the task would run on.
    """
    await broker.publish(where, encode(body), qos, retain=retain)
    _end_if_cancelled()


def _end_if_cancelled() -> None:
    me = asyncio.current_task()
    if me is not None and me.cancelling():
        raise asyncio.CancelledError


def _client(config: HallConfig, name: str, will: aiomqtt.Will | None = None) -> aiomqtt.Client:
    password = None
    if config.password_file:
        text = read_file(Path(config.password_file), LARGEST).decode("utf-8", "replace")
        password = text.partition("\n")[0].strip()
    context = ssl.create_default_context(cafile=config.ca_file or None) if config.tls else None
    found = aiomqtt.Client(
        *config.at,
        username=config.user or None,
        password=password,
        identifier=name,
        protocol=aiomqtt.ProtocolVersion.V311,
        clean_session=True,  # the journal of each table is what keeps messages, not the broker
        will=will,
        keepalive=KEEPALIVE_S,
        tls_context=context,
        max_inflight_messages=100,
    )
    found.pending_calls_threshold = MOST_TABLES
    return found


async def keep_connected(
    config: HallConfig,
    session: Callable[[Callable[[], None]], Coroutine[object, object, None]],
    first_s: float,
) -> None:
    """Run *session* again and again; it calls what it is given once it is connected.

    The waits grow, and are shortened by chance: a hundred tables must not come back in one moment.
    """
    pause, told = Backoff(LONGEST_S, first_s), ""
    since_s, thrown_out = -math.inf, 0

    def connected() -> None:
        nonlocal told, since_s
        since_s = time.monotonic()
        if thrown_out < OFTEN:
            pause.reset()
            told = ""

    while True:
        try:
            # Before Python 3.13 a task that waits for a group stays marked as cancelled when one of
            # the group fails: a task of its own keeps that mark from this one.
            await asyncio.create_task(session(connected))
        except* (aiomqtt.MqttError, NoTableError, OSError) as group:
            problem: BaseException = group
            while isinstance(problem, BaseExceptionGroup):
                problem = problem.exceptions[0]
            text = _what_is_wrong(config, problem)
            lost = isinstance(problem, aiomqtt.MqttError)
            soon = lost and time.monotonic() - since_s < STEADY_S
            thrown_out = thrown_out + 1 if soon else 0
            if thrown_out >= OFTEN:
                text += (
                    f"; that came {OFTEN} times just after it had let us in: look for another "
                    "machine of the same name (boneace name)"
                )
            since_s = -math.inf
            if text != told:
                log.warning("not connected: %s; it is tried again", text)
            told = text
        _end_if_cancelled()  # a group that fails as it is ended forgets the end
        await asyncio.sleep(pause.next_s() * random.uniform(0.5, 1.0))


def _what_is_wrong(config: HallConfig, problem: BaseException) -> str:
    if isinstance(problem, NoTableError):
        return str(problem)
    text = f"{config.broker}: {problem}"
    if getattr(getattr(problem, "rc", None), "value", 0) in WHO_IS_REFUSED:
        user = config.of("the name of this table or hall").user
        who = f'user = "{user}" and password_file = "{config.password_file}"'
        text += f"; look at {who} in [hall], and who the broker knows (mosquitto_passwd)"
    return text
