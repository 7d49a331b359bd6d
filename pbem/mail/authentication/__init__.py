"""Who is believed: what the sender's domain and our mail server say, and the table that decides."""
