#!/usr/bin/env python
"""The operator's entry point: `python manage.py help` lists what can be done."""

import sys

from pbem.command import run

if __name__ == "__main__":
    run(sys.argv)
