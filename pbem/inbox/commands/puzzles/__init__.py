"""Puzzles: asking for one, and solving it."""
