"""Reads what arrived: pure functions from octets to words, bounded in time and memory."""
