"""One-and-Thirty and Bone-Ace."""
