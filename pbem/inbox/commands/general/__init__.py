"""The lists of what there is, and help."""
