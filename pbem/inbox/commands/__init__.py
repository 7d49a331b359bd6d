"""Turns the lines of a letter into typed commands. Each subfolder holds one family of verbs."""
