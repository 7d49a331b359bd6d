"""Matchmaking: challenges, open offers, invitations, and eligibility."""
