"""Gather every sentence of the program for its translators: ``python -m display.i18n.extract``.

Sentences are found in the source, not by running it: whatever is given to ``_``, ``N_``,
``plural``, ``_.plural`` or ``Message``. The pages of rules are the exception: they are data, and
all of them are turned (:mod:`display.i18n.rulebook_messages`). The template ``boneace.pot`` is
written anew, and each catalogue gets what is new (empty, to be translated), loses what is gone, and
keeps the rest as it is.
"""

from __future__ import annotations

import argparse
import ast
import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from display.i18n.languages import CATALOGUE
from display.i18n.po_files import Catalogue, CatalogueError, Entry, dump, parse
from display.i18n.rulebook_messages import our_games, rulebook_sentences

ROOT = Path(__file__).resolve().parents[2]
LOCALES = Path(__file__).resolve().parent / "locales"
ROOMS = ("display", "device", "engine")
HINT = "# Translators:"
"""A comment that begins so, in the lines above a sentence, is shown to translators."""

RULEBOOK = "engine/rulebook"
"""Where the sentences of the rules pages come from."""

GAMES = "engine/games"
"""Where the names of the games come from, and what they are about."""
_OF_TITLES = "names of games; keep them where your language has none of its own."
_OF_ABOUT = "what a game is about, in a few words on a tile."

ALIKE = 0.82
"""A new sentence as like as this to one that has gone gets its translation, marked fuzzy."""

_HEADER = (
    "Project-Id-Version: boneace\n"
    "MIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n"
)
_PLURALS = "Plural-Forms: nplurals=2; plural=(n != 1);\n"


@dataclass(frozen=True, slots=True)
class Found:
    """One use of a sentence in the source."""

    sentence: str
    plural: str | None
    where: str
    hint: str = ""


def extract(root: Path = ROOT) -> tuple[Entry, ...]:
    """Return every sentence of the program, in the order of its first use.

    Raises:
        CatalogueError: a sentence is put together while the program runs, so no catalogue can
            hold it; or it is used both with and without a plural. All are named together.
    """
    found: list[Found] = []
    wrong: list[str] = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            where = path.relative_to(root).as_posix()
            found += sentences(path.read_text(encoding="utf-8"), where, wrong)
    if wrong:
        raise CatalogueError("\n".join(wrong))
    if root == ROOT:
        found += [Found(game.title, None, GAMES, _OF_TITLES) for game in our_games()]
        found += [Found(game.about, None, GAMES, _OF_ABOUT) for game in our_games()]
        found += [Found(text, None, RULEBOOK) for text in rulebook_sentences()]
    return _entries(found)


def sentences(source: str, where: str, wrong: list[str]) -> list[Found]:
    """Return the sentences of one module; what cannot be translated is added to *wrong*."""
    lines = source.splitlines()
    found = []
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        wanted = _wanted(call)
        if not wanted or len(call.args) < wanted:
            continue
        texts = call.args[:wanted]
        place = f"{where}:{call.lineno}"
        if any(isinstance(text, ast.JoinedStr) for text in texts):
            wrong.append(
                f"{place}: an f-string cannot be looked up; write a whole sentence with "
                "{names} in it and .format(names=...) after it"
            )
            continue
        words = [
            text.value
            for text in texts
            if isinstance(text, ast.Constant) and isinstance(text.value, str)
        ]
        if len(words) == wanted:
            hint = _hint(lines, call.lineno)
            found.append(Found(words[0], words[1] if wanted == 2 else None, place, hint))
    return found


def _wanted(call: ast.Call) -> int:
    """Return how many sentences the call takes: 1 for ``_``, 2 for ``plural``, else 0.

    A ``Message`` takes two where it counts: ``Message(one, many, number)``.
    """
    match call.func:
        case ast.Name(id="_" | "N_"):
            return 1
        case ast.Name(id="Message"):
            return 1 if len(call.args) == 1 else 2
        case ast.Name(id="plural") | ast.Attribute(attr="plural"):
            return 2
    return 0


def _hint(lines: Sequence[str], number: int) -> str:
    above: list[str] = []
    for line in reversed(lines[: number - 1]):
        text = line.strip()
        if not text.startswith("#"):
            return ""
        above.insert(0, text.removeprefix(HINT if text.startswith(HINT) else "#").strip())
        if text.startswith(HINT):
            return " ".join(above)
    return ""


def _entries(found: Iterable[Found]) -> tuple[Entry, ...]:
    entries: dict[str, Entry] = {}
    for use in found:
        old = entries.get(use.sentence)
        if old is None:
            said = ("",) if use.plural is None else ("", "")
            hints = (use.hint,) if use.hint else ()
            entries[use.sentence] = Entry(use.sentence, use.plural, said, (use.where,), hints)
            continue
        if old.plural != use.plural:
            raise CatalogueError(
                f"{use.where}: {use.sentence!r} has another plural here than at {old.where[0]}; "
                "give both the same or word one differently"
            )
        if use.hint and use.hint not in old.hints:
            old = replace(old, hints=(*old.hints, use.hint))
        entries[use.sentence] = replace(old, where=(*old.where, use.where))
    return tuple(entries.values())


def merge(old: Catalogue, entries: Sequence[Entry]) -> Catalogue:
    """Return the catalogue with exactly *entries*, translated as far as *old* is."""
    known = {entry.sentence: entry for entry in old.entries}
    wanted = {entry.sentence for entry in entries}
    gone = {text: entry for text, entry in known.items() if text not in wanted and entry.is_done}
    merged = []
    for entry in entries:
        forms = 1 if entry.plural is None else old.plurals
        fresh = replace(entry, said=("",) * forms)
        before = known.get(entry.sentence)
        if before is not None and len(before.said) == forms:
            fresh = replace(fresh, said=before.said, notes=before.notes, fuzzy=before.fuzzy)
        else:
            near = difflib.get_close_matches(entry.sentence, gone, 1, ALIKE)
            if near and len(gone[near[0]].said) == forms:
                fresh = replace(fresh, said=gone[near[0]].said, fuzzy=True)
        merged.append(fresh)
    return replace(old, entries=tuple(merged))


def update(root: Path = ROOT, locales: Path = LOCALES, new: Sequence[str] = ()) -> list[str]:
    """Write the template and every catalogue anew; return a line on each that is not complete.

    Raises:
        CatalogueError: a catalogue cannot be understood; the message names the line.
    """
    entries = extract(root)
    template = Catalogue(_HEADER + _PLURALS, entries, ("Sentences of boneace.",))
    locales.mkdir(exist_ok=True)
    # No line numbers here: each change of a module would change every catalogue.
    _write(locales / "boneace.pot", _placed(template))
    for language in new:
        path = locales / language / "LC_MESSAGES" / "boneace.po"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, _empty(language))
    told = []
    for path in sorted(locales.glob("*/LC_MESSAGES/boneace.po")):
        language = path.parts[-3]
        old = parse(path.read_text(encoding="utf-8"), f"{language}/boneace.po")
        merged = merge(old, entries)
        _write(path, _placed(merged))
        told += _left(language, merged)
    return told


def begin(folder: Path, language: str, template: Path = LOCALES / "boneace.pot") -> list[str]:
    """Write a catalogue of every sentence into *folder*, for a package of somebody's own.

    One that is there already is brought up to date. Returns a line where it is not complete.
    """
    path = folder / CATALOGUE
    entries = parse(template.read_text(encoding="utf-8"), template.name).entries
    old = parse(path.read_text(encoding="utf-8"), str(path)) if path.exists() else _empty(language)
    folder.mkdir(parents=True, exist_ok=True)
    merged = merge(old, entries)
    _write(path, merged)
    return _left(language, merged)


def _empty(language: str) -> Catalogue:
    head = f"{_HEADER}Language: {language}\nX-Language-Name: {language}\nX-Letters: \n{_PLURALS}"
    return Catalogue(head, ())


def _left(language: str, catalogue: Catalogue) -> list[str]:
    left = sum(not entry.is_done for entry in catalogue.entries)
    total = len(catalogue.entries)
    return [f"{language}: {left} of {total} sentences to be translated"] if left else []


def _placed(catalogue: Catalogue) -> Catalogue:
    return replace(
        catalogue,
        entries=tuple(
            replace(entry, where=tuple(dict.fromkeys(place.split(":")[0] for place in entry.where)))
            for entry in catalogue.entries
        ),
    )


def _write(path: Path, catalogue: Catalogue) -> None:
    path.write_text(dump(catalogue), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Gather the sentences; 1 when a catalogue is not complete."""
    parser = argparse.ArgumentParser(prog="python -m display.i18n.extract", description=__doc__)
    parser.add_argument("--new", metavar="LANGUAGE", help="begin a catalogue, such as it")
    parser.add_argument(
        "--into", type=Path, metavar="FOLDER", help="of a package of your own; default: our tree"
    )
    args = parser.parse_args(argv)
    if args.into is not None:
        if args.new is None:
            parser.error("--into needs --new LANGUAGE")
        told = begin(args.into, args.new)
    else:
        told = update(new=[args.new] if args.new else [])
    print("\n".join(told) or "every catalogue is complete")
    return int(bool(told))


if __name__ == "__main__":
    raise SystemExit(main())
