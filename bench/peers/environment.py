"""What is made once, in a cache folder: the environment in which everything is measured, and our compiled build.

The environment is of the versions in requirements/bench.txt. The pinned peers get on with each other and with us, so
that one does for all; each has its own process.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Final

from tools.bootstrap import ROOT, Problem, digest, run, say

LOCK: Final = ROOT / "requirements" / "bench.txt"


def cache() -> Path:
    """Where a user's programs keep what they can make again."""
    home = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    return Path(home or Path.home() / ".cache") / "shopfloor"


def python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def prepared(folder: Path) -> Path:
    """The Python of an environment that holds the locked versions; made below `folder` if it is not there.

    Takes some minutes and a gigabyte the first time. Raises Problem.
    """
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    environment = folder / f"peers-{version}-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]}"
    python = python_of(environment)
    stamp = environment / "complete"
    if not stamp.exists():
        say(f"Installing the peers into {environment} (once; some minutes) ...")
        run([sys.executable, "-m", "venv", "--clear", str(environment)], "Making a virtual environment")
        options = ["--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes"]
        run([str(python), "-m", "pip", "install", *options, "-r", str(LOCK)], "Installing the peers")
        stamp.touch()
    if not python.exists():
        raise Problem(f"There is no Python in {environment}; delete that folder and try again.")
    return python


def compiled(folder: Path) -> Path:
    """The folder for PYTHONPATH of a compiled build of the sources as they are now; made below `folder` if need be.

    Takes minutes. Raises bench.compiled.CannotCompile.
    """
    from bench.compiled import build

    files = [*(ROOT / "src" / "shopfloor").rglob("*.py"), *(ROOT / "src" / "shopfloor").rglob("hot.txt")]
    key = hashlib.sha256(f"{digest([*files, ROOT / 'setup.py'])} {sys.version}".encode()).hexdigest()
    kept = folder / f"compiled-{key[:12]}"
    if not (kept / "complete").exists():
        say("Compiling Shopfloor (once for these sources; some minutes) ...")
        build(kept)
        (kept / "complete").touch()
    return kept / "src"
