"""Sentences and prompts as values, put into words only where they are shown or spoken."""
