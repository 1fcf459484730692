"""A table without hardware: drawn cards, drawn bones and simulated players."""
