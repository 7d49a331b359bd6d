"""Composes, sends and retries outgoing letters."""
