"""Takebacks: UNDO."""
