"""Signing up, and the addresses that a player writes from."""
