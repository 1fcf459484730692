"""Tell what happened, as text and aloud."""
