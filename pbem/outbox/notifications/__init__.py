"""What players, observers and strangers are told: kinds of letters, who gets them, and when."""
