"""Many matches under one name: who meets whom, how they begin, and how everybody stands."""
