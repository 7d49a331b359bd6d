"""The organiser's desk: the Django admin of all apps."""
