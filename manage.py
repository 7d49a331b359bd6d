#!/usr/bin/env python
"""The operator's entry point: `python manage.py help` lists what can be done."""

import os
import sys

from django.core.management import execute_from_command_line
from environs.exceptions import EnvError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")
    try:
        execute_from_command_line(sys.argv)
    except EnvError as mistake:
        sys.exit(str(mistake))
