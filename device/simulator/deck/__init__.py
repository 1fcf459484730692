"""The decks of the simulator, drawn from outlines."""
