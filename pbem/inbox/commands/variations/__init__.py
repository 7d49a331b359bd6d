"""Trying a line of moves without playing it."""
