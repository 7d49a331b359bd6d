"""Offers to anyone who wants to play: made, listed, taken, withdrawn."""
