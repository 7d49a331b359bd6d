"""Handles the commands of a letter."""
