"""The pieces of Men at Work and their numbers: every piece of the box has one, the same in every game.

0 - 7 supports, 8 - 35 girders (seven a colour), 36 - 51 workers, 52 - 67 hats, 68 - 79 beams, 80 - 91 bricks.
What is fixed has negative numbers. A worker is touched on one of his parts; all other pieces have one part, 0.
"""

from __future__ import annotations

from typing import Final

COLOURS: Final = ("black", "orange", "purple", "white")
NO_COLOUR: Final = -1

SUPPORT: Final = 0
GIRDER: Final = 1
WORKER: Final = 2
HAT: Final = 3
BEAM: Final = 4
BRICK: Final = 5
KIND_NAMES: Final = ("support", "girder", "worker", "hat", "beam", "brick")
COUNTS: Final = (8, 28, 16, 16, 12, 12)  # MW-1.1 to MW-1.3, MW-1.9, MW-1.10
PER_COLOUR: Final = 7  # MW-D.1

FIRST: Final = tuple(sum(COUNTS[:kind]) for kind in range(6))
PIECES: Final = sum(COUNTS)
KIND: Final = tuple(kind for kind in range(6) for _ in range(COUNTS[kind]))
COLOUR: Final = tuple(
    (piece - FIRST[GIRDER]) // PER_COLOUR if kind == GIRDER else NO_COLOUR for piece, kind in enumerate(KIND)
)
OF_KIND: Final = tuple(range(FIRST[kind], FIRST[kind] + COUNTS[kind]) for kind in range(6))
OF_COLOUR: Final = tuple(
    range(FIRST[GIRDER] + PER_COLOUR * colour, FIRST[GIRDER] + PER_COLOUR * (colour + 1)) for colour in range(4)
)

# Fixed things.
SURFACE: Final = -1
BOX_FLOOR: Final = -2
BOX_EDGE: Final = -3
INSERT: Final = -4
PLATFORM: Final = -5
CRANE: Final = -6
FIXED_NAMES: Final = {
    SURFACE: "playing surface",
    BOX_FLOOR: "box floor",
    BOX_EDGE: "box edge",
    INSERT: "insert",
    PLATFORM: "platform",
    CRANE: "crane",
}

# A worker's parts.
LEG_L: Final = 0
LEG_R: Final = 1
TORSO: Final = 2
ARM_L: Final = 3
ARM_R: Final = 4
HEAD: Final = 5
PART_NAMES: Final = ("leg_L", "leg_R", "torso", "arm_L", "arm_R", "head")
ARMS: Final = (ARM_L, ARM_R)

# How much of a pose is written down: micrometres and ten-millionths. A piece's pose is x, y, z, then the unit
# quaternion w, x, y, z.
LENGTH: Final = 1000
TURN: Final = 10_000_000
POSE: Final = 7


def name(piece: int) -> str:
    """A piece's name in commands and logs, e.g. `orange girder 3`."""
    if piece < 0:
        return FIXED_NAMES[piece]
    kind = KIND[piece]
    if kind == GIRDER:
        colour = COLOUR[piece]
        return f"{COLOURS[colour]} girder {piece - OF_COLOUR[colour][0] + 1}"
    return f"{KIND_NAMES[kind]} {piece - FIRST[kind] + 1}"


NAMES: Final = tuple(name(piece) for piece in range(PIECES))
