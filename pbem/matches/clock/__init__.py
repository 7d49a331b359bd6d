"""When the time of a player runs, what it comes to, and what happens when it is over."""
