"""Conditional moves: what a player answers to what his opponent may play, kept until it is played."""
