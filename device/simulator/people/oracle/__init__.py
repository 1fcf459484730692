"""What the rules give for what people did, worked out from their text, without the engine."""
