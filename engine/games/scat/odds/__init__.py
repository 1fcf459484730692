"""Exact odds for Scat."""
