"""What the operator of the service does in a shell: set it up, look what is wrong, upgrade it, try its mail."""
