"""What a round of Thirty-one costs and brings."""
