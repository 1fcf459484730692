"""What the pages of a hall say; docs/how-to/languages.md."""

from __future__ import annotations

from engine.core.messages.message import N_

WORDS = {
    # Translators: the pages of a hall in which several tables stand.
    "hall": N_("The hall"),
    "ranking": N_("Ranking"),
    "tables": N_("The tables"),
    "online": N_("online"),
    "offline": N_("offline"),
    "nobody": N_("Nobody plays."),
    "no_tables": N_("No table has been heard of yet."),
    "no_broker": N_("The broker is not reached; what stands here may be old."),
    "name": N_("Who"),
    "tokens": N_("Tokens"),
    "money": N_("Money"),
    "hands": N_("Hands"),
    # Translators: heads a column with the time at which a player sat down.
    "first": N_("From"),
    # Translators: heads a column with the time of a player's last move.
    "last": N_("Until"),
    "all": N_("All evenings"),
    "by_tokens": N_("By tokens"),
    "by_money": N_("By money"),
    "file": N_("As a file (CSV)"),
    "story": N_("What happened"),
    "turn": N_("to play"),
    # Translators: a card that lies face down, for who listens to the page.
    "back": N_("face down"),
    "back_to_hall": N_("All tables"),
    "languages": N_("Languages"),
}
"""By the name that a template calls them."""
