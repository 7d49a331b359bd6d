"""A PostgreSQL backend for Django, for server-side binding of values."""
