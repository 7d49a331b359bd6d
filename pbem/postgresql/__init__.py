"""Django's backend for PostgreSQL, for whom the server binds the values."""
