"""Offers to whoever wants to play: made, listed, taken, withdrawn."""
