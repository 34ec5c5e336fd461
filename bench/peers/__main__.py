"""`python -m bench.peers`; see `command`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # At the end, so that PYTHONPATH and what is installed go first.
    root = Path(__file__).resolve().parents[2]
    sys.path += [str(root), str(root / "src")]
    from bench.peers.command import main

    sys.exit(main(sys.argv[1:]))
