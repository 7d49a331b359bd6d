"""Correspondence matches: challenges, seats, turns, offers, clocks and events."""
