"""Open offers: made, listed, taken, withdrawn."""
