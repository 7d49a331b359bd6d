"""Rules, notation and pictures of abstract strategy games: no Django, no mail, no clock.

A game is a folder here (or an installed package with the entry point `pbem.games`) whose `GAME`
is a `games.protocol.Game`. `python -m games list` shows what is found.
"""
