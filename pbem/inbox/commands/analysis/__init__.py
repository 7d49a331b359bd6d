"""Analyses and hints by a robot."""
