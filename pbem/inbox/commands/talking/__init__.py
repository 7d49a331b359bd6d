"""Messages to opponents, other players and the organiser."""
