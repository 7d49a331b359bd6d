"""Matches and tournaments at the desk."""
