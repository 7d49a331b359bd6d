"""Renders letters: text, HTML, pictures and MIME."""
