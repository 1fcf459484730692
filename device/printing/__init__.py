"""What is printed: the play mat and the wiring diagram."""
