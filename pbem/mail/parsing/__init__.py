"""Parses incoming mail with pure functions, bounded in time and memory."""
