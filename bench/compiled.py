"""Builds the hot modules with mypyc (see setup.py) in a folder of its own, from unchanged sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from shopfloor.games import REGISTRY

ROOT = Path(__file__).resolve().parent.parent


class CannotCompile(Exception):
    """Compiling failed; the message says how."""


def can_compile() -> bool:
    """Is there a C compiler here, and what it needs to know of this Python?"""
    compiler = (sysconfig.get_config_var("CC") or "cl").split()[0]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    return shutil.which(compiler) is not None and header.exists()


def build(folder: Path) -> Path:
    """Copy the sources to `folder` and compile them there. Returns the folder to put on PYTHONPATH.

    Games that are not on the shelf yet are left out. Takes half a minute or so. Raises CannotCompile.
    """
    ignored = shutil.ignore_patterns("__pycache__", "static", "*.so", "*.pyd")
    shutil.copytree(ROOT / "src" / "shopfloor", folder / "src" / "shopfloor", ignore=ignored, dirs_exist_ok=True)
    for game in (folder / "src" / "shopfloor" / "games").iterdir():
        if game.is_dir() and game.name not in REGISTRY.ids():
            shutil.rmtree(game)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    said = run_setup(folder, folder / "setup.py")
    compiled = sorted(path.name.partition(".")[0] for path in (folder / "src" / "shopfloor").rglob("*.so"))
    compiled += sorted(path.name.partition(".")[0] for path in (folder / "src" / "shopfloor").rglob("*.pyd"))
    if "rules" not in compiled or "dice" not in compiled:
        raise CannotCompile(f"the C compiler made {compiled or 'nothing'} of it:\n{said[-4000:]}")
    return folder / "src"


def build_prototype(folder: Path) -> Path:
    """Compile the prototype alone. Returns the folder to put on PYTHONPATH. Raises CannotCompile."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "bench" / "prototype_zahltag.py", folder / "prototype_zahltag.py")
    setup = folder / "setup.py"
    setup.write_text(
        "from mypyc.build import mypycify\nfrom setuptools import setup\n"
        "setup(name='prototype', ext_modules=mypycify(['prototype_zahltag.py'], opt_level='3'))\n",
        encoding="utf-8",
    )
    run_setup(folder, setup)
    return folder


def run_setup(folder: Path, setup: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(setup), "-q", "build_ext", "--inplace"],
        cwd=folder,
        env=os.environ | {"SHOPFLOOR_COMPILE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:  # with setup.py's optional extensions, a failing compiler is not among the reasons
        raise CannotCompile(done.stdout[-4000:])
    return done.stdout
