"""Analyses, hints and puzzles that players ask for: rows, which `pbem.robots` fills."""
