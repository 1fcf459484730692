"""Count bones that are thrown, or cards that are laid, without any game."""
