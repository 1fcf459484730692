"""The table that runs itself: who plays, what, and what comes next."""
