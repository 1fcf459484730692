"""Train the networks for knucklebones."""
