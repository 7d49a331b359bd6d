"""All that is kept of a player, for that player."""
