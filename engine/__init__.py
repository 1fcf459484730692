"""The rules of the cards and the bones; see docs for how data flows."""
