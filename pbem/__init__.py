"""PBeM: correspondence matches of abstract games, played by answering letters with pictures."""
