"""What a robot finds of a match that is over."""
