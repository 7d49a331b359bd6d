"""Strangers and guests: signing up, invitations and their answers, and no more letters."""
