"""What is frozen crosses to other processes, on both builds."""

import ast
import copy
import importlib
import pickle
from dataclasses import is_dataclass
from pathlib import Path

from shopfloor.bots.nets import Nets
from shopfloor.engine.state import Rank, Standing
from tests.test_quality import ROOT


def hot_modules() -> list[str]:
    """The modules that a compiled build compiles, as setup.py says."""
    setup = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    hot = next(
        node.value for node in setup.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HOT"
    )
    names = [f"shopfloor.{name.removesuffix('.py').replace('/', '.')}" for name in ast.literal_eval(hot)]
    for listed in sorted((ROOT / "src" / "shopfloor").glob("games/*/hot.txt")):
        game = f"shopfloor.games.{listed.parent.name}"
        names += [f"{game}.{name.replace('/', '.')}" for name in listed.read_text(encoding="utf-8").split()]
    return [name.removesuffix(".__init__") for name in names]


def test_what_is_frozen_says_how_it_crosses_to_other_processes() -> None:
    """Compiled, it cannot be filled field by field, which is what `pickle` and `copy` would do."""
    found = []
    for name in hot_modules():
        for kind in vars(importlib.import_module(name)).values():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == name:
                parameters = vars(kind)["__dataclass_params__"]
                if parameters.frozen:
                    found.append(kind)
                    assert "__reduce__" in vars(kind), f"{name}.{kind.__qualname__}"
    assert {Rank, Standing, Nets} <= set(found)


def test_it_is_the_same_there() -> None:
    ranks = (Rank(1, 1, (7, 2)), Rank(0, 2, (3, 2)))
    for one in (ranks[0], Standing(("money", "workers"), ranks), Nets(Path("nets"))):
        assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)
