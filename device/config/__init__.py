"""Settings: one TOML file, checked at start-up."""
