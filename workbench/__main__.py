"""Entry point of `python -m workbench`, the same as the command `rulebook`."""

import sys

from workbench.cli import main

if __name__ == "__main__":
    sys.exit(main())
