"""Systems of contests: pairings of the next round, and standings. Pure Python, without the database."""
