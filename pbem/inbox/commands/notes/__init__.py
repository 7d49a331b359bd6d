"""What a player writes down for themselves."""
