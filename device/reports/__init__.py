"""Figures read back from the journal."""
