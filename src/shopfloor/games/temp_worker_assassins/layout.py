"""Where the actions stand in the table that numbers them (see `actions.py`): what the rules ask at each decision."""

from __future__ import annotations


class Layout:
    """Where in the table the actions of each sort begin: at `first`, and they follow the numbers of `Cards`.

    `gain` and `keep` are for Supply cards only; `swap` for all Targets but the Zombie, whose place is left out.
    """

    __slots__ = (
        "attempt",
        "discard",
        "evict",
        "gain",
        "keep",
        "move_from",
        "move_to",
        "occupy",
        "play",
        "recover",
        "size",
        "swap",
        "trash",
    )

    def __init__(self, first: int, spaces: int, kinds: int, supply: int, targets: int) -> None:
        self.occupy: int = first
        self.attempt: int = self.occupy + spaces
        self.play: int = self.attempt + targets
        self.discard: int = self.play + kinds
        self.trash: int = self.discard + kinds
        self.recover: int = self.trash + kinds
        self.gain: int = self.recover + kinds
        self.keep: int = self.gain + supply
        self.evict: int = self.keep + supply
        self.move_from: int = self.evict + spaces
        self.move_to: int = self.move_from + spaces
        self.swap: int = self.move_to + spaces
        self.size: int = self.swap + targets - 1


def swap_action(layout: Layout, zombie: int, target: int) -> int:
    """The id of swapping a Target that is no Zombie."""
    return layout.swap + (target if target < zombie else target - 1)


def swapped_target(layout: Layout, zombie: int, action: int) -> int:
    """The Target that a swap is about."""
    target = action - layout.swap
    return target if target < zombie else target + 1
