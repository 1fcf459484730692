"""Money: what a token is worth, and amounts as a language writes them.

All amounts are whole numbers of the smallest unit of a currency. Babel knows the currencies (ISO
4217) and how each language writes them (Unicode CLDR); it is imported where money is played for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from engine.core.errors import BoneAceError
from engine.core.messages.message import Money

VALUE, CURRENCY = "token_value", "currency"
"""Of the settings that a session is begun with."""

MOST = 10**9
"""The highest value of a token, in the smallest unit of its currency."""

_AMOUNT = re.compile(r"[0-9]{1,10}([.,][0-9]{1,6})?")


class MoneyError(BoneAceError, ValueError):
    """No value that a token may have; the message says what to write."""


@dataclass(frozen=True, slots=True)
class TokenValue:
    """What one token is worth.

    Attributes:
        minor: in the smallest unit of the currency, at least 1.
        currency: its code (ISO 4217).
        digits: decimals of the currency.
    """

    minor: int
    currency: str
    digits: int

    def of(self, tokens: int, *, signed: bool = False) -> Money:
        """Return what *tokens* are worth; *signed*: with a plus before what was won."""
        return Money(self.minor * tokens, self.currency, self.digits, signed)

    @property
    def settings(self) -> dict[str, Any]:
        """What a session keeps of it."""
        return {VALUE: self.of(1).plain, CURRENCY: self.currency}


def token_value(text: str, currency: str) -> TokenValue:
    """Return the value of a token from *text*, such as ``"0.25"``, and a currency's code.

    Raises:
        MoneyError: no such currency, no positive amount, or more decimals than the currency has.
    """
    from babel.numbers import get_currency_precision, list_currencies

    code = currency.strip().upper()
    if code not in list_currencies():
        raise MoneyError(f"{currency[:20]!r} is no currency; write its code, such as EUR")
    digits = get_currency_precision(code)
    found = _AMOUNT.fullmatch(text.strip())
    minor = Decimal(found[0].replace(",", ".")).scaleb(digits) if found else Decimal(0)
    if not 0 < minor <= MOST:
        raise MoneyError(f"{text[:20]!r} is no value of a token; write for example 0.25")
    if minor != minor.to_integral_value():
        raise MoneyError(f"{text[:20]}: {code} has {digits} decimals; write no more")
    return TokenValue(int(minor), code, digits)


def token_value_in(settings: Mapping[str, object]) -> TokenValue | None:
    """Return what a token is worth by the *settings* of a session; ``None`` without money."""
    value, currency = settings.get(VALUE), settings.get(CURRENCY)
    if not isinstance(value, str) or not isinstance(currency, str):
        return None
    try:
        return token_value(value, currency)
    except MoneyError:
        return None


def written(amount: Money, language: str) -> str:
    r"""Return *amount* as *language* writes it.

    >>> written(Money(125, "EUR", signed=True), "en"), written(Money(-125, "EUR"), "nl")
    ('+€1.25', '€\xa0-1,25')
    """
    from babel import Locale, UnknownLocaleError
    from babel.numbers import format_currency

    try:
        locale = Locale.parse(language or "en")
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    value = Decimal(amount.minor).scaleb(-amount.digits)
    text: str = format_currency(value, amount.currency, locale=locale)
    return f"+{text}" if amount.signed and amount.minor > 0 else text
