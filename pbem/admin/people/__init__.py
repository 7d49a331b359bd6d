"""Players and staff at the desk."""
