"""How a match comes about."""
