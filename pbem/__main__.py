"""`python -m pbem NAME` is `pbem NAME`."""

from pbem.command import main

main()
