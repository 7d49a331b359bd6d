"""Backups: one archive with all rows and the files of VAR, its restore, and moves to another database."""
