"""Whom to play with: the players who want to be found."""
