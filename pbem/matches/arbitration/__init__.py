"""What the organiser does with matches, and records that come in and go out."""
