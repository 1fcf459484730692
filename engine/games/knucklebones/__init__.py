"""One-and-Twenty with sheep's knucklebones."""
