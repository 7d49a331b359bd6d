"""What several games share: geometry, scenes and their renderers. Knows no game."""
