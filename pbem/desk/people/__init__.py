"""Players at the desk, and those who work there."""
