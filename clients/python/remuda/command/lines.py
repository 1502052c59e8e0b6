"""The output of the commands, in GLB's form."""

import sys
import time
from typing import IO

BANNER = r"""
   ____ _     ____         ____ ____  _   _           __  __           _
  / ___| |   | __ )   _   / ___|  _ \| | | |         |  \/  | __ _ ___| |_ ___ _ __
 | |  _| |   |  _ \  (_) | |  _| |_) | | | |  _____  | |\/| |/ _` / __| __/ _ \ '__|
 | |_| | |___| |_) |  _  | |_| |  __/| |_| | |_____| | |  | | (_| \__ \ ||  __/ |
  \____|_____|____/  (_)  \____|_|    \___/          |_|  |_|\__,_|___/\__\___|_|
"""


def say(message: str) -> None:
    """Prints to stderr; stdout is for the commands that are run."""
    print(f"remuda: {message}", file=sys.stderr, flush=True)


def log(message: str, to: IO[str], level: str = "INFO") -> None:
    """Prints a line of GLB's log: ``[11/21/26 20:16:35] INFO     Managing GPUs {0, 1}``."""
    print(time.strftime("[%m/%d/%y %H:%M:%S]"), f"{level:<8}", message, file=to, flush=True)
