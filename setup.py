"""The hook for a compiled build; everything else is in pyproject.toml.

`SHOPFLOOR_COMPILE=1 pip install --no-build-isolation .` compiles the hot modules with mypyc, from the same
source, for speed; it needs the extra `bench` and a C compiler. Without the variable the build is pure Python.
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

# The modules that a game spends its time in, below src/shopfloor; each game names its own in its hot.txt, a line each.
# A class that is compiled here can only have compiled subclasses: a game's list holds all modules of its State, and
# engine/actions.py stays out, since games derive their actions from its class.
HOT = [
    "engine/dice.py",
    "engine/refusals.py",
    "engine/state.py",
    "engine/playout.py",
    "bots/nets.py",
    "bots/search.py",
    "lab/fields.py",
]


def hot_modules() -> list[str]:
    """The files to compile. A game without a list is left out, and cannot be played on a compiled build."""
    package = Path("src/shopfloor")
    files = [package / name for name in HOT]
    for listed in sorted(package.glob("games/*/hot.txt")):
        files += [listed.parent / f"{name}.py" for name in listed.read_text(encoding="utf-8").split()]
    return [str(file) for file in files]


def extensions() -> list[Extension]:
    if os.environ.get("SHOPFLOOR_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    os.environ.setdefault("MYPYPATH", "src")
    # Tests do without the C compiler's optimizing, which takes most of the time.
    built = mypycify(["--strict", *hot_modules()], opt_level=os.environ.get("SHOPFLOOR_COMPILE_LEVEL", "3"))
    for extension in built:
        extension.optional = True  # where there is no C compiler, the pure modules do
        if sys.platform == "linux":
            # Elsewhere it is so anyway: no other library can put functions in the place of ours, and so calls among
            # them are direct, or none at all.
            extension.extra_compile_args += ["-fvisibility=hidden", "-fno-semantic-interposition"]
    return built


setup(ext_modules=extensions())
