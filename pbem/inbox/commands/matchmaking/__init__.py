"""Challenges, invitations and rematches."""
