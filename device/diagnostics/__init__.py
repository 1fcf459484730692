"""Checks of the machine, and the bundle for a bug report."""
