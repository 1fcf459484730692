"""Counting chances exactly: shared by the games."""
