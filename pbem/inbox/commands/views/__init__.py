"""Looking at a match."""
