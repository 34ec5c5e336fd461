"""Worker Placement's table as text, for terminals and screen readers that prefer it."""

from __future__ import annotations

from collections.abc import Sequence

from shopfloor.engine.text import TextBoard, TextTable
from shopfloor.engine.views import View
from shopfloor.games.worker_placement.messages.en import MESSAGES
from shopfloor.games.worker_placement.view import CardView, JobView, SeatView, WorkerPlacementView
from shopfloor.games.worker_placement.words import effect, listed


def _say(key: str, **facts: object) -> str:
    return MESSAGES[f"text.{key}"].format(**facts)


def _skills(counts: Sequence[int]) -> str:
    """Skills in short, e.g. T2 C1."""
    parts = [_say("short", letter=MESSAGES[f"text.letter.{skill}"], n=n) for skill, n in enumerate(counts) if n]
    return " ".join(parts) or MESSAGES["text.dash"]


def _card(card: CardView) -> str:
    if card.kind == "management":
        return _say("effect", name=card.name, effect=effect(card.script).rstrip("."))
    return _say("card", name=card.name, skills=_skills(card.skills))


def _cards(cards: Sequence[CardView]) -> str:
    return listed([_card(card) for card in cards]) or MESSAGES["text.dash"]


def _job(job: JobView, name: str) -> tuple[str, ...]:
    short = "" if job.missing is None else str(job.missing) if job.missing else MESSAGES["text.free"]
    return (name, _skills(job.needs), str(job.cash), str(job.thumbs), short)


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(MESSAGES[f"text.column.{name}"] for name in names)


def _jobs(view: WorkerPlacementView) -> TextTable:
    rows = [_job(job, job.name) for job in view.jobs]
    if view.preview is not None:
        rows.append(_job(view.preview, _say("preview", name=view.preview.name)))
    return TextTable(MESSAGES["text.jobs"], _columns("job", "needs", "cash", "thumbs", "short"), tuple(rows))


def _city(view: WorkerPlacementView, seats: Sequence[str]) -> TextTable:
    rows = []
    for building in view.buildings:
        here = [_say("here", name=seats[s], n=n) for s, n in enumerate(building.meeples) if n]
        cost = str(building.cost) if building.cost else MESSAGES["text.free"]
        rows.append((building.name, ", ".join(here), cost))
    return TextTable(MESSAGES["text.city"], _columns("building", "meeples", "cost"), tuple(rows))


def _auction(view: WorkerPlacementView, seats: Sequence[str]) -> TextTable:
    rows = tuple(
        (str(i + 1), str(value), seats[seat] if seat >= 0 else "")
        for i, (value, seat) in enumerate(zip(view.bid_values, view.spaces, strict=True))
    )
    return TextTable(MESSAGES["text.auction"], _columns("space", "bid", "agency"), rows)


def _agency(seat: SeatView, name: str) -> tuple[str, ...]:
    cards = str(seat.hand_count)
    if seat.known:
        cards = _say("known", n=seat.hand_count, cards=listed([card.name for card in seat.known]))
    return (
        name,
        str(seat.cash),
        str(seat.thumbs),
        _skills(seat.cubes),
        cards,
        str(len(seat.filled)),
        str(seat.reserve + seat.on_track),
        MESSAGES["text.sealed"] if seat.committed else "",
    )


def board(view: View, seats: Sequence[str]) -> TextBoard:
    """What the viewer can see, from the Job Centre down to every agency."""
    assert isinstance(view, WorkerPlacementView)
    lines = [MESSAGES["text.letters"], _say("order", names=listed([seats[s] for s in view.order]))]
    counts = {"deck": view.deck, "discards": view.discard_count, "jobs": view.jobs_in_deck}
    lines.append(_say("supply", cubes=_skills(view.supply), **counts))
    if view.auction:
        lines.append(_say("offer", cards=_cards(view.auction)))
    if view.draft and view.passes_to is not None:
        lines.append(_say("draft", cards=_cards(view.draft), name=seats[view.passes_to]))
    if view.seat is not None:
        lines.append(_say("hand", cards=_cards(view.seats[view.seat].hand or ())))
    if view.plan is not None:
        parts = [view.plan.worker.name] if view.plan.worker else []
        parts += [card.name for card in view.plan.cards]
        parts += [_skills(view.plan.cubes)] if any(view.plan.cubes) else []
        if parts:
            lines.append(_say("plan", things=listed(parts)))
    tables = [_jobs(view)]
    tables.append(
        _auction(view, seats) if view.phase in ("BID_FIRST", "BID_SECOND", "AUCTION_PICK") else _city(view, seats)
    )
    rows = tuple(_agency(view.seats[s], seats[s]) for s in view.order)
    columns = _columns("agency", "cash", "thumbs", "cubes", "cards", "filled", "left", "state")
    marked = tuple(i for i, s in enumerate(view.order) if s in view.deciders)
    tables.append(TextTable(MESSAGES["text.agencies"], columns, rows, marked))
    return TextBoard(_say("headline", n=view.round, rounds=view.rounds), tuple(lines), tuple(tables))
