"""Following the matches of others."""
