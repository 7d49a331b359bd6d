"""Parses and authenticates incoming mail. Uses no database."""
