"""Find Debian's Chromium for the browser tests, or install it where that is allowed."""

import os
import shutil
import subprocess


def find_chromium() -> str | None:
    """Return Chromium on PATH, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def provide_chromium() -> str | None:
    """Return Chromium; as root on a Debian without it, install it first. None where there is none."""
    found = find_chromium()
    apt = shutil.which("apt-get")
    if found or os.geteuid() != 0 or apt is None:
        return found
    print("installing Debian's Chromium", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (("update",), ("install", "--yes", "--no-install-recommends", "chromium")):
        finished = subprocess.run((apt, "-qq", *command), env=environment, capture_output=True, text=True, check=False)
        if finished.returncode:
            print(finished.stderr[-2000:], flush=True)
    return find_chromium()
