"""Why something is not allowed: a code, the clause that says so, and the facts. Words are made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(init=False)
class Refusal:
    """The first reason why an action, an option or a set-up is not allowed.

    code: one of the codes of the game's specification, e.g. `STACK_EMPTY`.
    clause: the clause of the specification, e.g. `ZT-6.6`; empty where no rule of the game is concerned.
    facts: what a sentence needs: seats, types, counts, money. Only what the refused seat may know.
    """

    code: Final[str]
    clause: Final[str]
    facts: Final[dict[str, object]]

    # Written out: what `dataclass` makes is never compiled, and whoever asks what is legal may be refused often.
    def __init__(self, code: str, clause: str = "", facts: dict[str, object] | None = None) -> None:
        self.code = code
        self.clause = clause
        self.facts = {} if facts is None else facts


class Refused(Exception):
    """Something was refused; nothing has changed. `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        facts = ", ".join(f"{k}={v}" for k, v in refusal.facts.items())
        clause = f"({refusal.clause})" if refusal.clause else ""
        super().__init__(" ".join(part for part in (refusal.code, clause, facts) if part))
        self.refusal = refusal


class IllegalAction(Refused):
    """A seat tried what it may not do now. The state is as it was."""


class BadSetup(Refused):
    """A game cannot be set up like that: player count, option or edition."""
