"""Public pages, by what they show."""
