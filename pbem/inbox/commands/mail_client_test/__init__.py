"""The test letter for the player's mail program."""
