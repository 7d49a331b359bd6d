"""Absences, pauses, and time given."""
