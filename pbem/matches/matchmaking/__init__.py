"""How two players come together: challenges, open offers, invitations, and who may ask whom."""
