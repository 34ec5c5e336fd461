"""What a player can decide in Men at Work, and the table that numbers it.

0 - 3      lay out the starting site: beginner, advanced, expert, or a design of one's own
4 - 6      stand the crane: in the middle, on the bottom of the box, on its edge
7 - 10     take a girder of a colour            11 - 14    take a worker for a glove of a colour
15 - 86    Foreman: play card 0 - 35 on the deck, then on the discard pile
87         Foreman: go on without playing a card
88 - 179   take a piece in hand                 180        let go
181        go on to the next piece              182        finish          183        give up
184 - 275  take a fallen piece away             276 - 303  push a girder back into the site
304 - 319  a fallen support: back to the supply, or left as it lies
320        the clean-up is done

What lies between taking a piece and letting it go is no decision but the hand's way; the outcome of letting go tells
the rules where everything is then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shopfloor.engine.actions import Action, ActionSpace
from shopfloor.engine.refusals import IllegalAction, Refusal
from shopfloor.games.men_at_work.cards import CARDS, PRESETS
from shopfloor.games.men_at_work.pieces import COLOURS, FIRST, GIRDER, NAMES, OF_KIND, PIECES, SUPPORT

DESIGN: Final = 0
DESIGN_FREE: Final = 3
STAND_CRANE: Final = 4
CRANE_PLACES: Final = ("middle", "bottom", "edge")
CHOOSE_GIRDER: Final = 7
CHOOSE_GLOVE: Final = 11
PLAY_ON_DECK: Final = 15
PLAY_ON_DISCARD: Final = 51
GO_ON: Final = 87
GRIP: Final = 88
RELEASE: Final = 180
NEXT_PIECE: Final = 181
FINISH: Final = 182
GIVE_UP: Final = 183
RETRIEVE: Final = 184
PUSH_BACK: Final = 276
RETURN_SUPPORT: Final = 304
LEAVE_SUPPORT: Final = 312
CLEAN_DONE: Final = 320
SIZE: Final = 321


@dataclass(frozen=True)
class DesignSite(Action):
    """`plan`: beginner, advanced, expert, or free, which needs an outcome with the poses."""

    plan: str

    def __str__(self) -> str:
        return f"design {self.plan}"


@dataclass(frozen=True)
class StandCrane(Action):
    place: str

    def __str__(self) -> str:
        return f"crane {self.place}"


@dataclass(frozen=True)
class ChooseGirder(Action):
    """`colour`: a place in COLOURS."""

    colour: int

    def __str__(self) -> str:
        return f"girder {COLOURS[self.colour]}"


@dataclass(frozen=True)
class ChooseGlove(Action):
    """An intention only: on which of the card's colours the worker ends is seen when he stands."""

    colour: int

    def __str__(self) -> str:
        return f"glove {COLOURS[self.colour]}"


@dataclass(frozen=True)
class PlayCard(Action):
    """A Foreman's card, by its id in the edition."""

    card: str
    on_deck: bool

    def __str__(self) -> str:
        return f"card {self.card} on {'deck' if self.on_deck else 'discard'}"


@dataclass(frozen=True)
class GoOn(Action):
    def __str__(self) -> str:
        return "go on"


@dataclass(frozen=True)
class Grip(Action):
    """Take a piece in hand, with what it carries."""

    piece: int

    def __str__(self) -> str:
        return f"grip {NAMES[self.piece]}"


@dataclass(frozen=True)
class Release(Action):
    def __str__(self) -> str:
        return "release"


@dataclass(frozen=True)
class NextPiece(Action):
    def __str__(self) -> str:
        return "next piece"


@dataclass(frozen=True)
class Finish(Action):
    def __str__(self) -> str:
        return "finish"


@dataclass(frozen=True)
class GiveUp(Action):
    def __str__(self) -> str:
        return "give up"


@dataclass(frozen=True)
class Retrieve(Action):
    piece: int

    def __str__(self) -> str:
        return f"retrieve {NAMES[self.piece]}"


@dataclass(frozen=True)
class PushBack(Action):
    girder: int

    def __str__(self) -> str:
        return f"push back {NAMES[self.girder]}"


@dataclass(frozen=True)
class Support(Action):
    """A fallen support: `back` to the supply, or left as it lies."""

    piece: int
    back: bool

    def __str__(self) -> str:
        return f"{NAMES[self.piece]} {'return' if self.back else 'leave'}"


@dataclass(frozen=True)
class CleanDone(Action):
    def __str__(self) -> str:
        return "clean done"


class SiteSpace(ActionSpace):
    """The table, which knows a piece that the box does not hold from a word that is no action."""

    def parse(self, text: str) -> int:
        pattern = r"\W*(?:grip|retrieve|push\W+back)\W+((?:[a-z]+\W+){1,2})(\d{1,6})\W*"
        named = re.fullmatch(pattern, text[:120].replace("_", " "), re.IGNORECASE | re.ASCII)
        if named:
            piece = " ".join([*re.findall(r"[a-z]+", named[1].lower()), named[2]])
            if piece not in NAMES and any(known.startswith(piece.rstrip("0123456789")) for known in NAMES):
                raise IllegalAction(Refusal("UNKNOWN_PIECE", "MW-6.2", {"piece": piece}))
        return ActionSpace.parse(self, text)


@lru_cache(maxsize=16)
def make_space(card_ids: tuple[str, ...]) -> SiteSpace:
    """The table for an edition with these instruction cards (36, in order)."""
    actions: list[Action] = [DesignSite(preset) for preset in PRESETS]
    actions += [DesignSite("free")]
    actions += [StandCrane(place) for place in CRANE_PLACES]
    actions += [ChooseGirder(colour) for colour in range(4)]
    actions += [ChooseGlove(colour) for colour in range(4)]
    actions += [PlayCard(card, True) for card in card_ids[:CARDS]]
    actions += [PlayCard(card, False) for card in card_ids[:CARDS]]
    actions += [GoOn()]
    actions += [Grip(piece) for piece in range(PIECES)]
    actions += [Release(), NextPiece(), Finish(), GiveUp()]
    actions += [Retrieve(piece) for piece in range(PIECES)]
    actions += [PushBack(piece) for piece in OF_KIND[GIRDER]]
    actions += [Support(piece, True) for piece in OF_KIND[SUPPORT]]
    actions += [Support(piece, False) for piece in OF_KIND[SUPPORT]]
    actions += [CleanDone()]
    assert len(actions) == SIZE
    assert PUSH_BACK - FIRST[GIRDER] + FIRST[GIRDER + 1] == RETURN_SUPPORT
    return SiteSpace(actions)
