"""Catalogues of translations: gettext's ``.po`` files, read as they are.

The program carries the text files that translators write and compiles them when it starts (a few
milliseconds), so no ``.mo`` file can be missing from a wheel or lag behind its source. The format
is gettext's; any editor for it will do.
"""

from __future__ import annotations

import ast
import gettext
import io
import re
import struct
from dataclasses import dataclass

from engine.core.errors import BoneAceError

WIDTH = 96
"""Longer strings are written in several lines."""


class CatalogueError(BoneAceError, ValueError):
    """A catalogue that cannot be read; the message names the line and the cure."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One sentence and its translation.

    Attributes:
        sentence: in English.
        plural: in English for several; ``None`` when the sentence counts nothing.
        said: the translation, one string for each form of the plural; empty strings when it is
            still to be written.
        where: ``path:line`` of each use.
        hints: what the programmer tells the translator.
        notes: what translators tell one another.
        fuzzy: a guess that nobody has looked at yet: never shown.
    """

    sentence: str
    plural: str | None = None
    said: tuple[str, ...] = ("",)
    where: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fuzzy: bool = False

    @property
    def is_done(self) -> bool:
        """Say whether it may be shown."""
        return not self.fuzzy and all(self.said)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The sentences of one language.

    Attributes:
        header: the lines that gettext keeps in the translation of nothing.
        entries: in the order of the file.
    """

    header: str
    entries: tuple[Entry, ...]
    notes: tuple[str, ...] = ()

    @property
    def plurals(self) -> int:
        """Return how many forms of the plural the language has.

        Raises:
            CatalogueError: the header does not say.
        """
        found = re.search(r"^Plural-Forms:\s*nplurals=(\d+);\s*plural=.+;$", self.header, re.M)
        if found is None:
            raise CatalogueError(
                'the header has no Plural-Forms; for most languages add the line "Plural-Forms: '
                'nplurals=2; plural=(n != 1);\\n"'
            )
        return int(found[1])

    def translations(self) -> gettext.GNUTranslations:
        """Return what :mod:`gettext` looks sentences up in."""
        pairs = {"": self.header}
        for entry in self.entries:
            if entry.is_done:
                key = (
                    entry.sentence if entry.plural is None else f"{entry.sentence}\0{entry.plural}"
                )
                pairs[key] = "\0".join(entry.said)
        return gettext.GNUTranslations(io.BytesIO(_machine_object(pairs)))


def _machine_object(pairs: dict[str, str]) -> bytes:
    """Write a ``.mo`` file: a head of seven numbers, two tables of places, and the strings."""
    keys = sorted(pairs, key=lambda key: key.encode())
    head, texts = 7 * 4, b""
    tables: list[list[int]] = [[], []]
    start = head + 2 * 8 * len(keys)
    for table, strings in zip(tables, (keys, [pairs[key] for key in keys]), strict=True):
        for string in strings:
            raw = string.encode()
            table += [len(raw), start + len(texts)]
            texts += raw + b"\0"
    places = tables[0] + tables[1]
    numbers = (0x950412DE, 0, len(keys), head, head + 8 * len(keys), 0, 0)
    return struct.pack(f"<7I{len(places)}I", *numbers, *places) + texts


def parse(text: str, name: str = "catalogue") -> Catalogue:
    """Read a ``.po`` file.

    Args:
        text: the whole file.
        name: what errors call it.

    Raises:
        CatalogueError: a line is not of the format; the message names it and the cure.
    """
    reader = _Reader(name)
    for number, line in enumerate(text.split("\n"), 1):
        reader.take(number, line.strip())
    reader.finish()
    return Catalogue(reader.header, tuple(reader.entries), reader.header_notes)


class _Reader:
    """Gathers the lines of one entry after another."""

    def __init__(self, name: str) -> None:
        self.header = ""
        self.header_notes: tuple[str, ...] = ()
        self.entries: list[Entry] = []
        self._name = name
        self._begin()

    def _begin(self) -> None:
        self._strings: dict[str, str] = {}
        self._comments: dict[str, list[str]] = {"#:": [], "#.": [], "# ": [], "#,": []}
        self._field = ""

    def take(self, number: int, line: str) -> None:
        where = f"{self._name}, line {number}"
        if line.startswith("#"):
            if self._strings:
                self.finish()
            if not line.startswith(("#~", "#|")):
                mark = line[:2] if line[:2] in self._comments else "# "
                self._comments[mark].append(line[2:].strip())
        elif not line:
            self.finish()
        elif line.startswith('"'):
            if not self._field:
                raise CatalogueError(f"{where}: a string belongs to nothing; put msgid before it")
            self._strings[self._field] += _unquoted(line, where)
        else:
            found = re.fullmatch(r'(msgid|msgid_plural|msgstr(?:\[\d+\])?)\s+(".*")', line)
            if found is None:
                raise CatalogueError(
                    f'{where}: {line!r} is not understood; write msgid "..." or msgstr "..."'
                )
            if found[1] == "msgid" and self._strings:
                self.finish()
            if found[1] in self._strings:
                raise CatalogueError(f"{where}: a second {found[1]}; delete one of the two")
            self._field = found[1]
            self._strings[self._field] = _unquoted(found[2], where)

    def finish(self) -> None:
        strings, comments = self._strings, self._comments
        if not strings:
            return
        sentence = strings.pop("msgid", "")
        plural = strings.pop("msgid_plural", None)
        said = tuple(strings[key] for key in sorted(strings))
        if not sentence:
            self.header = "".join(said)
            self.header_notes = tuple(comments["# "])
        else:
            self.entries.append(
                Entry(
                    sentence,
                    plural,
                    said or ("",),
                    tuple(" ".join(comments["#:"]).split()),
                    tuple(comments["#."]),
                    tuple(comments["# "]),
                    any("fuzzy" in flags for flags in comments["#,"]),
                )
            )
        self._begin()


def _unquoted(text: str, where: str) -> str:
    # A string of the format is one of Python's: the same quotes, the same escapes.
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError) as problem:
        raise CatalogueError(
            f'{where}: {text} is no string; put " at both ends and \\" inside'
        ) from problem
    if not isinstance(value, str):
        raise CatalogueError(f'{where}: {text} is no string; put " at both ends')
    return value


def dump(catalogue: Catalogue) -> str:
    """Return *catalogue* as a ``.po`` file; :func:`parse` reads it back."""
    lines = [f"# {note}".rstrip() for note in catalogue.notes]
    lines += ['msgid ""', *_field("msgstr", catalogue.header)]
    for entry in catalogue.entries:
        lines.append("")
        lines += [f"# {note}".rstrip() for note in entry.notes]
        lines += [f"#. {hint}" for hint in entry.hints]
        if entry.where:
            lines.append(f"#: {' '.join(entry.where)}")
        # gettext's own tools then check the placeholders too.
        flags = [
            *(["fuzzy"] if entry.fuzzy else []),
            *(["python-brace-format"] if _named(entry) else []),
        ]
        if flags:
            lines.append(f"#, {', '.join(flags)}")
        lines += _field("msgid", entry.sentence)
        if entry.plural is None:
            lines += _field("msgstr", entry.said[0])
        else:
            lines += _field("msgid_plural", entry.plural)
            for number, form in enumerate(entry.said):
                lines += _field(f"msgstr[{number}]", form)
    return "\n".join(lines) + "\n"


def _named(entry: Entry) -> bool:
    return bool(re.search(r"\{\w+\}", entry.sentence + (entry.plural or "")))


def _field(name: str, text: str) -> list[str]:
    whole = f"{name} {_quoted(text)}"
    if "\n" not in text[:-1] and len(whole) <= WIDTH:
        return [whole]
    pieces = []
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        words = re.findall(r"\s*\S+\s*|\s+", line)
        pieces.append("")
        for word in words:
            if pieces[-1] and len(pieces[-1]) + len(word) > WIDTH - 2:
                pieces.append("")
            pieces[-1] += word
    return [f'{name} ""', *(_quoted(piece) for piece in pieces)]


def _quoted(text: str) -> str:
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{safe}"'
