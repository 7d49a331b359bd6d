"""Reports to the organiser."""
