"""The board of a turn letter in the browser: a link shows it, a known browser plays."""
