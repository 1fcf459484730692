"""The screen of the game in play."""
