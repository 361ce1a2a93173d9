"""`python -m probative` is `probative`."""

from probative.cli import main

main()
