"""The office as text, for terminals and screen readers that prefer it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shopfloor.engine.text import TextBoard, TextTable
from shopfloor.engine.views import View
from shopfloor.games.temp_worker_assassins.effects import BONUS, CARD, END_BONUS
from shopfloor.games.temp_worker_assassins.messages.en import MESSAGES
from shopfloor.games.temp_worker_assassins.view import AssassinsView, CardView, SeatView, TargetView
from shopfloor.games.temp_worker_assassins.words import effect, names, phrase


def _say(key: str, **facts: object) -> str:
    return MESSAGES[f"text.{key}"].format(**facts)


def _cards(cards: Iterable[CardView]) -> str:
    """Cards with what they do."""
    parts: dict[str, int] = {}
    for card in cards:
        text = f"{card.name} ({phrase(card.effect, CARD)})"
        parts[text] = parts.get(text, 0) + card.count
    return names(name for name, n in parts.items() for _ in range(n))


def _target(target: TargetView) -> tuple[str, ...]:
    bonus = "; ".join(t for t in (effect(target.bonus, BONUS), effect(target.end_bonus, END_BONUS)) if t)
    return (target.name, str(target.defence), str(target.bounty), bonus or MESSAGES["none"])


def _hand(seat: SeatView) -> str:
    if seat.hand is None and seat.known:
        return _say("hand_known", n=seat.hand_count, list=names(card.name for card in seat.known))
    return str(seat.hand_count)


def _trophies(seat: SeatView) -> str:
    if seat.target_bounty is None or seat.set_bounty is None:
        return str(seat.trophy_count)
    bounty = seat.target_bounty + seat.set_bounty + (seat.card_bounty or 0)
    return _say("trophies_own", n=seat.trophy_count, bounty=bounty)


def _lines(view: AssassinsView, seats: Sequence[str]) -> list[str]:
    lines = []
    attempt = view.attempt
    if attempt is not None:
        played = names(p.card.name for p in attempt.played)
        facts: dict[str, object] = {"name": seats[attempt.seat], "target": attempt.target.name, "list": played}
        lines.append(_say("attempt", **facts, total=attempt.total, defence=attempt.defence))
        if attempt.sure is not None:
            lines.append(_say("sure", n=attempt.sure))
    markers = [m.card.name for m in view.markers if m.state == "open"]
    if markers:
        lines.append(_say("open_markers", list=names(markers)))
    lines.append(_say("supply", list=_cards(view.supply_row), n=view.supply_deck))
    guests = [seats[s.seat] for s in view.seats for _ in range(s.security)]
    lines.append(_say("security", list=names(guests)) if guests else _say("security.none"))
    if view.looked:
        lines.append(_say("looked", list=_cards(view.looked)))
    own = view.seats[view.seat].hand if view.seat is not None else None
    if own is not None:
        lines.append(_say("hand", list=_cards(own)))
    return lines


def board(view: View, seats: Sequence[str]) -> TextBoard:
    """What the viewer can see: targets, Departments, players."""
    assert isinstance(view, AssassinsView)
    column = {name.removeprefix("text.column."): text for name, text in MESSAGES.items() if ".column." in name}
    sure = [n for n, target in zip(view.sure_against, view.targets, strict=True) if target is not None]
    placing = any(n is not None for n in sure)  # the viewer is about to choose, and may as well know
    rows = [_target(target) for target in view.targets if target is not None]
    targets = TextTable(
        _say("targets"),
        tuple(column[name] for name in ("target", "defence", "bounty", "bonus", *(["sure"] if placing else []))),
        tuple((*row, str(n)) if placing else row for row, n in zip(rows, sure, strict=True)),
    )
    rooms = [(d, s) for d in view.departments for s in d.spaces]
    departments = TextTable(
        _say("departments"),
        tuple(column[name] for name in ("department", "space", "effect", "occupant")),
        tuple(
            (d.name, str(s.number), effect(s.effect), MESSAGES["none"] if s.occupant is None else seats[s.occupant])
            for d, s in rooms
        ),
    )
    players = TextTable(
        _say("players"),
        tuple(column[name] for name in ("player", "unplaced", "hand", "deck", "discard", "trophies")),
        tuple(
            (
                seats[s.seat],
                str(s.unplaced),
                _hand(s),
                str(s.deck_count),
                str(sum(card.count for card in s.discard)),
                _trophies(s),
            )
            for s in view.seats
        ),
        view.deciders,
    )
    if view.deciders:
        marker = view.markers[view.day - 1].card.name
        headline = _say("headline", marker=marker, name=seats[view.current_player])
    else:
        headline = _say("headline.over")
    return TextBoard(headline, tuple(_lines(view, seats)), (targets, departments, players))
