"""Two scripted players, who show the whole service at work through real mail."""
