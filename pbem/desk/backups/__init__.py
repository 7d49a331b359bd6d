"""Backups: one file with all rows and the files of VAR, and the way back."""
