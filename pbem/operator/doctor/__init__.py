"""Diagnoses an installation: its settings, and every server and file that they name."""
