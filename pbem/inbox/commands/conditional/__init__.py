"""What a player answers to what their opponent may play: IF b1-b3 THEN a2-c2, NEXT a2-c2, IFS."""
