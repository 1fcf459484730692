"""Rules that single variants of Scat add."""
