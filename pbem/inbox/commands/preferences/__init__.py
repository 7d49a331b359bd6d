"""Preferences of a player: SET topic value."""
