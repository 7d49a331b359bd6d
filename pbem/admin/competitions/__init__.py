"""Contests and circuits at the desk."""
