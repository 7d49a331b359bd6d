"""What games of chess share: the board, the men, how moves are written, and how men look."""
