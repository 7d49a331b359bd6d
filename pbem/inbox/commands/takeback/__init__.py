"""UNDO: a move is taken back, or several."""
