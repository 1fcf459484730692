"""Which languages the table speaks, and which of them it is to speak here."""

from __future__ import annotations

import gettext
import importlib.resources
import os
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from types import ModuleType

from display.i18n.po_files import Catalogue, CatalogueError, parse
from engine.core.plugins import PluginError, Registry

ENGLISH = "en"
"""The language the sentences are written in; it needs no catalogue."""

CATALOGUE = "boneace.po"
"""The file of a language, in our tree or in the package that adds it."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language that people can choose.

    Attributes:
        name: what it calls itself; ``X-Language-Name`` in the head of its catalogue.
        letters: capitals besides A to Z that names are written with; ``X-Letters`` there.
        catalogue: the file with its sentences; ``None`` for English.
    """

    name: str
    letters: str = ""
    catalogue: Traversable | None = None


def _ours() -> dict[str, Language | str]:
    """Return the languages of the house, English first: a folder with a catalogue is one."""
    folder = importlib.resources.files("display.i18n").joinpath("locales")
    found: dict[str, Language | str] = {ENGLISH: Language("English")}
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        catalogue = each.joinpath("LC_MESSAGES", CATALOGUE)
        if catalogue.is_file():
            # The head alone: nobody waits for all the sentences of languages that are not spoken.
            head = catalogue.read_text("utf-8").partition("\n\n")[0]
            found[each.name] = _language(each.name, catalogue, parse(head, each.name))
    return found


def _fit(name: str, found: object) -> Language:
    """Return the language; one from elsewhere once every sentence of it can be put together."""
    if isinstance(found, Language):
        return found
    if not isinstance(found, ModuleType) or not hasattr(found, "__path__"):
        raise PluginError(f"{found!r} is no package; name the one that holds {CATALOGUE}")
    catalogue = importlib.resources.files(found).joinpath(CATALOGUE)
    if not catalogue.is_file():
        raise PluginError(f"there is no {CATALOGUE} in the package {found.__name__}")
    read = parse(catalogue.read_text("utf-8"), CATALOGUE)
    _ = read.plurals  # a head without them is refused here, not at the table
    for entry in read.entries:
        wanted = _placeholders(entry.sentence) | _placeholders(entry.plural or "")
        for said in entry.said if entry.is_done else ():
            if not _placeholders(said) <= wanted:
                raise CatalogueError(
                    f"{said!r} has a name in braces that {entry.sentence!r} does not have"
                )
    return _language(name, catalogue, read)


def _language(name: str, catalogue: Traversable, head: Catalogue) -> Language:
    told = dict(re.findall(r"^X-(Language-Name|Letters):[ ]*(.*?)[ ]*$", head.header, re.M))
    return Language(told.get("Language-Name") or name, told.get("Letters", ""), catalogue)


def _placeholders(text: str) -> set[str]:
    return {name for _text, name, _spec, _how in string.Formatter().parse(text) if name is not None}


LANGUAGES: Registry[Language] = Registry("boneace.languages", _ours, _fit)
"""Every language by its code, English first; docs/extend.md says how to add one."""


def languages() -> tuple[str, ...]:
    """Return the languages there are words in, English first."""
    return tuple(LANGUAGES)


def language_of(code: str) -> Language:
    """Return what is known of the language *code*, such as ``"fr_CA"``; by its code alone if none.

    >>> language_of("fr_CA.UTF-8").name, language_of("xx").name
    ('Français', 'xx')
    """
    return LANGUAGES[base(code)] if base(code) in LANGUAGES else Language(code)


def language_of_environment(environment: Mapping[str, str] | None = None) -> str:
    """Return the first language that the environment asks for and that there are words in.

    ``LANGUAGE`` may list several; then come ``LC_ALL``, ``LC_MESSAGES`` and ``LANG``, as for every
    program (gettext manual, 2.3). English when none of them can be served.
    """
    asked = os.environ if environment is None else environment
    wanted: list[str] = []
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if asked.get(name):
            wanted = [asked[name]]
            break
    if wanted and wanted[0].split(".")[0] in ("C", "POSIX"):
        return ENGLISH  # a plain machine is plain: LANGUAGE is not even looked at
    wanted = [*asked.get("LANGUAGE", "").split(":"), *wanted]
    for each in wanted:
        language = base(each)
        if language in LANGUAGES:
            return language
    return ENGLISH


def base(language: str) -> str:
    """Return the language without its country and its encoding.

    >>> base("fr_CA.UTF-8"), base("de-AT"), base("")
    ('fr', 'de', '')
    """
    return language.replace("-", "_").split(".")[0].split("@")[0].split("_")[0].lower()


@lru_cache(maxsize=16)
def translations(language: str) -> gettext.NullTranslations:
    """Return the sentences of *language*, such as ``"fr_CA"``; English when there are none."""
    plain = language.replace("-", "_").split(".")[0]
    for name in dict.fromkeys((plain, base(language))):
        catalogue = LANGUAGES[name].catalogue if name in LANGUAGES else None
        if catalogue is not None:
            read = parse(catalogue.read_text("utf-8"), f"{name}/{CATALOGUE}")
            return read.translations()
    return gettext.NullTranslations()
