"""``grn-start``: another name of ``glb-start``."""

import sys

from remuda.command.glb_start import main

if __name__ == "__main__":
    sys.exit(main())
