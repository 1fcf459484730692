"""Find the sentences to translate in our sources; Babel calls this for ``make messages``.

Babel's own reader of Python misses a call that stands deeper inside another one, which is how
messages are put together; so this one walks the syntax tree. It imports nothing of Babel.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import IO

HINT = "# Translators:"
"""A comment that begins so, in the lines above a sentence, is shown to translators."""

TITLES = "names of games; keep them where your language has none of its own."
ABOUT = "what a game is about, in a few words on a tile."

Found = tuple[int, str, Sequence[str], Sequence[str]]
"""Line, ``"gettext"`` or ``"ngettext"``, the sentence and perhaps its plural, comments."""


def sentences(
    file: IO[bytes], _keywords: object, _tags: object, options: object
) -> Iterator[Found]:
    """Yield what a module gives to ``_``, ``N_``, ``plural`` or ``Message``; a Babel extractor.

    Also the title of a game and what it is about, which are plain strings of its class.

    Raises:
        ValueError: an f-string is to be translated, which no catalogue can hold.
    """
    source = file.read().decode()
    lines = source.splitlines()
    kinds = (ast.Call, ast.AnnAssign)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        match node:
            case ast.Call(func=ast.Name(id="_" | "N_" | "Message"), args=[text, *more]):
                texts = [text, *more[:1]]
            case ast.Call(func=ast.Name("plural") | ast.Attribute(attr="plural"), args=texts):
                texts = texts[:2]
            case ast.AnnAssign(target=ast.Name("title" | "about" as name), value=text) if text:
                hint = TITLES if name == "title" else ABOUT
                yield from _found(node.lineno, [text], [hint])
                continue
            case _:
                continue
        if any(isinstance(text, ast.JoinedStr) for text in texts):
            raise ValueError(
                f"line {node.lineno}: an f-string cannot be looked up; write a whole sentence "
                "with {names} in it and give their values beside it"
            )
        yield from _found(node.lineno, texts, _hints(lines[: node.lineno - 1]))


def rulebook(file: IO[bytes], _keywords: object, _tags: object, options: object) -> Iterator[Found]:
    """Yield the headings and sentences of a rules page; a Babel extractor.

    The engine knows no translations: there a sentence is any string that begins with a capital
    and is neither a docstring nor a code, such as ``"BA-7"``.
    """
    tree = ast.parse(file.read().decode())
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    for text in sorted(texts, key=lambda text: (text.lineno, text.col_offset)):
        if id(text) in told or not isinstance(text.value, str):
            continue
        if re.match("[A-Z][a-z ]", text.value):
            yield from _found(text.lineno, [text], [])


def _found(line: int, texts: Sequence[ast.expr], hints: Sequence[str]) -> Iterator[Found]:
    words = [
        text.value
        for text in texts
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value
    ]
    if words and isinstance(texts[0], ast.Constant):
        yield line, "ngettext" if len(words) == 2 else "gettext", words, hints


def _hints(above: Sequence[str]) -> Sequence[str]:
    """Return the comment for translators at the end of the lines *above*, in one string."""
    words: list[str] = []
    for line in reversed(above):
        text = line.strip()
        if not text.startswith("#"):
            break
        if text.startswith(HINT):
            return [" ".join([text.removeprefix(HINT).strip(), *words])]
        words.insert(0, text.removeprefix("#").strip())
    return []
