"""`python -m probative.cli` is `probative`."""

from probative.cli import main

main()
