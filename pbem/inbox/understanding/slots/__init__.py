"""Slots: what an utterance names, for the blanks of a command."""
