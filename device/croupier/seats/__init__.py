"""Games in which each player's cards lie at their seat, or are held: One-and-Thirty, Bone-Ace."""
