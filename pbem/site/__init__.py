"""The public pages: what the service is, its games, and what players agree to show."""
