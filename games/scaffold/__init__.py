"""Templates of a new game: `newgame`, a small one that works, its `tests`, and the `package` files."""
