"""Sentences for Worker Placement, made from ids and facts by the catalogues in `messages`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from shopfloor.engine.events import Event
from shopfloor.engine.refusals import Refusal
from shopfloor.engine.views import View
from shopfloor.games.worker_placement.actions import (
    BID,
    CARD,
    COACH,
    CONSULT,
    CUBE,
    DONE,
    DRAFT,
    FIRST_MANAGEMENT,
    GO,
    GO_NETWORK,
    JOB,
    PASS,
    PAY,
    PLAIN,
    RECALL,
    SKIP,
    SPLITS,
    TARGET,
)
from shopfloor.games.worker_placement.effects import EFFECTS
from shopfloor.games.worker_placement.messages.en import MESSAGES
from shopfloor.games.worker_placement.view import CardView, JobView, WorkerPlacementView


def _say(key: str, **facts: object) -> str:
    return MESSAGES[key].format(**facts)


def listed(parts: Sequence[str]) -> str:
    """One text of several: a, b and c."""
    if not parts:
        return ""
    text = parts[-1]
    for i, part in enumerate(reversed(parts[:-1])):
        text = _say("list.two" if i == 0 else "list.more", a=part, b=text)
    return text


def counted(thing: str, n: int) -> str:
    """A number of things: 1 card, 2 cards."""
    return _say(f"{thing}.one" if n == 1 else thing, n=n)


def skill_name(skill: int) -> str:
    """A skill's name; 4 is the wild one."""
    return MESSAGES[f"skill.{skill}"]


def skills(counts: Iterable[int]) -> str:
    """Counts by skill in words: 2 Tech and 1 Clerical."""
    parts = [_say("counted", n=n, skill=skill_name(skill)) for skill, n in enumerate(counts) if n]
    return listed(parts) or MESSAGES["none"]


def effect(script: Sequence[int]) -> str:
    """What a Management card does, or a card brings at the end, in sentences; empty if it does nothing."""
    sentences = []
    for i in range(0, len(script), 4):
        name = EFFECTS[script[i]].split(" ")[0]
        if EFFECTS[script[i]].startswith("end_cash_per"):
            name = "end_cash_per"
        n = script[i + 1]
        key = f"effect.{name}.one" if n == 1 and f"effect.{name}.one" in MESSAGES else f"effect.{name}"
        sentences.append(_say(key, n=n, g=script[i + 2], k=script[i + 3]))
    return " ".join(sentences)


# -- events -----------------------------------------------------------------------------------------------------------


def _variant(event: Event) -> str:
    """Which wording of an event's kind its facts ask for."""
    facts: dict[str, Any] = event.facts
    kind = event.kind
    if kind in ("cash_changed", "thumbs_changed"):
        kind = f"{kind}.{facts['reason']}"
        return f"{kind}.loss" if facts["amount"] < 0 and f"{kind}.loss" in MESSAGES else kind
    if kind in ("bid_made", "bid_passed") and facts["second"]:
        return f"{kind}.second"
    if kind == "draft_opened" and facts["right"]:
        return f"{kind}.right"
    if kind in ("cards_discarded", "network_discarded") and not facts["names"]:
        return f"{kind}.unseen"
    if kind in ("auction_closed", "jobs_put_under", "hand_shown") and not facts["names"]:
        return f"{kind}.none"
    if kind == "order_set" and any(facts["claims"]):
        return f"{kind}.claimed"
    return kind


def event(event: Event, seats: Sequence[str], viewer: int | None) -> str:
    """What happened, told to `viewer` (None: a spectator); `seats` are the players' names."""
    facts: dict[str, Any] = event.facts
    key = _variant(event)
    words: dict[str, object] = dict(facts)
    if "seat" in facts:
        words["who"] = seats[facts["seat"]]
        if facts["seat"] == viewer and f"{key}.you" in MESSAGES:
            key = f"{key}.you"
    for name in ("victim", "giver"):
        if name in facts:
            words[name] = MESSAGES["you"] if facts[name] == viewer else seats[facts[name]]
    if "skill" in facts:
        words["skill"] = skill_name(facts["skill"])
    if "names" in facts:
        words["names"] = listed(facts["names"])
    if "amount" in facts:
        words["amount"] = abs(facts["amount"])
        words["lot"] = counted("thumbs", abs(facts["amount"]))
    if "count" in facts:
        words["cards"] = counted("cards", facts["count"])
    if event.kind == "order_dealt":
        words["order"] = listed([_say("order.card", who=seats[s], n=n) for s, n in _pairs(facts, "cards")])
    elif event.kind == "order_set":
        words["order"] = listed([_say("order.place", who=seats[s], n=n) for s, n in _pairs(facts, "scores")])
        words["claimants"] = listed([seats[s] for s, claim in _pairs(facts, "claims") if claim])
    elif event.kind == "job_filled":
        words["things"] = _things(facts)
    elif event.kind == "game_ended":
        words["names"] = listed([MESSAGES["you"] if s == viewer else seats[s] for s in facts["winners"]])
        key = f"{key}.you" if viewer in facts["winners"] else key
    elif event.kind == "step_skipped":
        words["effect"] = MESSAGES[f"step.{facts['effect']}"]
    return MESSAGES[key].format(**words)


def _pairs(facts: dict[str, Any], name: str) -> Iterator[tuple[int, int]]:
    return zip(facts["seats"], facts[name], strict=True)


def _things(facts: dict[str, Any]) -> str:
    """What a Job was paid with."""
    parts = [facts["worker_name"], *facts["names"]]
    parts += [_say("cubes.of", n=n, skill=skill_name(skill)) for skill, n in enumerate(facts["cubes"]) if n]
    return listed(parts)


def reward(cash: int, thumbs: int) -> str:
    """What a Job brings: +5 Cash and +1 Thumb."""
    parts = []
    if cash:
        parts.append(_say("reward.cash", n=f"{cash:+d}".replace("-", "−")))
    if thumbs:
        parts.append(_say("reward.thumb" if abs(thumbs) == 1 else "reward.thumbs", n=f"{thumbs:+d}".replace("-", "−")))
    return listed(parts) or MESSAGES["nothing"]


# -- refusals ---------------------------------------------------------------------------------------------------------


def refusal(refusal: Refusal, seats: Sequence[str]) -> str:
    """Why something is not allowed, and what would be."""
    facts: dict[str, Any] = refusal.facts
    code = refusal.code
    key = f"refusal.{code}"
    words: dict[str, object] = dict(facts)
    if code == "NOT_YOUR_DECISION":
        awaited = facts.get("deciders") or []
        key = key if awaited else f"{key}.nobody"
        words["names"] = listed([seats[s] for s in awaited])
    elif code == "WRONG_PHASE":
        key = f"{key}.{facts['phase']}"
    elif code == "MALFORMED":
        words["near"] = listed([str(name) for name in facts.get("near") or []])
        key = f"{key}.near" if words["near"] else f"{key}.here" if refusal.clause else key
    elif code == "BAD_OPTION" and "known" in facts:
        key = f"{key}.unknown"
        words["known"] = ", ".join(facts["known"])
    elif code == "SPACE_OCCUPIED":
        words["who"] = seats[facts["by"]]
    elif code == "CARD_NOT_PLAYABLE":
        key = f"{key}.{facts['why']}"
    elif code == "CARD_NOT_IN_HAND" and "dealt" in facts:
        key = f"{key}.dealt"
    elif code == "JOB_NOT_FACE_UP" and facts["preview"]:
        key = f"{key}.preview"
    elif code == "CANNOT_AFFORD_BID" and facts["owed"]:
        key = f"{key}.second"
    elif code == "CANNOT_AFFORD_PLACEMENT":
        key = f"{key}.reward" if refusal.clause == "WP-A32" else key
        words["meeples"] = counted("meeples", facts["meeples"])
    elif code == "SUPPLY_EMPTY" and facts["skill"] is None:
        key = f"{key}.coach"
    elif code == "NO_CUBE_TO_RETURN" and not facts["cubes"]:
        key = f"{key}.none"
    elif code == "SKILLS_SHORT":
        words["needs"] = skills(facts["needs"])
        words["have"] = skills(facts["have"])
    elif code in ("BAD_OPTION", "BAD_PLAYER_COUNT"):
        words["allowed"] = listed([str(value) for value in facts["allowed"]])
    if facts.get("skill") is not None:
        words["skill"] = skill_name(facts["skill"])
    if key not in MESSAGES:
        key = "refusal"
        words["code"] = code
    return MESSAGES[key].format(**words)


# -- buttons ----------------------------------------------------------------------------------------------------------


def _all_cards(view: WorkerPlacementView) -> Iterator[CardView]:
    """The cards that the viewer sees."""
    yield from view.auction
    yield from view.draft
    for seat in view.seats:
        yield from seat.hand or ()
        yield from seat.known
    yield from view.discards or ()
    if view.playing is not None:
        yield view.playing.card


def card_name(view: WorkerPlacementView, card: int) -> str:
    found = next((c for c in _all_cards(view) if c.card == card), None)
    return found.name if found else _say("card.unseen", n=card)


def _all_jobs(view: WorkerPlacementView) -> Iterator[JobView]:
    yield from view.jobs
    if view.preview is not None:
        yield view.preview
    yield from view.jobs_under
    yield from view.jobs_unseen
    for seat in view.seats:
        yield from seat.filled


def _job(view: WorkerPlacementView, job: int) -> JobView | None:
    return next((j for j in _all_jobs(view) if j.job == job), None)


def action(action: int, state_view: View) -> str:
    """A button's words for an action."""
    assert isinstance(state_view, WorkerPlacementView)
    view = state_view
    if action >= JOB:
        return _job_button(view, action - JOB)
    if action >= CONSULT:
        return _say("action.consult", card=card_name(view, action - CONSULT + FIRST_MANAGEMENT))
    if action >= CARD:
        key = f"action.card.{view.phase}"
        return _say(key if key in MESSAGES else "action.card", card=card_name(view, action - CARD))
    if action >= RECALL:
        return _say("action.recall", building=view.buildings[action - RECALL].name)
    if action >= TARGET:
        return _say("action.target", n=action - TARGET + 1)
    if action >= DRAFT:
        return _draft_button(view, action - DRAFT)
    if action >= CUBE:
        key = f"action.cube.{view.phase}"
        return _say(key if key in MESSAGES else "action.cube", skill=skill_name(action - CUBE))
    if action >= COACH:
        return _say("action.coach", building=view.buildings[4].name, skill=skill_name(action - COACH))
    if action == GO_NETWORK:
        return view.network_name
    if action >= GO:
        building = view.buildings[PLAIN[action - GO]]
        key = f"action.go.{building.building}"
        return _say(f"{key}.cost" if building.cost else key, building=building.name, cost=building.cost)
    if action >= BID:
        return _say("action.bid", n=action - BID + 1, value=view.bid_values[action - BID])
    return _plain_button(view, action)


def _plain_button(view: WorkerPlacementView, action: int) -> str:
    if action == PASS:
        return MESSAGES["action.pass"]
    if action == SKIP:
        return MESSAGES["action.skip"]
    plan = view.plan
    if action == PAY:
        return _say("action.pay", job=plan.job.name if plan and plan.job else "")
    assert action == DONE
    if view.phase == "PAYMENT" and plan and plan.job:
        return _say("action.done.PAYMENT", job=plan.job.name, reward=reward(plan.job.cash, plan.job.thumbs))
    if view.phase == "CASINO" and plan:
        return counted("action.done.CASINO", len(plan.cards))
    if view.phase == "HAND_LIMIT" and plan:
        return counted("action.done.HAND_LIMIT", len(plan.cards))
    if view.phase == "REFRESH_JOBS" and view.playing:
        return counted("action.done.REFRESH_JOBS", len(view.playing.jobs))
    return MESSAGES["action.done"]


def _job_button(view: WorkerPlacementView, job: int) -> str:
    found = _job(view, job)
    if found is None:
        return _say("card.unseen", n=job)
    if view.phase == "REFRESH_JOBS":
        return _say("action.job.REFRESH_JOBS", job=found.name)
    return _say("action.job", job=found.name, reward=reward(found.cash, found.thumbs))


def _draft_button(view: WorkerPlacementView, split: int) -> str:
    names = [card.name for card in view.draft]
    kept, passed, network = [names[i] if i < len(names) else "" for i in SPLITS[split]]
    if not passed:
        return _say("action.draft.one", kept=kept)
    if not network:
        return _say("action.draft.two", kept=kept, passed=passed)
    return _say("action.draft", kept=kept, passed=passed, network=network)


# -- what is asked, options, ranking ----------------------------------------------------------------------------------


def question(view: View, seats: Sequence[str]) -> str:
    """What is asked now: of the viewer if it is their decision, else of whom."""
    assert isinstance(view, WorkerPlacementView)
    key = f"question.{view.phase}"
    if view.phase == "GAME_OVER":
        winners = [r.seat for r in view.ranks if r.place == 1]
        key = f"{key}.you" if view.seat in winners else key
        return _say(key, names=listed([seats[s] for s in winners]))
    words: dict[str, object] = {"names": listed([seats[s] for s in view.deciders]), "n": view.left}
    words["card"] = view.playing.card.name if view.playing else ""
    words["victim"] = seats[view.playing.victim] if view.playing and view.playing.victim is not None else ""
    if view.prices:
        words["value"] = view.prices[0]
    if view.seat is None or view.seat not in view.deciders:
        return _say(key, **words)
    key = f"{key}.you"
    me = view.seats[view.seat]
    plan = view.plan
    if view.phase == "PLACE":
        words["n"] = me.reserve + me.on_track
        key = f"{key}.one" if words["n"] == 1 else key
    elif view.phase == "TARGET" and view.playing:
        key = f"{key}.{view.playing.effect}"
        words["n"] = view.playing.number
    elif plan:
        words["job"] = plan.job.name if plan.job else ""
        words["worker"] = plan.worker.name if plan.worker else ""
        words["cards"] = counted("cards", plan.wanted or 0)
        if view.phase == "PAYMENT":
            words["n"] = plan.missing
            key = key if plan.missing else f"{key}.enough"
    if f"{key}.one" in MESSAGES and words["n"] == 1:
        key = f"{key}.one"
    return _say(key, **words)


def option(option: str) -> tuple[str, str]:
    """An option's title and what it is about."""
    return (MESSAGES[f"option.{option}"], MESSAGES[f"option.{option}.why"])


def option_value(option: str, value: str) -> str:
    """What a value of an option means."""
    return MESSAGES[f"option.{option}.{value}"]


def criterion(criterion: str) -> tuple[str, str]:
    """A ranking criterion's heading, and how it breaks a tie."""
    return (MESSAGES[f"criterion.{criterion}"], MESSAGES[f"criterion.{criterion}.why"])


def criterion_value(criterion: str, value: int) -> str:
    """A value of a criterion as people say it."""
    return _say(f"value.{criterion}", n=value)


def measure(measure: str) -> str:
    """What one of the judgement's `measures` counts."""
    return MESSAGES[f"measure.{measure}"]
