"""What the template of the building site needs, made from a View, the players' names and the events so far.

Pure functions: nothing here knows a server, a table or HTML, but for the drawings, which are SVG text of ours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from shopfloor.engine.events import Event
from shopfloor.engine.ranking import tie_sentences
from shopfloor.games.men_at_work import actions as a
from shopfloor.games.men_at_work import words
from shopfloor.games.men_at_work.cards import GIRDER_HOW, PRESETS
from shopfloor.games.men_at_work.page import drawn
from shopfloor.games.men_at_work.page.choices import Choices
from shopfloor.games.men_at_work.page.short import CLAUSES, HOW, PLURAL, SIGNS
from shopfloor.games.men_at_work.pieces import COLOURS, KIND_NAMES
from shopfloor.games.men_at_work.view import CardView, FindingView, MenAtWorkView, SeatView

HOUSE: Final = "oxide"
"""The ink of the box."""

SUPERSEDED: Final[dict[str, str]] = {}
"""Lines of the log that say nothing any more once another kind has followed."""

OVER: Final = "GAME_OVER"
MOST: Final = 3
"""Safety certificates that a player begins with at most."""

Why = Callable[[int], dict[str, str] | None]
"""Why the viewer may not choose an action now: `text` and `clause`; None if they may, or only watch."""


def context(view: MenAtWorkView, names: Sequence[str], events: Sequence[Event], why: Why) -> dict[str, Any]:
    """Everything that `table.html` shows. `names`: the seats' names, the viewer's own being "You"."""
    me = view.seats[view.seat] if view.seat is not None else None
    mine = view.seat is not None and view.seat in view.deciders
    choices = Choices(view, why, mine)
    placed = _placed(view)
    skyscraper = "skyscraper" in view.variants
    last = _last_accident(events, names, view)
    return {
        "phases": _phases(view),
        "what": _what(view.what, view.what_colours),
        "how": _how(view.how),
        "other_how": _how(view.girder_how if view.what == "helmet" else view.worker_how),
        "ask": _ask(view, mine),
        "choices": choices,
        "designs": choices.designs(),
        "cranes": choices.cranes(),
        "colours": choices.colours(),
        "cards": choices.cards(me),
        "go_on": choices.one(a.GO_ON),
        "steps": choices.steps(),
        "buttons": choices.buttons(),
        "clean": choices.clean_up(),
        "rest": choices.rest(),
        "verdict": _verdict(view),
        "accident": last,
        "corner": drawn.corner(placed, skyscraper, view.crane, _label(view)),
        "plan": drawn.plan(placed, skyscraper, view.crane),
        "places": _places(view),
        "scene": _scene(view, names, mine),
        "supply": _supply(view),
        "rita": _rita(view),
        "rail": [_rail(view, s, names, mine) for s in _by_turn(view)],
        "turns": _turns(events, names),
        "me": me,
        "wait_why": _one(why(a.FINISH)) if me is not None and not mine and view.phase != OVER else [],
        "ranking": _ranking(view, names),
        "sentences": tie_sentences(view.ranks, names, lambda c: words.criterion(c)[1]),
        "winners": [names[r.seat] for r in view.ranks if r.place == 1],
        "title": _title(view, mine),
        "variants": [words.option(name)[0] for name in view.variants],
        "signs": SIGNS,
    }


def summary(view: MenAtWorkView) -> str:
    """Where the game stands, for lists of tables."""
    return f"Turn {view.turn}" if view.turn else "Before the first turn"


def chapter(event: Event, names: Sequence[str]) -> str:
    """The heading of the log that begins with this event, or nothing."""
    if event.kind == "hook_passed":
        facts: dict[str, Any] = event.facts
        return f"{names[facts['seat']]} {'have' if names[facts['seat']] == 'You' else 'has'} the hook"
    return ""


# -- cards ------------------------------------------------------------------------------------------------------------


def _phases(view: MenAtWorkView) -> list[tuple[str, str]]:
    if view.phase == OVER:
        return []
    if view.phase in ("SITE_DESIGN", "CRANE_STANDING"):
        steps = ["Lay out the site", *(["Crane"] if "crane" in view.variants else []), "Turn 1"]
        now = 1 if view.phase == "CRANE_STANDING" else 0
    else:
        steps = ["Clean up", "Card", "Build"]
        now = {"CLEANUP": 0, "CHOOSE": 1, "BUILD": 2}[view.phase]
    return [(step, "now" if i == now else "done" if i < now else "") for i, step in enumerate(steps)]


def _what(kind: str, shown: Sequence[str]) -> dict[str, Any] | None:
    if not kind:
        return None
    return {"kind": kind, "colours": list(shown), "text": words.colours(kind, shown)}


def _how(name: str) -> dict[str, Any] | None:
    if not name:
        return None
    return {
        "name": name,
        "title": HOW[name],
        "text": words.instruction(name),
        "clause": CLAUSES[name],
        "girder": name in GIRDER_HOW,
    }


def face(card: CardView) -> dict[str, Any]:
    """Both sides of a Foreman's card."""
    return {
        "card": card.card,
        "id": card.id,
        "what": _what("helmet" if card.worker else "girder", card.colours),
        "girder": _how(card.girder_how),
        "worker": _how(card.worker_how),
    }


def _rita(view: MenAtWorkView) -> dict[str, Any]:
    low_high = view.rita_above
    if view.rita_active:
        text = f"Boss Rita is watching. {view.awards_left} awards are left."
    elif not low_high:
        text = "Boss Rita has not come yet."
    elif low_high[0] == low_high[1]:
        text = f"Boss Rita comes below {low_high[0]} more cards." if low_high[0] else "Boss Rita comes next."
    else:
        text = f"Boss Rita comes below {low_high[0]} to {low_high[1]} more cards."
    return {"here": view.rita_active, "text": text, "top": view.rita_on_top}


# -- the site ---------------------------------------------------------------------------------------------------------


def _placed(view: MenAtWorkView) -> drawn.Placed:
    return tuple((p.piece, (*p.position, *p.rotation), p.fresh) for p in view.site if p.position)


def _label(view: MenAtWorkView) -> str:
    standing = [p for p in view.site if p.position and p.kind != "hat"]
    top = round(max((p.top for p in standing), default=0) / 1000)
    return f"The building site, {len(standing)} pieces, {top} mm high"


def _places(view: MenAtWorkView) -> list[dict[str, Any]]:
    """The site in words and numbers, from the top down."""
    found = []
    for p in sorted(view.site, key=lambda p: (-p.top, p.piece)):
        if p.kind == "hat" and not p.loose:
            continue
        found.append(
            {
                "piece": p.piece,
                "name": words.piece(p.piece),
                "ink": drawn.ink(p.piece),
                "top": round(p.top / 1000) if p.position else None,
                "x": round(p.position[0] / 1000) if p.position else None,
                "y": round(p.position[1] / 1000) if p.position else None,
                "on": words.pieces(p.carried_by),
                "fresh": p.fresh,
                "dead": p.dead,
            }
        )
    return found


def _scene(view: MenAtWorkView, names: Sequence[str], mine: bool) -> str:
    """What the scene draws until the site itself speaks: JSON for an attribute."""
    unit = [
        [p.piece, *(round(v / 1000, 3) for v in p.position), *(round(v / 1e7, 7) for v in p.rotation)]
        for p in view.site
        if p.position
    ]
    grips = sorted({piece for step in view.steps for piece in step.grips})
    value = {
        "seat": view.seat,
        "phase": view.phase,
        "hook": view.hook,
        "mine": mine,
        "pieces": unit,
        "dead": [p.piece for p in view.site if p.dead],
        "steps": [list(step.pieces) for step in view.steps],
        "step": view.step,
        "grips": grips,
        "findings": [{"code": f.code, "met": f.met, "pieces": list(f.pieces)} for f in _findings(view)],
        "placed": sorted({piece for step in view.steps for piece in step.placed}),
        "names": list(names),
        "fixed": drawn.fixed("skyscraper" in view.variants, view.crane),
        "sample": _sample(view, mine),
        "duties": [*view.retrieve, *view.supports],
    }
    return json.dumps(value, separators=(",", ":"))


def _sample(view: MenAtWorkView, mine: bool) -> list[list[float]]:
    """Pieces with their poses, to begin a starting site of one's own with; made of what is there."""
    if not mine or view.phase != "SITE_DESIGN":
        return []
    prefix = "skyscraper_" if "skyscraper" in view.variants else "crane_" if "crane" in view.variants else ""
    there = {p.piece for p in view.site}
    return [
        [piece, *(round(v / 1000, 3) for v in numbers[:3]), *(round(v / 1e7, 7) for v in numbers[3:])]
        for piece, numbers, _ in drawn.preset(f"{prefix}beginner")
        if piece not in there
    ]


def _supply(view: MenAtWorkView) -> list[dict[str, Any]]:
    girders = [{"ink": f"g-{c}", "name": f"{c} girders", "n": n} for c, n in zip(COLOURS, view.girders, strict=True)]
    others = [
        {"ink": f"k-{kind}", "name": PLURAL[kind], "n": view.supply[k]}
        for k, kind in enumerate(KIND_NAMES)
        if kind not in ("girder", "hat")
    ]
    return girders + others


# -- the judge --------------------------------------------------------------------------------------------------------


def _findings(view: MenAtWorkView) -> tuple[FindingView, ...]:
    return view.possible if view.phase == "BUILD" else view.findings


def _verdict(view: MenAtWorkView) -> dict[str, Any]:
    """What is met and what is not, with the pieces concerned. settled: it is the judge's last word, not an opinion."""
    found = _findings(view)
    begun = any(step.placed for step in view.steps)
    lines = [
        {
            "code": f.code,
            "met": f.met,
            "text": words.finding(f.code, f.met, f.pieces).split(": ", 1)[-1],
            "pieces": list(f.pieces),
        }
        for f in sorted(found, key=lambda f: f.met)
    ]
    return {
        "lines": lines,
        "open": sum(not f.met for f in found),
        "begun": begun,
        "settled": view.phase != "BUILD" or (bool(view.tries) and found == view.findings),
    }


def _last_accident(events: Sequence[Event], names: Sequence[str], view: MenAtWorkView) -> dict[str, Any] | None:
    """The accident that ended the turn before this one, while it is the latest thing of its kind to tell."""
    if view.phase == OVER:
        return None
    for event in reversed(events):
        facts: dict[str, Any] = event.facts
        if event.kind in ("built", "cleaned", "colour_chosen", "given_up", "site_designed"):
            return None
        if event.kind == "accident":
            told = words.event(event, names, view.seat).removeprefix("Accident! ")
            return {"piece": facts["piece"], "on": facts["on"], "how": facts["how"], "words": told}
    return None


# -- people -----------------------------------------------------------------------------------------------------------


def _by_turn(view: MenAtWorkView) -> list[SeatView]:
    """The viewer's own seat first, then clockwise; for spectators from seat 1."""
    first = view.seat or 0
    return [view.seats[(first + k) % view.players] for k in range(view.players)]


def _rail(view: MenAtWorkView, s: SeatView, names: Sequence[str], mine: bool) -> dict[str, Any]:
    if view.phase == OVER:
        status = next(("Won" if r.place == 1 else f"Place {r.place}" for r in view.ranks if r.seat == s.seat), "")
    elif not s.in_game:
        status = "Out of the game"
    elif s.hook:
        doing = {"CLEANUP": "Cleaning up", "CHOOSE": "Reads the card", "BUILD": "Building"}
        status = doing.get(view.phase, "Lays out the site")
    else:
        status = "Youngest" if s.seat == view.youngest else ""
    return {
        "seat": s.seat,
        "name": names[s.seat],
        "me": s.seat == view.seat,
        "now": s.hook and view.phase != OVER,
        "waits": s.hook and view.phase != OVER and s.seat != view.seat,
        "in": s.in_game,
        "certificates": s.certificates,
        "gone": max(0, MOST - s.certificates),
        "awards": s.awards,
        "goal": view.award_goal,
        "cards": s.card_count if "foreman" in view.variants else None,
        "status": status,
    }


def _ranking(view: MenAtWorkView, names: Sequence[str]) -> list[dict[str, Any]]:
    seats = {s.seat: s for s in view.seats}
    return [
        {
            "place": r.place,
            "seat": r.seat,
            "name": names[r.seat],
            "me": r.seat == view.seat,
            "certificates": seats[r.seat].certificates,
            "values": [
                {
                    "head": words.criterion(c)[0],
                    "text": words.criterion_value(c, value),
                    "decided": r.decided_by == c,
                }
                for c, value in zip(view.criteria, r.values, strict=True)
            ],
        }
        for r in view.ranks
    ]


def _turns(events: Sequence[Event], names: Sequence[str]) -> dict[str, int]:
    """How the turns ended, counted."""
    kinds = [event.kind for event in events]
    return {kind: kinds.count(kind) for kind in ("built", "accident", "given_up", "award_given", "collapsed")}


def _ask(view: MenAtWorkView, mine: bool) -> str:
    return view.phase.lower() if mine else "wait" if view.phase != OVER else "over"


def _title(view: MenAtWorkView, mine: bool) -> str:
    if view.phase == OVER:
        return "The end"
    if not mine:
        return "Watch"
    titles = {
        "SITE_DESIGN": "Lay out",
        "CRANE_STANDING": "Crane",
        "CHOOSE": "Your card",
        "BUILD": "Steady now",
        "CLEANUP": "Clean up",
    }
    return titles[view.phase]


def _one(reason: dict[str, str] | None) -> list[dict[str, str]]:
    return [reason] if reason is not None else []


__all__ = ["HOUSE", "PRESETS", "SUPERSEDED", "chapter", "context", "face", "summary"]
