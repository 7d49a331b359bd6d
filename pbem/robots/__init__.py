"""Robots that play: a row for each think, a process for each row, a move like any other."""
