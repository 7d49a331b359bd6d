"""Help, and the list of matches and games."""
