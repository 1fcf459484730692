"""Readings and presses in, events and questions out."""
