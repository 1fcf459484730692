"""Which languages the table speaks, and which of them it is to speak here."""

from __future__ import annotations

import gettext
import importlib.resources
import os
from collections.abc import Mapping
from functools import lru_cache

from display.catalogue import parse

ENGLISH = "en"
"""The language the sentences are written in; it needs no catalogue."""

NAMES: Mapping[str, str] = {
    "en": "English",
    "fr": "Français",
    "de": "Deutsch",
    "es": "Español",
    "nl": "Nederlands",
}
"""What each language calls itself, for people to choose by."""

_CATALOGUES = importlib.resources.files("display").joinpath("locales")


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """Return the languages there are words in, English first."""
    found = [
        folder.name
        for folder in _CATALOGUES.iterdir()
        if folder.joinpath("LC_MESSAGES", "boneace.po").is_file()
    ]
    return (ENGLISH, *sorted(found))


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
        if language in languages():
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
        if not name or "/" in name:
            continue
        catalogue = _CATALOGUES.joinpath(name, "LC_MESSAGES", "boneace.po")
        if catalogue.is_file():
            return parse(catalogue.read_text("utf-8"), f"{name}/boneace.po").translations()
    return gettext.NullTranslations()
