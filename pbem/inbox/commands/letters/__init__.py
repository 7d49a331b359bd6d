"""Which sorts of letters a player gets."""
