"""The croupier of Thirty-one (Scat)."""
