"""The colours of the table, and how large its words are: themes to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from display.text import N_
from engine.cards import Suit
from engine.errors import BoneAceError
from engine.suggest import did_you_mean

Colour = tuple[int, int, int]


class ThemeError(BoneAceError, LookupError):
    """No theme of that name; the message lists those there are."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of the table: dark green felt, ivory words, brass for what matters now.

    Attributes:
        name: what the config calls it.
        text: how much larger than usual words are, where their box has the room.
        four_colours: draw each suit in its own colour; else the two old ones. The four stay apart
            for people who lack the cones for red, green or blue, and the shapes differ anyway.
    """

    name: str = "felt"
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
    four_colours: bool = True

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


_FELT = Theme()

THEMES: Mapping[str, Theme] = {
    "felt": _FELT,
    # Black and white for all that is read, yellow for what matters now; no shades between.
    "contrast": replace(
        _FELT,
        name="contrast",
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
    ),
    "large": replace(_FELT, name="large", text=1.3),
}
"""Every theme, the ordinary one first."""

THEME_NAMES: Mapping[str, str] = {
    # Translators: how the screen looks.
    "felt": N_("Green felt"),
    "contrast": N_("High contrast"),
    "large": N_("Large text"),
}


def theme_of(name: str, *, four_colours: bool = True) -> Theme:
    """Return the theme called *name*.

    Raises:
        ThemeError: there is none.
    """
    if name not in THEMES:
        raise ThemeError(f"unknown theme {name!r}; {did_you_mean(name, list(THEMES))}")
    return replace(THEMES[name], four_colours=four_colours)
