"""What a seat is worth where everybody plays the engine's best player."""
