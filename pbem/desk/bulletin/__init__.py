"""The bulletin of a tournament for a newsletter: what ended since the last one, the table, chosen positions."""
