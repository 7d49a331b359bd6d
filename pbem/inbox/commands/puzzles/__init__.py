"""Puzzles: requests, solutions, subscriptions."""
