"""Conditional moves: what a player answers to what their opponent may play, kept until it is played."""
