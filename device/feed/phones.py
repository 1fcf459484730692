"""Which phone has which seat: the secrets of a sitting, and the PIN of the host."""

from __future__ import annotations

import hmac
import json
import logging
import secrets
from collections.abc import Iterable, Set
from hashlib import sha256
from pathlib import Path

from device.feed.wire import RequestRefusedError
from device.files import read_json
from device.storage.atomic_file import write_whole
from device.storage.copies.erase import PHONES

log = logging.getLogger(__name__)

FILE = PHONES
"""Beside the journal: what lets phones in, and who is, outlive a power cut, as the sitting does.

Only its owner reads it. Of a phone it has a digest alone.
"""

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
SECRET_LENGTH = 10
"""Of letters that are not mistaken for each other: 49 bits, and short enough to be typed."""

PIN_S = 60.0
"""Seconds for which a PIN counts from when it was shown."""

MOST_TRIES = 5
"""Wrong PINs after which the one that is shown counts no more."""

TRIES_S = 60.0
"""Seconds for which no PIN counts then."""

LARGEST = 10_000


class Phones:
    """The secrets of one sitting at a time, and who has come with them.

    Attributes:
        secrets: of each seat.
        holders: the :func:`mark` of the phone that has a seat.
        bare: the seats with buttons alone, whose cards no phone is told: the phones of others have
            let one in, and the table itself has let in none since.
    """

    def __init__(self, folder: Path) -> None:
        """Keep the secrets in *folder*."""
        self._path, self._address = folder / FILE, ""
        self._sitting: int | None = None
        self.secrets: dict[int, str] = {}
        self.holders: dict[int, str] = {}
        self.bare: set[int] = set()
        self._pin, self._pin_until_s = "", 0.0
        self._wrong, self._locked_until_s = 0, 0.0
        self._host = ""

    @property
    def has_host(self) -> bool:
        """Whether a host has been let in."""
        return bool(self._host)

    def sit_down(self, sitting: int, seats: Iterable[int], address: str) -> bool:
        """Make secrets for a sitting that begins, or for the seats that are new in this one.

        Returns whether it is another sitting: nobody has a phone in it yet.
        """
        is_new = sitting != self._sitting
        if is_new:
            self.holders, self.bare = {}, set()
        kept = self._read(sitting) if is_new else self.secrets
        self._sitting, self._address = sitting, address
        now = {seat: kept.get(seat) or _secret() for seat in seats}
        if now != self.secrets:
            self.secrets = now
            self._write()
        return is_new

    def check_seat(self, seat: int, secret: str) -> None:
        """Compare a secret in constant time.

        Raises:
            RequestRefusedError: ``nobody`` sits there, or it is not the ``secret`` of this sitting.
        """
        if seat not in self.secrets:
            raise RequestRefusedError("nobody")
        if not hmac.compare_digest(self.secrets[seat].encode(), secret.encode()):
            log.warning("a phone came with a wrong secret for seat %s", seat + 1)
            raise RequestRefusedError("secret")

    def check_phone(self, seat: int, secret: str, phone: str) -> None:
        """Check that *phone* has this seat; a free one becomes its own.

        Raises:
            RequestRefusedError: as :meth:`check_seat`; ``asked`` where another phone has it.
        """
        self.check_seat(seat, secret)
        if seat not in self.holders:
            self.holders[seat] = mark(phone)
            self._write()
        if self.holders[seat] != mark(phone):
            raise RequestRefusedError("asked")

    def others(self, seat: int, phone: str) -> tuple[int, ...]:
        """Return the seats whose phones may let *phone* into *seat*: one for each other phone."""
        own = mark(phone)
        found = {each: at for at, each in self.holders.items() if at != seat and each != own}
        return tuple(sorted(found.values()))

    def let_in(self, seat: int, phone: str, by: Set[int]) -> None:
        """Give a seat to *phone*; *by* are the seats that have said so, or nobody for the table."""
        self.holders[seat] = mark(phone)
        if not by:
            self.bare.discard(seat)
        elif by != {seat}:
            self.bare.add(seat)
        self._write()
        who = f"the phones of {sorted(each + 1 for each in by)}" if by else "the table"
        log.info("another phone has seat %s: let in by %s", seat + 1, who)

    def leave(self, seat: int, phone: str) -> None:
        """Free the seat of *phone*."""
        if self.holders.get(seat) == mark(phone):
            del self.holders[seat]
            self._write()

    def show_pin(self, now_s: float) -> str:
        """Return the PIN that counts for a minute from now on; one that is shown stays."""
        if not self.pin(now_s):
            self._pin, self._wrong = f"{secrets.randbelow(10**6):06}", 0
        self._pin_until_s = now_s + PIN_S
        return self._pin

    def pin(self, now_s: float) -> str:
        """Return the PIN while it counts; else nothing."""
        return self._pin if now_s < self._pin_until_s else ""

    def let_host_in(self, pin: str, now_s: float) -> str:
        """Return the token of the host who knows the PIN; the host before is a host no more.

        Raises:
            RequestRefusedError: a wrong ``pin``, or none is shown; ``tries`` after too many.
        """
        if now_s < self._locked_until_s:
            raise RequestRefusedError("tries")
        shown = self.pin(now_s)
        if not shown:
            raise RequestRefusedError("pin")
        if not hmac.compare_digest(shown.encode(), pin.encode()):
            self._wrong += 1
            log.warning("somebody came with a wrong PIN")
            if self._wrong >= MOST_TRIES:
                self._pin_until_s, self._locked_until_s = 0.0, now_s + TRIES_S
            raise RequestRefusedError("pin")
        self._pin_until_s = 0.0
        self._host = secrets.token_urlsafe(16)
        self._write()
        return self._host

    def check_host(self, token: str) -> None:
        """Check the token of the host.

        Raises:
            RequestRefusedError: ``secret``: it is another, or there is no host.
        """
        if not self._host or not hmac.compare_digest(self._host.encode(), token.encode()):
            raise RequestRefusedError("secret")

    def _read(self, sitting: int) -> dict[int, str]:
        try:
            found = read_json(self._path, LARGEST)
            if found["sitting"] == sitting:
                self._host = self._host or str(found.get("host", ""))
                self.bare = {int(seat) for seat in found.get("bare", ())}
                phones = found.get("phones", {})
                self.holders = {int(seat): str(phone) for seat, phone in phones.items()}
                return {int(seat): str(secret) for seat, secret in found["seats"].items()}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
            log.warning("%s: cannot be read (%s); phones get new secrets", self._path, problem)
        return {}

    def _write(self) -> None:
        who = {"seats": self.secrets, "host": self._host, "bare": sorted(self.bare)}
        who["phones"] = self.holders
        body = {"sitting": self._sitting, "url": self._address, **who}
        try:
            write_whole(self._path, json.dumps(body).encode(), private=True)
        except OSError as problem:
            log.warning("%s: cannot be kept (%s); it is written anew later", self._path, problem)


def mark(phone: str) -> str:
    """Return what stands for a phone: from it nobody can say what the phone calls itself."""
    return sha256(phone.encode()).hexdigest()[:32]


def _secret() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(SECRET_LENGTH))
