"""Build the card afresh and compare it with the committed one; started by scripts/test."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = ROOT / "custom_components" / "simverity" / "www" / "simverity-card.js"


def main() -> None:
    """Exit with a sentence if the committed card is not what its source builds."""
    with tempfile.TemporaryDirectory() as folder:
        vite = ROOT / "card" / "node_modules" / ".bin" / "vite"
        built = subprocess.run(
            (vite, "build", "--outDir", folder, "--logLevel", "warn"), cwd=ROOT / "card", env=os.environ, check=False
        )
        if built.returncode:
            sys.exit("the card does not build")
        if (Path(folder) / COMMITTED.name).read_bytes() != COMMITTED.read_bytes():
            sys.exit(f"{COMMITTED.relative_to(ROOT)} is not what card/ builds: run scripts/build-card and commit it")
    print("the committed card is what its source builds")


if __name__ == "__main__":
    main()
