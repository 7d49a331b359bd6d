"""Incoming mail: keeps, authenticates, interprets and carries out letters."""
