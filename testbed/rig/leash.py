"""Run a program that ends when its parent ends: ``python leash.py PROGRAM ARGUMENT…``.

A rig that is killed with SIGKILL cannot stop its parts. The kernel can: PR_SET_PDEATHSIG survives the exec.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Ask the kernel for SIGTERM at the parent's death, then become the program."""
    parent = int(sys.argv[1])
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit("the parent ended before the program began")
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - a program without a shell is the point


if __name__ == "__main__":
    main()
