"""Registration, names, and addresses of players."""
