"""Cards, Jobs and signs as the template shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from shopfloor.games.worker_placement import effects, words
from shopfloor.games.worker_placement.view import CardView, JobView

ORDINALS: Final = ("", "1st", "2nd", "3rd", "4th", "5th")
DRAWN: Final = frozenset(f"J{n:02}" for n in range(1, 43))
"""The Jobs that have a picture of their own in `symbols.svg`; those of other editions share one."""

Why = Callable[[int], dict[str, str] | None]
"""Why the viewer may not choose an action now: `text` and `clause`; None if they may, or only watch."""


def signed(amount: int) -> str:
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else ""


def one(reason: dict[str, str] | None) -> list[dict[str, str]]:
    return [reason] if reason is not None else []


def icons(counts: Sequence[int]) -> list[int]:
    """One entry, its skill, for every skill of a card."""
    return [skill for skill, n in enumerate(counts) for _ in range(n)]


def job_shown(job: JobView) -> dict[str, Any]:
    return {
        "job": job.job,
        "id": job.id,
        "name": job.name,
        "icons": icons(job.needs),
        "needs": words.skills(job.needs),
        "cash": job.cash,
        "thumbs": job.thumbs,
        "missing": job.missing,
        "able": job.proposal is not None,
        "art": f"job-{job.id}" if job.id in DRAWN else "job-any",
    }


def glyphs(script: Sequence[int]) -> list[tuple[str, str]]:
    """What a card does in signs: pairs of a symbol (or nothing) and a few words."""
    found: list[tuple[str, str]] = []
    for i in range(0, len(script), 4):
        kind, n, g, _ = script[i : i + 4]
        found += {
            effects.GAIN_CASH: [("coin", f"+{n}")],
            effects.GAIN_THUMBS: [("thumb", f"+{n}")],
            effects.STEAL_CASH: [("coin", f"{n}"), ("", "from a rival")],
            effects.LOSE_THUMBS: [("thumb", f"−{n}"), ("", "for a rival")],
            effects.GAIN_CUBES: [("cube", f"+{n}")],
            effects.STEAL_CUBES: [("cube", f"{n}"), ("", "from each")],
            effects.DRAW: [("deck", f"+{n}")],
            effects.STEAL_CARD: [("deck", f"{n}"), ("", "from a rival")],
            effects.REFRESH_JOBS: [("turn", f"{n}"), ("", "Jobs")],
            effects.FILL_PREVIEW: [("", "fills next Job")],
            effects.FREE_PLACEMENT: [("", "then places free")],
            effects.RECALL_MEEPLE: [("meeple-ghost", f"{n}"), ("", "again")],
            effects.CLAIM_ORDER: [("", f"{ORDINALS[n] if n < 6 else n} next round")],
            effects.CASH_PER_JOB: [("coin", f"{g}"), ("", "a Job" if n == 1 else f"for {n} Jobs")],
            effects.END_CASH: [("coin", f"+{n}"), ("", "at the end")],
            effects.END_CASH_PER_THUMBS: [("coin", f"{g}"), ("thumb", f"for {n}")],
            effects.PAY_CASH: [("coin", f"−{n}")],
            effects.PAY_THUMBS: [("thumb", f"−{n}")],
        }[kind]
    return found


def card_shown(card: CardView) -> dict[str, Any]:
    return {
        "card": card.card,
        "id": card.id,
        "name": card.name,
        "kind": card.kind,
        "icons": icons(card.skills),
        "glyphs": glyphs(card.script),
        "effect": words.effect(card.script),
        "skills": words.skills(card.skills) if any(card.skills) else "",
        "at_end": card.at_end,
    }
