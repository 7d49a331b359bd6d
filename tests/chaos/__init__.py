"""Chaos: the real service under letters of every sort while its processes are killed, judged from outside.

Nothing here imports the service. What it was told and what it mailed is known from the wire, what it wrote
down from the tables; `games` says what the rules allow.
"""
