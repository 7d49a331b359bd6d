"""The systems of contests, one module each: who meets whom next, and how all stand. Plain Python, no rows."""
