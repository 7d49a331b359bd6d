"""Puzzles: requests, solutions, consent."""
