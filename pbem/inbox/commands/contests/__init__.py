"""Contests: lists, entries, withdrawals, tables, ladders."""
