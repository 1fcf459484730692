"""Parts that both trainings share."""
