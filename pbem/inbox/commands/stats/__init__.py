"""Statistics of a player."""
