"""What the table asks or tells at each moment."""
