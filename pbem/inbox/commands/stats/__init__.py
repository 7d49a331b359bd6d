"""A player's own figures."""
