"""The hook for a compiled build; everything else is in pyproject.toml.

`SHOPFLOOR_COMPILE=1 pip install --no-build-isolation .` compiles the hot modules with mypyc, from the same
source, for speed; it needs the extra `bench` and a C compiler. Without the variable the build is pure Python.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

# The modules that a game spends its time in, as patterns below src/shopfloor. A class that is compiled here can only
# have compiled subclasses, so engine/actions.py stays out: games derive their actions from its class.
HOT = [
    "engine/dice.py",
    "engine/state.py",
    "games/*/rules.py",
    "bots/search.py",
]


def extensions() -> list[Extension]:
    if os.environ.get("SHOPFLOOR_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    os.environ.setdefault("MYPYPATH", "src")
    files = sorted({str(file) for pattern in HOT for file in Path("src/shopfloor").glob(pattern)})
    built = mypycify(["--strict", *files], opt_level="3")
    for extension in built:
        extension.optional = True  # where there is no C compiler, the pure modules do
    return built


setup(ext_modules=extensions())
