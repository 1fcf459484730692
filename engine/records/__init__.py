"""Events and whole games as JSON."""
