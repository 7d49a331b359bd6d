"""Clocks, and claims of a win on time."""
