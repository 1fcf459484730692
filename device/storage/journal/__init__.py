"""The journal: one SQLite file, chained by digests; docs/reference/journal.md is its form."""
