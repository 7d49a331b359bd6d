"""Subscriptions to sorts of letters."""
