"""The machine on the table."""
