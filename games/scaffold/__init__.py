"""What a new game begins with: `newgame`, a small one that works, its `tests`, and what makes a `package` of it."""
