"""The printed name of a player."""
