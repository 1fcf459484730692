"""Words on the screen: every sentence passes through gettext.

Catalogues live in ``display/locales/LANGUAGE/LC_MESSAGES/boneace.mo``; where there is none the
English sentence itself is shown. Sentences are whole: a translator must be free to turn them round.
"""

from __future__ import annotations

import gettext
import importlib.resources
from functools import lru_cache


class Words:
    """The sentences of one language.

    >>> _ = Words.of("en")
    >>> _("{name}: stick, or have it?").format(name="Bess")
    'Bess: stick, or have it?'
    """

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        """Speak from *catalogue*."""
        self._catalogue = catalogue

    @staticmethod
    def of(language: str) -> Words:
        """Return the sentences of *language*, such as ``"fr_CA"``; else English."""
        return _words(language)

    def __call__(self, sentence: str) -> str:
        """Return *sentence* in this language."""
        return self._catalogue.gettext(sentence)

    def plural(self, one: str, many: str, number: int) -> str:
        """Return the form of the sentence that *number* asks for."""
        return self._catalogue.ngettext(one, many, number)

    def names(self, names: list[str]) -> str:
        """Join *names* as a list is read aloud.

        >>> Words.of("en").names(["Ann", "Bess", "Tom"])
        'Ann, Bess and Tom'
        """
        if len(names) < 2:
            return "".join(names)
        return self("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


def _(sentence: str) -> str:
    """Return *sentence* in English: marks text that has no language of its own yet."""
    return Words.of("en")(sentence)


@lru_cache(maxsize=16)
def _words(language: str) -> Words:
    folder = importlib.resources.files("display").joinpath("locales")
    for name in dict.fromkeys((language, language.split("_")[0])):
        catalogue = folder.joinpath(name, "LC_MESSAGES", "boneace.mo")
        if name and catalogue.is_file():
            with catalogue.open("rb") as file:
                return Words(gettext.GNUTranslations(file))
    return Words(gettext.NullTranslations())
