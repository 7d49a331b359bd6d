"""Moves, draw offers and resignations."""
