"""Being away, being here again, and time that players agree on."""
