"""The operator's commands: set the service up, diagnose, upgrade and back it up, test its mail."""
