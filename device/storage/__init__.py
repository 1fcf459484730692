"""What is kept on disk: the journal, its backups, enrolled decks and bones."""
