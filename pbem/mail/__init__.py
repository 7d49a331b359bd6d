"""Messages as such, without a database: parsing, and authentication of who wrote."""
