"""Reflection time: how much there is, and the win that the clock gives."""
