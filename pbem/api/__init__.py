"""The API, version 1: reads what the public pages show, and lets the programs of players play."""
