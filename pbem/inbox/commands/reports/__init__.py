"""What a player reports to the organiser."""
