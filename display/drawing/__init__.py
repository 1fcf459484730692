"""Text, shapes, bones, pictures and colours for every screen."""
