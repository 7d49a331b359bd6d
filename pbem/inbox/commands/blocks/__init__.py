"""How much is enough for a player, and whom they would rather not meet."""
