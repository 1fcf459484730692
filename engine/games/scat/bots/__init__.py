"""Simulated players of Scat."""
