"""Rate limits of incoming letters, of answers and of actions."""
