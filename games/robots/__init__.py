"""Robots: programs that play any of the games, as well as their level has them.

`python -m games.robots move loa --level 2` says what one plays. They know no mail, no clock and no database.
"""
