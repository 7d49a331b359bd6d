"""What the commands of a letter do: the work on one letter, and what its handlers share."""
