"""Games with knucklebones: bones at rest become throws."""
