"""The list of players who want to be found."""
