"""What all pages of the desk share: read-only pages, lists, buttons with reasons, the audit."""
