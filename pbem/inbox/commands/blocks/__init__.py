"""Limits on matches, refusals and blocks."""
