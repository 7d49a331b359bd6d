"""The export of a player's data."""
