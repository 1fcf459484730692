"""Value types that everything else in the engine builds on."""
