"""How strong players are: what a rated match changes when it ends, and what it does not."""
