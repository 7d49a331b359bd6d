"""Who plays: people, their addresses, language and time zone."""
