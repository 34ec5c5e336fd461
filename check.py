"""Installs what the tests need and runs them all: `python3 check.py [--fast] [--compiled] [what pytest understands]`.

--fast leaves out the tests marked `slow` and `browser`. --compiled runs them on a build with the hot modules compiled,
which is made first where the sources have changed; it needs a C compiler. Anything else is passed on to pytest, so that
`python3 check.py tests/games/zahltag -k payday` runs a few. All of them run in as many processes as there are cores,
at most four (`-n 0` keeps them in one). Linters, types and import contracts are tests too
(tests/test_quality.py). The exit status is pytest's.
"""

import sys

# This file must parse on every Python 3, so that old ones get here and hear what is needed.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Shopfloor needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import os
import subprocess

from tools import bootstrap, chromium, frontend


def main() -> int:
    arguments = sys.argv[1:]
    fast = "--fast" in arguments
    compiled = "--compiled" in arguments
    arguments = [a for a in arguments if a not in ("--fast", "--compiled")]
    if all(a.startswith("-") for a in arguments):
        arguments = ["-n", "auto", "--maxprocesses", "4", "--dist", "loadscope", *arguments]
    if fast:
        arguments = ["-m", "not slow and not browser", *arguments]
    with bootstrap.told_to_people():
        with bootstrap.one_at_a_time():
            bootstrap.install("test")
            frontend.build()
            if not fast:
                os.environ[chromium.VARIABLE] = chromium.find_or_install()
        os.chdir(bootstrap.ROOT)
        if compiled:
            use_compiled_build()
        return bootstrap.hand_over([bootstrap.python(), "-m", "pytest", *arguments])


def use_compiled_build() -> None:
    """Have the tests, and all processes that they start, find a compiled build first. Leaves if there can be none."""
    print("Compiling, where the sources have changed (a minute or two) ...", flush=True)
    made = subprocess.run(
        [bootstrap.python(), "-m", "bench.compiled"], stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    if made.returncode:
        sys.exit(made.returncode)
    folder = made.stdout.strip()
    print(f"The tests run on {folder}", flush=True)
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, str(bootstrap.ROOT)])


if __name__ == "__main__":
    sys.exit(main())
