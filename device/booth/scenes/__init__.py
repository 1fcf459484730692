"""The screens of the booth, one module for each group of them."""
