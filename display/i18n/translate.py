"""Words on the screen and in the ear: every sentence passes through gettext.

Catalogues live in ``display/i18n/locales/LANGUAGE/LC_MESSAGES/boneace.po``; where there is none the
English sentence itself is shown. Sentences are whole: a translator must be free to turn them round.
"""

from __future__ import annotations

import gettext
from functools import lru_cache

from display.i18n.languages import ENGLISH, translations
from engine.core.text.message import Listing, Message, Value


class Translator:
    """The sentences of one language.

    >>> _ = Translator.of("en")
    >>> _("{name}: stick, or have it?").format(name="Bess")
    'Bess: stick, or have it?'
    """

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        """Speak from *catalogue*."""
        self._catalogue = catalogue

    @staticmethod
    def of(language: str) -> Translator:
        """Return the sentences of *language*, such as ``"fr_CA"``; else English."""
        return _words(language)

    def __call__(self, sentence: str) -> str:
        """Return *sentence* in this language."""
        return self._catalogue.gettext(sentence)

    def plural(self, one: str, many: str, number: int) -> str:
        """Return the form of the sentence that *number* asks for."""
        return self._catalogue.ngettext(one, many, number)

    def render(self, value: Value) -> str:
        """Return *value* in this language; names and numbers are returned as they are.

        >>> english = Translator.of("en")
        >>> english.render(Message("{who} win", who=Listing(("Ann", "Bess"))))
        'Ann and Bess win'
        """
        if isinstance(value, Listing):
            return self.names([self.render(item) for item in value.items])
        if not isinstance(value, Message):
            return str(value)
        text = self.plural(value.id, value.plural, value.count) if value.plural else self(value.id)
        values = {name: self.render(each) for name, each in value.values}
        return text.format(**values) if values else text

    def names(self, names: list[str]) -> str:
        """Join *names* as a list is read aloud.

        >>> Translator.of("en").names(["Ann", "Bess", "Tom"])
        'Ann, Bess and Tom'
        """
        if len(names) < 2:
            return "".join(names)
        _ = self
        return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])


class _House:
    """The language of the house, for words that are told none of their own."""

    language = ENGLISH


def set_language(language: str) -> None:
    """Let :func:`_`, :func:`plural` and :func:`names` speak *language* from now on.

    A table speaks one language at a time; whoever starts the program says which.
    """
    _House.language = language


def current_language() -> str:
    """Return what :func:`set_language` was told last; English at first."""
    return _House.language


def _(sentence: str) -> str:
    """Return *sentence* in the language of the house."""
    return Translator.of(_House.language)(sentence)


def plural(one: str, many: str, number: int) -> str:
    """Return the form that *number* asks for, in the language of the house."""
    return Translator.of(_House.language).plural(one, many, number)


def names(words: list[str]) -> str:
    """Join *words* as a list is read aloud, in the language of the house."""
    return Translator.of(_House.language).names(words)


def N_(sentence: str) -> str:
    """Mark *sentence* for the catalogues and return it as it is; it passes ``_`` where shown."""
    return sentence


@lru_cache(maxsize=16)
def _words(language: str) -> Translator:
    return Translator(translations(language))
