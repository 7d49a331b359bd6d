"""Watching the matches of others."""
