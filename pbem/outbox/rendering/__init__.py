"""Writes a letter: from a row and its sections to text, pictures and octets."""
