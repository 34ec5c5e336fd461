"""The rules of Workshop of the World (docs/rules/workshop_of_the_world.md), one module a group of phases.

Clauses are cited where code is not the clause itself. `Workshop` is the game's state.
"""

from shopfloor.games.workshop_of_the_world.rules.collecting import CRITERIA
from shopfloor.games.workshop_of_the_world.rules.position import PHASE_NAMES
from shopfloor.games.workshop_of_the_world.rules.workshop import Workshop, decode, start

__all__ = ["CRITERIA", "PHASE_NAMES", "Workshop", "decode", "start"]
