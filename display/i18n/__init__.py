"""Translation: languages, catalogues and their extraction."""
