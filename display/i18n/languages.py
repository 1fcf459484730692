"""The languages of the table, and which of them the machine asks for."""

from __future__ import annotations

import gettext
import importlib.resources
import os
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from types import ModuleType

from engine.core.plugins import PluginError, Registry

ENGLISH = "en"
"""The language the sentences are written in; it needs no catalogue."""

CATALOGUE = "boneace.mo"
"""The file of a language, in our tree or in the package that adds it."""

N_ = str  # marks a sentence for the catalogues
# Translators: what your language calls itself: Deutsch, Français.
_NAME = N_("English")
# Translators: the capitals that names are written with; put those of your language after Z.
_CAPITALS = N_("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@dataclass(frozen=True, slots=True)
class Language:
    """A language that people can choose.

    Attributes:
        code: such as ``"fr"``.
        catalogue: the compiled file with its sentences; ``None`` where there is none.
    """

    code: str
    catalogue: Traversable | None = None

    @property
    def name(self) -> str:
        """Return what it calls itself; its code where no catalogue says so."""
        if self.code == ENGLISH:
            return _NAME
        name = _load(self).gettext(_NAME)
        return self.code if name == _NAME else name

    @property
    def letters(self) -> str:
        """Return the capitals besides A to Z that names are written with."""
        return _load(self).gettext(_CAPITALS).removeprefix(_CAPITALS)


@lru_cache(maxsize=16)
def _load(language: Language) -> gettext.NullTranslations:
    if language.catalogue is None:
        return gettext.NullTranslations()
    with language.catalogue.open("rb") as file:
        return gettext.GNUTranslations(file)


def _builtin() -> dict[str, Language | str]:
    """Return our own languages, English first: a folder with a catalogue is one."""
    folder = importlib.resources.files("display.i18n").joinpath("locales")
    found: dict[str, Language | str] = {ENGLISH: Language(ENGLISH)}
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        catalogue = each.joinpath("LC_MESSAGES", CATALOGUE)
        if catalogue.is_file():
            found[each.name] = Language(each.name, catalogue)
    return found


def _validate(name: str, found: object) -> Language:
    """Return the language; one from elsewhere once every sentence of it can be put together."""
    if isinstance(found, Language):
        return found
    if not isinstance(found, ModuleType) or not hasattr(found, "__path__"):
        raise PluginError(f"{found!r} is no package; name the one that holds {CATALOGUE}")
    catalogue = importlib.resources.files(found).joinpath(CATALOGUE)
    if not catalogue.is_file():
        raise PluginError(
            f"there is no {CATALOGUE} in the package {found.__name__}; make it with: pybabel "
            "compile -i boneace.po -o boneace.mo"
        )
    language = Language(name, catalogue)
    # gettext has no public way to list its sentences: by id, or by id and number of the plural.
    for key, said in vars(_load(language))["_catalog"].items():
        sentence = key if isinstance(key, str) else key[0]
        if sentence and not _placeholders(said) <= _placeholders(sentence):
            raise PluginError(f"{said!r} has a name in braces that {sentence!r} does not have")
    return language


def _placeholders(text: str) -> set[str]:
    return {name for _text, name, _spec, _how in string.Formatter().parse(text) if name is not None}


LANGUAGES: Registry[Language] = Registry("boneace.languages", _builtin, _validate)
"""Every language by its code, English first; docs/how-to/extend.md says how to add one."""


def languages() -> tuple[str, ...]:
    """Return the codes of all languages, English first."""
    return tuple(LANGUAGES)


def language_of(code: str) -> Language:
    """Return the language *code*, such as ``"fr_CA"``; one without a catalogue if there is none.

    >>> language_of("fr_CA.UTF-8").name, language_of("xx").name
    ('Français', 'xx')
    """
    return LANGUAGES[base(code)] if base(code) in LANGUAGES else Language(code)


def language_of_environment(environment: Mapping[str, str] | None = None) -> str:
    """Return the first language that the environment asks for and that there is.

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
        return ENGLISH  # gettext ignores LANGUAGE there
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


def translations(language: str) -> gettext.NullTranslations:
    """Return the sentences of *language*, such as ``"fr_CA"``; English when there are none."""
    plain = language.replace("-", "_").split(".")[0]
    code = plain if plain in LANGUAGES else base(language)
    return _load(LANGUAGES[code] if code in LANGUAGES else Language(code))
