"""The games. A game is one package here and one line in this list."""

from shopfloor.engine.registry import Registry

REGISTRY = Registry(
    [
        "shopfloor.games.worker_placement",
        "shopfloor.games.workshop_of_the_world",
        "shopfloor.games.zahltag",
        "shopfloor.games.men_at_work",
        "shopfloor.games.temp_worker_assassins",
    ]
)
