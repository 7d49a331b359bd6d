"""What all pages of the desk are built of: rows that are read, lists, verbs with their reasons, the audit."""
