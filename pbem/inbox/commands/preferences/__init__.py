"""How a player likes their letters, and when their time runs: SET topic value."""
