"""Pages of the booth in words, as they are read on the screen."""

from dataclasses import fields, replace

from display.i18n.translate import Translator
from engine.core.messages.message import Distinct, EnglishOr, Joined, Listing, Message, Styled

SENTENCES = (Message, Listing, Joined, Styled, EnglishOr, Distinct)


def in_words(value, language="en"):
    """Return *value* with every sentence of it in *language*."""
    if isinstance(value, SENTENCES):
        return Translator.of(language).render(value)
    if isinstance(value, tuple):
        return tuple(in_words(each, language) for each in value)
    if type(value).__module__.startswith(("display.pages", "engine.core.messages")):
        words = {one.name: in_words(getattr(value, one.name), language) for one in fields(value)}
        return replace(value, **words)
    return value
