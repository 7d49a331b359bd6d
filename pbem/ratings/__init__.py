"""Ratings of players, computed from rated matches."""
