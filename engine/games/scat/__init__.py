"""Thirty-one (Scat) and its variants."""
