"""Rules, notation and pictures of abstract strategy games, without Django, mail or clocks.

A game is a package in this folder, or an installed one with the entry point `pbem.games`, with a `GAME` of
type `games.protocol.Game`. `python -m games list` prints the games found.
"""
