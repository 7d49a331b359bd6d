"""Clocks: when a player's time runs, what it adds up to, and what happens when it is over."""
