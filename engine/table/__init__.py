"""A table in play: hands, corrections, and what each viewer may see."""
