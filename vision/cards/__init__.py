"""Find and read cards."""
