"""Game state in, pixels out."""
