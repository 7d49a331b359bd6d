"""Contests at the desk."""
