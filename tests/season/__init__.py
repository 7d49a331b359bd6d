"""A season: people play by mail for months of a time that a test turns on, and somebody keeps their clocks by hand."""
