"""Contests: which there are, entering and leaving them, tables, ladders."""
