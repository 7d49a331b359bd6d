"""What is wrong with an installation: settings, and all that they name is asked whether it is there."""
