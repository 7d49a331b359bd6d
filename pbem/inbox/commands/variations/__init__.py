"""Trying moves without playing them."""
