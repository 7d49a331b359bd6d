"""Correspondence matches: challenges, seats, turns, offers and what happened."""
