"""Players, with their names, addresses, languages and time zones."""
