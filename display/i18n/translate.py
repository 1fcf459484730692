"""Sentences in a language: every one passes through gettext.

Catalogues live in ``display/i18n/locales/LANGUAGE/LC_MESSAGES/boneace.po``; where there is none the
English sentence itself is shown. Sentences are whole: a translator must be free to turn them round.

There is no current language: whoever shows or speaks is given one, and says everything before that
as :class:`engine.core.messages.message.Message`.
"""

from __future__ import annotations

import gettext
import re
from functools import lru_cache

from display.i18n.languages import ENGLISH, translations
from display.i18n.money import written
from display.i18n.signs import SIGNS
from engine.core.messages import message
from engine.core.messages.message import STRANGER, Listing, Money, Value


class Translator:
    """The sentences of one language.

    >>> _ = Translator.of("en")
    >>> _("{name}: stick, or have it?").format(name="Bess")
    'Bess: stick, or have it?'
    """

    def __init__(self, catalogue: gettext.NullTranslations, language: str = "") -> None:
        """Translate with *catalogue*; in English messages are their own translation."""
        self._catalogue = catalogue
        self._language = language
        self._look_up = message.english if language == ENGLISH else self._translated
        before, _, after = self(STRANGER).partition("{n}")
        self._strangers = re.compile(
            rf"(?<![{SIGNS}]\xa0)\b{re.escape(before)}(\d{{1,2}})\b{re.escape(after)}"
        )

    @staticmethod
    def of(language: str) -> Translator:
        """Return the sentences of *language*, such as ``"fr_CA"``; else English."""
        return _translator(language)

    def __call__(self, sentence: str) -> str:
        """Return *sentence* in this language."""
        return self._catalogue.gettext(sentence)

    def plural(self, one: str, many: str, number: int) -> str:
        """Return the form of the sentence that *number* asks for."""
        return self._catalogue.ngettext(one, many, number)

    def render(self, value: Value) -> str:
        """Return *value* in this language; names and numbers are returned as they are.

        >>> english = Translator.of("en")
        >>> english.render(message.Message("{who} win", who=Listing(("Ann", "Bess"))))
        'Ann and Bess win'
        """
        return message.render(value, self._look_up, self._write)

    def signed(self, text: str, *, short: bool = False) -> str:
        """Return *text* in this language with the sign of each stranger before the name, once.

        *short* leaves the number alone of the name.

        >>> Translator.of("en").signed("Player 2 pays a token to Bess.").split()
        ['▲', 'Player', '2', 'pays', 'a', 'token', 'to', 'Bess.']
        """
        return self._strangers.sub(
            lambda found: f"{SIGNS[(int(found[1]) - 1) % len(SIGNS)]}\xa0{found[int(short)]}", text
        )

    def names(self, names: list[str]) -> str:
        """Join *names* as a list is read aloud.

        >>> Translator.of("en").names(["Ann", "Bess", "Tom"])
        'Ann, Bess and Tom'
        """
        return self.render(Listing(tuple(names)))

    def _write(self, amount: Money) -> str:
        return written(amount, self._language)

    def _translated(self, id: str, plural: str, count: int) -> str:
        return self.plural(id, plural, count) if plural else self(id)


@lru_cache(maxsize=16)
def _translator(language: str) -> Translator:
    return Translator(translations(language), language)
