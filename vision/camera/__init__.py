"""The camera's lens, and pictures on disk."""
