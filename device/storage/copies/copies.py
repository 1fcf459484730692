"""Copies of a table's state: one ZIP file each, whose parts are checked by their digests.

The first line of the part ``manifest`` is the SHA-256 of the rest, which is JSON: the table, the
copy's number, when it was made, what the journal holds, and the size and SHA-256 of each part.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from device.storage.copies.table_name import FORM
from device.storage.journal.contents import Contents
from device.storage.journal.errors import JournalError
from device.storage.journal.reading import contents_of, is_damaged
from engine.core.errors import BoneAceError

JOURNAL = "journal.sqlite3"
"""The part that every copy has."""

MANIFEST = "manifest"
LARGEST_MANIFEST = 1_000_000
LARGEST = 2_000_000_000
"""Bytes of all parts together."""

DAMAGED, BEFORE = "damaged", "before"
"""Copies that push out no others: of a damaged journal, and of what a restore replaced."""

_BLOCK = 1 << 20
_STAMP = "%Y%m%d-%H%M%S"
_PART = re.compile(
    r"journal\.sqlite3|settings\.json|lens\.json|counts\.jsonl|name"
    r"|decks/[^/\0]+\.deck|bones/[^/\0]+\.json|config/(system|user|chosen)\.toml"
)
_PLAIN = re.compile(r"journal-(\d{8}-\d{6})(?:-(\d+))?(-damaged)?\.sqlite3")
_NAME = re.compile(rf"boneace-({FORM})-(\d{{6,}})-(\d{{8}}-\d{{6}})(?:-({DAMAGED}|{BEFORE}))?\.zip")
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    RuntimeError,  # encrypted, or packed in a way that Python does not know
    RecursionError,
)


class CopyError(BoneAceError, ValueError):
    """A copy that is not sound, or no copy at all."""


@dataclass(frozen=True, slots=True)
class Found:
    """A copy, by its name.

    Attributes:
        path: the file.
        table: whose it is; empty for a bare journal, as an older boneace copied it.
        number: of the copy; a wrong clock does not change their order. 0 for a bare journal.
        made: when it was made, in UTC, by the clock of the table: ``20261121-180000``.
        kind: empty, :data:`DAMAGED` or :data:`BEFORE`.
        again: counts bare journals that were copied in one second.
    """

    path: Path
    table: str
    number: int
    made: str
    kind: str
    again: int = 1

    @property
    def order(self) -> tuple[int, str, int]:
        """What copies of one table are sorted by, the oldest first."""
        return self.number, self.made, self.again

    @property
    def when(self) -> str:
        """When it was made, for people."""
        date = time.strptime(self.made, _STAMP)
        return time.strftime("%Y-%m-%d %H:%M UTC", date)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a copy holds.

    Attributes:
        sittings: how many.
        events: how many.
        oldest: when the first sitting ended, in seconds since 1970.
        damage: what is damaged in the journal, in sentences.
        parts: the size and SHA-256 of each, the latter in hexadecimal.
    """

    table: str = ""
    number: int = 0
    made: float = 0.0
    sittings: int = 0
    events: int = 0
    oldest: float = 0.0
    damage: tuple[str, ...] = ()
    parts: Mapping[str, tuple[int, str]] = field(default_factory=dict)


def found_in(folder: Path) -> list[Found]:
    """Return all copies in *folder*, by table, the newest of each first."""
    found = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if (name := _NAME.fullmatch(path.name)) and _is_time(name[3]):
                found.append(Found(path, name[1], int(name[2]), name[3], name[4] or ""))
            elif (name := _PLAIN.fullmatch(path.name)) and _is_time(name[1]):
                kind = DAMAGED if name[3] else ""
                found.append(Found(path, "", 0, name[1], kind, int(name[2] or 1)))
    found.sort(key=lambda each: each.order, reverse=True)
    return sorted(found, key=lambda each: each.table, reverse=True)


def _is_time(stamp: str) -> bool:
    try:
        time.strptime(stamp, _STAMP)
    except ValueError:
        return False
    return True


def name_of(table: str, number: int, wall_s: float, kind: str) -> str:
    """Return the file name of a copy."""
    stamp = time.strftime(_STAMP, time.gmtime(wall_s))
    return f"boneace-{table}-{number:06}-{stamp}{f'-{kind}' if kind else ''}.zip"


def digest_of(path: Path) -> tuple[int, str]:
    """Return size and SHA-256 of a file.

    Raises:
        OSError: it cannot be read.
    """
    size, sum_ = 0, sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            size += len(block)
            sum_.update(block)
    return size, sum_.hexdigest()


def write_zip(path: Path, manifest: Manifest, sources: Mapping[str, Path | bytes]) -> None:
    """Write the parts of *manifest* from *sources* to *path*.

    Raises:
        OSError: the disk refuses, or a source changed meanwhile.
    """
    text = json.dumps(asdict(manifest)).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        # ZipInfo: the clock of a table may stand before 1980, with which ZIP's dates begin.
        head = zipfile.ZipInfo(MANIFEST)
        packed.writestr(head, sha256(text).hexdigest().encode() + b"\n" + text)
        for name, told in manifest.parts.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            source, sum_ = sources[name], sha256()
            with packed.open(info, "w", force_zip64=True) as part:
                for block in [source] if isinstance(source, bytes) else _blocks(source):
                    sum_.update(block)
                    part.write(block)
            if sum_.hexdigest() != told[1]:
                raise OSError(f"{name} changed while it was copied")


def manifest_of(path: Path) -> Manifest:
    """Read what the copy *path* says that it holds; its parts are not looked at.

    Raises:
        CopyError: it is no copy, or damaged.
    """
    with _opened(path) as packed:
        return _manifest(packed)


def check(path: Path) -> Manifest:
    """Read the copy *path*, a ZIP file or a bare journal, and return what it holds.

    Raises:
        CopyError: it is not what was copied.
    """
    if _is_bare(path):
        return _check_bare(path)
    with _opened(path) as packed:
        manifest = _manifest(packed)
        for name in manifest.parts:
            for _ in _checked(packed, name, manifest):
                pass
    return manifest


def unpack(path: Path, folder: Path) -> Manifest:
    """Write the parts of the copy *path* into the new *folder*; return what it holds.

    Raises:
        CopyError: it is not what was copied.
        OSError: the disk refuses.
    """
    if _is_bare(path):
        _write(_blocks(path), folder / JOURNAL)
        return _check_bare(folder / JOURNAL)
    with _opened(path) as packed:
        manifest = _manifest(packed)
        for name in manifest.parts:
            _write(_checked(packed, name, manifest), folder / name)
    return manifest


def read_parts(path: Path) -> tuple[Manifest, dict[str, bytes]]:
    """Return what the ZIP file *path* holds, with the bytes of each part.

    Raises:
        CopyError: it is not what was copied.
    """
    with _opened(path) as packed:
        manifest = _manifest(packed)
        parts = {name: b"".join(_checked(packed, name, manifest)) for name in manifest.parts}
    return manifest, parts


def count_in(found: Contents) -> tuple[int, int]:
    """Return how many sound sittings and events a journal has."""
    sittings = found.sittings()
    return len(sittings), sum(len(found.events(each)) for each in sittings)


def _is_bare(path: Path) -> bool:
    try:
        if not path.is_file():
            raise CopyError(f"{path}: is no file; see which copies there are: boneace restore")
        with path.open("rb") as file:
            return file.read(4) != b"PK\3\4" and path.suffix != ".zip"
    except OSError as problem:
        raise CopyError(f"{path}: cannot be read ({problem.strerror})") from problem


def _check_bare(path: Path) -> Manifest:
    try:
        if is_damaged(path):
            raise CopyError(f"{path}: the journal in it is damaged; take another copy")
        with contents_of(path) as found:
            sittings, events = count_in(found)
            found.notes()
            damage = tuple(map(str, found.damage))
            return Manifest(sittings=sittings, events=events, damage=damage)
    except JournalError as problem:
        raise CopyError(str(problem)) from problem


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as packed:
            yield packed
    except CopyError:
        raise
    except _BROKEN as problem:
        raise CopyError(f"{path}: is no sound copy ({problem}); take another") from problem


def _manifest(packed: zipfile.ZipFile) -> Manifest:
    with packed.open(MANIFEST) as part:
        seal, _, text = part.read(LARGEST_MANIFEST).partition(b"\n")
    if sha256(text).hexdigest().encode() != seal:
        raise ValueError("its manifest is damaged")
    told = json.loads(text)
    parts = {str(name): (int(size), str(seal)) for name, (size, seal) in told["parts"].items()}
    wrong = [name for name in parts if not _PART.fullmatch(name) or ".." in name]
    if wrong or sum(size for size, _ in parts.values()) > LARGEST:
        raise ValueError(f"its parts cannot be those of a copy: {wrong[:3]}")
    damage = tuple(map(str, told["damage"]))
    return Manifest(**{**told, "parts": parts, "damage": damage})


def _checked(packed: zipfile.ZipFile, name: str, manifest: Manifest) -> Iterator[bytes]:
    size, seal = manifest.parts[name]
    left, sum_ = size, sha256()
    with packed.open(name) as part:
        while block := part.read(min(_BLOCK, left + 1)):
            left -= len(block)
            if left < 0:
                break
            sum_.update(block)
            yield block
    if left or sum_.hexdigest() != seal:
        raise ValueError(f"{name} is not what was copied")


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _write(blocks: Iterator[bytes], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for block in blocks:
            file.write(block)
