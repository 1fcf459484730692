"""Find and read knucklebones."""
