"""Themes to choose from: the colours of the table, and how large its words are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from engine.core.cards import Suit
from engine.core.errors import BoneAceError
from engine.core.messages.message import N_
from engine.core.plugins import PluginError, Registry, unknown

Colour = tuple[int, int, int]


LARGE_CAPS, PROMISED_CAPS = 0.084, 0.083
"""Capitals of what must be read from afar in the look for that, as shares of the height; a font has
whole pixels, so a little less is promised."""


class ThemeError(BoneAceError, LookupError):
    """No theme of that name; the message lists those there are."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of the table: dark green felt, ivory words, brass for what matters now.

    Attributes:
        name: what the config calls it; that of its line in the registry.
        title: what the settings at the table call it, in English.
        text: how much larger than usual words are, where their box has the room.
        four_colours: draw each suit in its own colour instead of the usual two. The colour blind
            can tell the four apart, and the shapes differ anyway.
        least: capitals of questions, of totals and of whose turn it is are never lower than this
            share of the screen's height; 0 for no such promise.
        calm: nothing glides or grows.
    """

    name: str = "felt"
    title: str = ""
    text: float = 1.0
    room: Colour = (12, 30, 26)
    felt: Colour = (22, 62, 52)
    felt_edge: Colour = (15, 45, 38)
    rim: Colour = (92, 66, 38)
    plate: Colour = (12, 36, 31)
    plate_edge: Colour = (58, 96, 82)
    band: Colour = (9, 22, 19)
    ivory: Colour = (245, 236, 214)
    muted: Colour = (168, 190, 176)
    brass: Colour = (230, 182, 84)
    brass_deep: Colour = (150, 108, 38)
    ink: Colour = (24, 28, 26)
    alarm: Colour = (240, 132, 104)
    alarm_ground: Colour = (84, 26, 18)
    card: Colour = (252, 249, 241)
    card_edge: Colour = (120, 116, 104)
    back: Colour = (118, 36, 46)
    back_line: Colour = (226, 196, 164)
    spades: Colour = (20, 22, 26)
    hearts: Colour = (190, 32, 24)
    diamonds: Colour = (16, 104, 232)
    clubs: Colour = (20, 106, 72)
    four_colours: bool = False
    least: float = 0.0
    calm: bool = False

    def suit(self, suit: Suit) -> Colour:
        """Return the colour *suit* is printed in."""
        red = suit in (Suit.HEARTS, Suit.DIAMONDS)
        if not self.four_colours:
            return self.hearts if red else self.spades
        return {
            Suit.SPADES: self.spades,
            Suit.HEARTS: self.hearts,
            Suit.DIAMONDS: self.diamonds,
            Suit.CLUBS: self.clubs,
        }[suit]


# Translators: how the screen looks.
_FELT = Theme(title=N_("Green felt"))

_BUILTIN: Mapping[str, Theme | str] = {
    "felt": _FELT,
    # Black and white for all that is read, yellow for what matters now; no shades between.
    "contrast": replace(
        _FELT,
        title=N_("High contrast"),
        room=(0, 0, 0),
        felt=(0, 0, 0),
        felt_edge=(255, 255, 255),
        rim=(0, 0, 0),
        plate=(0, 0, 0),
        plate_edge=(255, 255, 255),
        band=(0, 0, 0),
        ivory=(255, 255, 255),
        muted=(255, 255, 255),
        brass=(255, 214, 10),
        brass_deep=(255, 214, 10),
        ink=(0, 0, 0),
        alarm=(255, 150, 120),
        alarm_ground=(70, 0, 0),
        card=(255, 255, 255),
        card_edge=(0, 0, 0),
        back=(96, 0, 40),
        back_line=(255, 255, 255),
        spades=(0, 0, 0),
        hearts=(200, 10, 10),
        diamonds=(0, 92, 235),
        clubs=(0, 108, 70),
        four_colours=True,
    ),
    "large": replace(_FELT, title=N_("Large text"), text=1.3, four_colours=True, least=LARGE_CAPS),
}

LARGEST_TEXT = 2.0
"""Words larger than this fit into no box."""


def _fit(name: str, found: object) -> Theme:
    """Return the theme under its name, once every colour of it can be painted."""
    if not isinstance(found, Theme):
        raise PluginError(f"{found!r} is no display.theme.Theme")
    for each in fields(Theme):
        value = getattr(found, each.name)
        if each.type == "Colour" and not (
            isinstance(value, tuple)
            and len(value) == 3
            and all(isinstance(part, int) and 0 <= part <= 255 for part in value)
        ):
            raise PluginError(f"{each.name}: {value!r} is not red, green and blue, 0 to 255 each")
    if not 1 <= found.text <= LARGEST_TEXT:
        raise PluginError(f"text: {found.text!r} is not from 1 to {LARGEST_TEXT:g}")
    return replace(found, name=name, title=found.title or name.replace("-", " ").capitalize())


THEMES: Registry[Theme] = Registry("boneace.themes", lambda: _BUILTIN, _fit)
"""Every theme, the ordinary one first; docs/how-to/extend.md says how to add one."""


def theme_of(name: str, *, four_colours: bool | None = None, calm: bool = False) -> Theme:
    """Return the theme called *name*; without *four_colours* its suits are its own.

    Raises:
        ThemeError: there is none.
    """
    if name not in THEMES:
        raise ThemeError(unknown("theme", name, THEMES))
    theme = THEMES[name]
    own = theme.four_colours if four_colours is None else four_colours
    return replace(theme, four_colours=own, calm=calm)
