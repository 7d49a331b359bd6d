"""How a player is called in print."""
