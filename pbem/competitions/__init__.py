"""Contests: tournaments that run automatically, from entries to final places."""
