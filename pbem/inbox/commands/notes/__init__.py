"""Private notes of a player."""
