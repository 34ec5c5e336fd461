"""The games. A game is one package here and one line in this list."""

from shopfloor.engine.registry import Registry

REGISTRY = Registry(
    [
        "shopfloor.games.zahltag",
    ]
)
