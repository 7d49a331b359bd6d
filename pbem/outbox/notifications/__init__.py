"""Notifies players, observers and strangers: kinds of letters, their readers, and digests."""
