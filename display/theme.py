"""The colours of the table."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Suit

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of the table: dark green felt, ivory words, brass for what matters now.

    Attributes:
        four_colours: draw each suit in its own colour; else the two old ones. The four are far
            apart in brightness as well as hue, and the shapes differ anyway.
    """

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
    hearts: Colour = (196, 30, 42)
    diamonds: Colour = (24, 98, 176)
    clubs: Colour = (14, 116, 76)
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
