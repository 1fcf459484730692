"""Pixels in, readings out."""
