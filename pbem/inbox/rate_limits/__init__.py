"""How much anybody may write to us, and how often we answer."""
