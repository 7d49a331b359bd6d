"""Conditional moves: IF b1-b3 THEN a2-c2, NEXT a2-c2, IFS."""
