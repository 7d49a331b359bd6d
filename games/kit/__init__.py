"""Geometry, scenes and their renderers, shared by all games."""
