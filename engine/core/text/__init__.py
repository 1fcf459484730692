"""Text for people: limits, suggestions, rules pages."""
