"""Opens Shopfloor in the browser: `python3 play.py`.

Installs what is needed into the folder .venv here, builds the browser's files, and starts the server. What is
written after `play.py` is passed on to `shopfloor serve`. Nothing is installed outside this folder.
"""

import sys

# This file must parse on every Python 3, so that old ones get here and hear what is needed.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Shopfloor needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

from tools import bootstrap, frontend


def main() -> int:
    with bootstrap.told_to_people():
        with bootstrap.one_at_a_time():
            bootstrap.install("run")
            frontend.build()
        return bootstrap.hand_over([bootstrap.program("shopfloor"), "serve", "--open", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
