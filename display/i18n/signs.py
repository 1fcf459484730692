"""The signs of players who have given no name."""

SIGNS = "●▲■★✚○▼☾"
"""By number of the player: shapes that are told apart without their colours."""
