"""The browser's files: built by Vite from frontend/ into src/shopfloor/web/static/build."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tools.bootstrap import BIN, ROOT, Problem, digest, install, program, run, say

SOURCE = ROOT / "frontend"
GAMES = ROOT / "src" / "shopfloor" / "games"
BUILD = ROOT / "src" / "shopfloor" / "web" / "static" / "build"
MODULES = SOURCE / "node_modules"


def build() -> None:
    """Build the browser's files if their sources changed since the last time. Raises Problem."""
    install_modules()
    key = digest(_sources())
    stamp = BUILD / ".stamp"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key and (BUILD / "manifest.json").exists():
        return
    say("Building the browser's files ...")
    npm("Building the browser's files", "run", "build")
    stamp.write_text(key, encoding="utf-8")


def install_modules() -> None:
    """Install what the build needs into frontend/node_modules if its lock changed. Raises Problem."""
    key = digest([SOURCE / "package.json", SOURCE / "package-lock.json"])
    stamp = MODULES / ".stamp"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return
    say("Installing what the browser's files are built with (once) ...")
    npm("Installing what the browser's files are built with", "ci")
    stamp.write_text(key, encoding="utf-8")


def npm(what: str, *arguments: str) -> None:
    """Run npm in frontend/; gets Node.js from the Python registry if the machine has none that will do."""
    command, env = npm_command()
    run([command, *arguments], what, cwd=SOURCE, env=env)


def _sources() -> Iterator[Path]:
    for file in SOURCE.rglob("*"):
        if MODULES not in file.parents and file.is_file():
            yield file
    for kind in ("css", "ts"):
        yield from GAMES.glob(f"*/page/*.{kind}")


def npm_command() -> tuple[str, dict[str, str]]:
    """npm's path, and the environment in which it and the programs that it starts find their Node.js."""
    env = dict(os.environ)
    npm_path = shutil.which("npm")
    if npm_path and _will_do(shutil.which("node")):
        return npm_path, env
    if not _will_do(program("node")):
        say("No Node.js 20.19 or newer found; taking it from the Python registry.")
    install("node")
    if not _will_do(program("node")):
        raise Problem("Node.js from the Python registry does not run here.\nInstall Node.js 22 or newer.")
    env["PATH"] = f"{BIN}{os.pathsep}{env.get('PATH', '')}"
    return program("npm"), env


def _will_do(node: str | None) -> bool:
    """Is this a Node.js that Vite runs on: 20.19 and on, or 22.12 and on?"""
    if node is None or not Path(node).exists():
        return False
    try:
        done = subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=False)
    except OSError:
        return False
    match = re.match(r"v(\d+)\.(\d+)", done.stdout)
    if not match:
        return False
    version = int(match[1]), int(match[2])
    return (20, 19) <= version < (21, 0) or version >= (22, 12)
