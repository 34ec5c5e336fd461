"""A game's actions as small integers: one table gives encoding, names, parsing and masks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

from shopfloor.engine.refusals import IllegalAction, Refusal


class Action:
    """What a player can decide. Each game derives frozen dataclasses from it; `str()` is the name in commands."""

    __slots__ = ()


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


class ActionSpace:
    """All actions of a game with a given edition. The id of an action is its place in the table, 0 to `size` - 1."""

    def __init__(self, actions: Sequence[Action], aliases: Mapping[str, int] | None = None) -> None:
        self.size: int = len(actions)
        self._actions: tuple[Action, ...] = tuple(actions)
        self._ids: dict[Action, int] = {action: i for i, action in enumerate(self._actions)}
        self._names: tuple[str, ...] = tuple(str(action) for action in self._actions)
        self._parse: dict[str, int] = {_plain(name): i for i, name in enumerate(self._names)}
        if len(self._ids) != self.size or len(self._parse) != self.size:
            raise ValueError("two actions of the table are the same or share a name")
        for alias, i in (aliases or {}).items():
            self._parse[_plain(alias)] = i

    def encode(self, action: Action) -> int:
        """The id of an action. Raises IllegalAction (MALFORMED) if the game has no such action."""
        found = self._ids.get(action)
        if found is None:
            raise IllegalAction(Refusal("MALFORMED", "", {"action": str(action)}))
        return found

    def decode(self, action: int) -> Action:
        """The action with this id. Raises IllegalAction (MALFORMED) if there is none."""
        if not 0 <= action < self.size:
            raise IllegalAction(Refusal("MALFORMED", "", {"action": action, "size": self.size}))
        return self._actions[action]

    def name(self, action: int) -> str:
        """The name of an action id, e.g. `bid 5`; `parse` reads it back."""
        return str(self.decode(action))

    def parse(self, text: str) -> int:
        """The id of an action's name; case, brackets and commas do not matter. Raises IllegalAction (MALFORMED)."""
        plain = _plain(text)
        found = self._parse.get(plain)
        if found is None:
            near = difflib.get_close_matches(plain, list(self._parse), n=3, cutoff=0.5)
            raise IllegalAction(Refusal("MALFORMED", "", {"action": text[:80], "near": near}))
        return found

    def mask(self, legal: Iterable[int]) -> bytearray:
        """`size` bytes: 1 for each id in `legal`, else 0 (numpy reads it without copying)."""
        mask = bytearray(self.size)
        for action in legal:
            mask[action] = 1
        return mask
