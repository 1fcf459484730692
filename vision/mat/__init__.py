"""The play mat: its layout, pose and light, and what lies on it."""
