"""Every screen around the game, one module for each kind of page."""
