"""The bulletin of a tournament for a newsletter: new results, the cross-table, chosen positions."""
