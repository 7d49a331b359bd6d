"""What of players and matches is public, read for pages; `visible` decides."""
