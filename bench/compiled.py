"""Builds the hot modules with mypyc (see setup.py) in a folder of its own, from unchanged sources.

`python -m bench.compiled` makes such a build in .compiled, where there is none of these sources yet, and prints the
folder to put before all others on PYTHONPATH; `python3 check.py --compiled` runs the tests on it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from shopfloor.games import REGISTRY
from tools import bootstrap

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "shopfloor"
CACHE = ROOT / ".compiled"
KEPT = 2  # builds in the cache
LEVEL = "0"  # of optimizing, for tests: they are about what is right, and compiling hard takes minutes


class CannotCompile(Exception):
    """Compiling failed; the message says how."""


def obstacle() -> str:
    """Why nothing can be compiled here, for people; empty if it can."""
    compiler = (sysconfig.get_config_var("CC") or "cl").split()[0]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if shutil.which(compiler) is None:
        return f"there is no C compiler here ({compiler})"
    if not header.exists():
        return f"what a C compiler must know of this Python is not installed ({header}; on Debian: python3-dev)"
    if importlib.util.find_spec("mypyc") is None:
        return "mypy is not installed (pip install '.[bench]')"
    return ""


def can_compile() -> bool:
    """Is there a C compiler here, and what it needs to know of this Python?"""
    return not obstacle()


def build(folder: Path, level: str = "3") -> Path:
    """Copy the sources to `folder` and compile them there. Returns the folder to put on PYTHONPATH.

    level: how hard the C compiler works, "0" to "3". The browser's files are not copied but linked. Games that are not
    on the shelf yet are left out. Takes a minute or more. Raises CannotCompile.
    """
    package = folder / "src" / "shopfloor"
    ignored = shutil.ignore_patterns("__pycache__", "static", "*.so", "*.pyd")
    shutil.copytree(SOURCES, package, ignore=ignored, dirs_exist_ok=True)
    for static in SOURCES.rglob("static"):
        _link(package / static.relative_to(SOURCES), static)
    for game in (package / "games").iterdir():
        if game.is_dir() and game.name not in REGISTRY.ids():
            shutil.rmtree(game)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    said = run_setup(folder, folder / "setup.py", level)
    compiled = sorted(path.name.partition(".")[0] for path in package.rglob("*.so"))
    compiled += sorted(path.name.partition(".")[0] for path in package.rglob("*.pyd"))
    if "rules" not in compiled or "dice" not in compiled:
        raise CannotCompile(f"the C compiler made {compiled or 'nothing'} of it:\n{said[-4000:]}")
    return folder / "src"


def _link(link: Path, target: Path) -> None:
    """Have a folder in another place too; copied, where there are no links."""
    try:
        link.symlink_to(target, target_is_directory=True)
    except OSError:
        shutil.copytree(target, link)


def key() -> str:
    """What a build is made of: the sources, how they are compiled, and with which mypy for which Python."""
    files = [path for path in SOURCES.rglob("*") if path.is_file()]
    files = [path for path in files if not {"static", "__pycache__"} & set(path.relative_to(SOURCES).parts)]
    files += [ROOT / "setup.py", ROOT / "pyproject.toml"]
    made_by = f"{LEVEL} {importlib.metadata.version('mypy')} {sys.version} {sysconfig.get_platform()}"
    return hashlib.sha256(f"{bootstrap.digest(files)} {made_by}".encode()).hexdigest()[:16]


def cached() -> Path:
    """The folder to put on PYTHONPATH of a build of the sources as they are now, made if there is none yet.

    For tests: it is hardly optimized.
    Raises CannotCompile.
    """
    folder = CACHE / key()
    done = folder / "done"
    with bootstrap.one_at_a_time():
        if not done.exists():
            if why := obstacle():
                raise CannotCompile(why)
            shutil.rmtree(folder, ignore_errors=True)
            build(folder, LEVEL)
        done.touch()  # also what was used last
        builds = [path for path in CACHE.iterdir() if (path / "done").exists()]
        builds.sort(key=lambda path: (path / "done").stat().st_mtime, reverse=True)
        for old in set(CACHE.iterdir()) - set(builds[:KEPT]):  # also what was never finished
            shutil.rmtree(old, ignore_errors=True)
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


def build_prototype_in_c(folder: Path) -> Path:
    """Compile the prototype in C. Returns the library. Raises CannotCompile."""
    library = folder / "prototype_zahltag.so"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    source = str(ROOT / "bench" / "prototype_zahltag.c")
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), source]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise CannotCompile(done.stderr[-4000:])
    return library


def run_setup(folder: Path, setup: Path, level: str = "3") -> str:
    done = subprocess.run(
        [sys.executable, str(setup), "-q", "build_ext", "--inplace"],
        cwd=folder,
        env=os.environ | {"SHOPFLOOR_COMPILE": "1", "SHOPFLOOR_COMPILE_LEVEL": level},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:  # with setup.py's optional extensions, a failing compiler is not among the reasons
        raise CannotCompile(done.stdout[-4000:])
    return done.stdout


if __name__ == "__main__":
    try:
        print(cached())
    except CannotCompile as problem:
        sys.exit(f"Nothing was compiled: {problem}")
