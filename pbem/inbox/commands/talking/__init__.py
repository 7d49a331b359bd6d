"""What is said to others."""
