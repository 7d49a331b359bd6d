"""Robots: programs that play all games at several levels.

`python -m games.robots move loa --level 2` prints a robot's move.
"""
