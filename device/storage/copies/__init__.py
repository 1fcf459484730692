"""Copies of a table's state: made, brought back, and rid of what guests want forgotten."""
