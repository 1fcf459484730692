"""Train the networks for cards."""
