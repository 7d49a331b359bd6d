"""What is done at the board."""
