"""Contests: tournaments that go on by themselves, from the entries to the places."""
