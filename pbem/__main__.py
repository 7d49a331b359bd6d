"""Runs `python -m pbem NAME` as `pbem NAME`."""

from pbem.command import main

main()
