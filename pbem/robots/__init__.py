"""Robots that play: a row for each think, thought in a process of its own, played like anybody's move."""
