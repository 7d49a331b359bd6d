"""Robots: programs that play all games at several levels.

`python -m games.engine move loa --level 2` prints a robot's move.
"""
