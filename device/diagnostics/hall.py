"""The check of the way to a hall: the broker, and as whom this machine comes to it."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

from device.config.model import HallConfig, load
from device.diagnostics.check import Check, failed, info, ok, warning
from device.files import read_file
from device.storage.copies.table_name import table_name

CREDENTIALS = "/run/credentials/"
"""What systemd hands to a unit alone is not there for anybody else."""

LONGEST_S = 3.0
"""A broker in the same network answers in far less."""


def hall() -> Check:
    """Check that the broker of ``[hall]`` is there, and that this table may publish to it."""
    config = load()
    asked, name = config.hall, table_name(config.journal.file.parent)
    if not asked.broker:
        return info("the config names no broker, so this table is in no hall")
    if asked.password_file and not asked.password_file.startswith(CREDENTIALS):
        try:
            read_file(Path(asked.password_file), 4096)
        except OSError as problem:
            remedy = "write it, or look at who may read it; its first line is the password"
            return failed(f"{asked.password_file} cannot be read ({problem.strerror})", remedy)
    where = f"{asked.broker}, port {asked.at[1]}"
    try:
        socket.create_connection(asked.at, LONGEST_S).close()
    except OSError as problem:
        remedy = "is the broker on, and in this network? look at broker and port in [hall]"
        return failed(f"no broker at {where} ({problem.strerror or problem})", remedy)
    if (refused := _refused(asked.of(name if config.web.enabled else asked.name))) is not None:
        return refused
    if asked.user not in ("", name, asked.name):
        return warning(
            f'the user "{asked.user}" is not the name of this table, "{name}": a broker with our '
            "rules drops all that it sends",
            f'set user = "{name}" in [hall], or give the table that name: boneace name',
        )
    if not config.web.enabled and asked.user != asked.name:
        remedy = "set enabled = true in [web]; a machine that is only a hall needs none"
        return warning("the table tells nothing to publish, as [web] is off", remedy)
    me = f"hall {asked.name}" if asked.user == asked.name else f"table {name}"
    return ok(f"the broker at {where} lets this machine in, the {me}")


def _refused(asked: HallConfig) -> Check | None:
    """Return what is wrong where the broker does not let us in; ``None`` where it does.

    A password that only the service may read is not tried.
    """
    if asked.password_file.startswith(CREDENTIALS):
        return None
    try:
        from device.hall.broker import BrokerError, log_in
    except ImportError as problem:
        remedy = "install boneace[hall]; from a clone: pip install -e '.[hall]'"
        return failed(f"{problem.name} is not installed", remedy)
    try:
        asyncio.run(asyncio.wait_for(log_in(asked), LONGEST_S))
    except BrokerError as problem:
        return failed(str(problem), "the log of the broker says what it refused")
    except TimeoutError:
        remedy = "is it a broker, and encrypted or not as tls in [hall] says?"
        return failed(f"what answers at {asked.broker}, port {asked.at[1]} lets nobody in", remedy)
    return None
