"""A finished game's analysis in words and pictures: what the page and the JSON say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from shopfloor.bots.analysis import Analysis, Judged, Slip
from shopfloor.bots.sayings import percent
from shopfloor.engine import records
from shopfloor.tables.model import Table
from shopfloor.web import schemas
from shopfloor.web.story import seat_names

WIDE: Final = 720
HIGH: Final = 260
LEFT: Final = 44
TOP: Final = 12
BOTTOM: Final = 26


def info(table: Table, found: Analysis, record: str) -> schemas.AnalysisInfo:
    """An analysis as data, with sentences in the words of the game. record: the table's record."""
    told = records.load(record)
    steps = list(records.replay(told, table.game))
    numbers = table.decision_numbers()
    names = seat_names(table.seats)
    words, space = table.game.words, table.space()

    def happened(decision: int) -> list[str]:
        return [words.event(event, names, None) for event in steps[decision].events if event.concerns(None)]

    def said(seat: int, decision: int, action: int) -> str:
        return words.action(action, table.game.view(steps[decision - 1].state, seat))

    def decided(decision: int) -> list[str]:
        """What was decided, where nobody else heard of it."""
        made = steps[decision].decision
        return [f"{names[made[0]]}: “{said(made[0], decision, made[1])}”."] if made is not None else []

    def costly(one: Judged) -> schemas.CostlyInfo:
        played, better = said(one.seat, one.decision, one.action), said(one.seat, one.decision, one.better)
        sentence = (
            f"{names[one.seat]}: “{played}”. “{better}” would have been better: it gave away "
            f"{percent(one.cost)} of the victory ({percent(one.low)} to {percent(one.high)})."
        )
        return schemas.CostlyInfo(
            decision=one.decision,
            number=numbers[one.decision - 1],
            seat=one.seat,
            action=one.action,
            action_name=space.name(one.action),
            better=one.better,
            better_name=space.name(one.better),
            cost=one.cost,
            low=one.low,
            high=one.high,
            worlds=one.worlds,
            sentence=sentence,
        )

    def slipped(one: Slip) -> schemas.SlipInfo:
        told_ = " ".join(happened(one.decision)) or f"{names[one.seat]}: “{said(one.seat, one.decision, one.action)}”."
        return schemas.SlipInfo(
            decision=one.decision,
            number=numbers[one.decision - 1],
            seat=one.seat,
            action=one.action,
            action_name=space.name(one.action),
            before=one.before,
            after=one.after,
            sentence=(
                f"{told_} The chances of {names[one.seat]} fell from {percent(one.before)} to {percent(one.after)}."
            ),
        )

    chances = {moment.decisions: moment.chances for moment in found.moments}
    order = sorted(chances)
    before = dict(zip(order[1:], order, strict=False))
    turning = []
    for decision in found.turning:
        was, now = chances[before[decision]], chances[decision]
        sentences = [s for n in range(before[decision] + 1, decision + 1) for s in happened(n) or decided(n)]
        changes = [round(b - a, 6) for a, b in zip(was, now, strict=True)]
        turning.append(schemas.TurningInfo(decision, numbers[decision - 1], changes, sentences))
    return schemas.AnalysisInfo(
        decisions=found.decisions,
        numbers=list(numbers),
        moments=[schemas.MomentInfo(m.decisions, [round(c, 6) for c in m.chances]) for m in found.moments],
        turning=turning,
        costly=[costly(one) for one in found.costly],
        accounts=[
            schemas.AccountInfo(
                a.seat, a.start, a.own, a.own_low, a.own_high, a.others, a.luck, a.result, a.judged, a.hand
            )
            for a in found.accounts
        ],
        seconds=found.seconds,
        by_hand=found.by_hand,
        slips=[slipped(one) for one in found.slips],
    )


def curve(found: schemas.AnalysisInfo, colours: Sequence[int], names: Sequence[str], at: int) -> Markup:
    """The chances over time, a line a player. at: the decision that is looked at."""
    last = max(1, found.decisions)

    def x(decision: int) -> float:
        return LEFT + (WIDE - LEFT - 8) * decision / last

    def y(chance: float) -> float:
        return TOP + (HIGH - TOP - BOTTOM) * (1.0 - chance)

    ends = [f"{name} {percent(c)}" for name, c in zip(names, found.moments[0].chances, strict=True)]
    parts = [Markup('<svg class="curve" viewBox="0 0 {} {}" role="img" aria-labelledby="curve-t">').format(WIDE, HIGH)]
    title = f"Chances of victory over {found.decisions} decisions. At the start: {', '.join(ends)}."
    parts.append(Markup('<title id="curve-t">{}</title>').format(title))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            Markup('<path class="grid" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(
                LEFT, y(share), WIDE - 8, LEFT - 6, y(share) + 4, f"{100 * share:.0f} %"
            )
        )
    for turn in found.turning:
        parts.append(Markup('<path class="turn" d="M{0:.1f} {1}V{2}"/>').format(x(turn.decision), TOP, HIGH - BOTTOM))
    for seat, colour in enumerate(colours):
        line = []
        for i, moment in enumerate(found.moments):
            step = f"H{x(moment.decisions):.1f}V{y(moment.chances[seat]):.1f}"
            line.append(step if i else f"M{x(moment.decisions):.1f} {y(moment.chances[seat]):.1f}")
        parts.append(Markup('<path class="line p{} s{}" d="{}"/>').format(colour + 1, seat % 5, "".join(line)))
    parts.append(Markup('<path class="at" d="M{0:.1f} {1}V{2}"/>').format(x(at), TOP, HIGH - BOTTOM))
    parts.append(
        Markup(
            '<text x="{}" y="{}">start</text><text x="{}" y="{}" text-anchor="end">{} decisions</text></svg>'
        ).format(LEFT, HIGH - 8, WIDE - 8, HIGH - 8, found.decisions)
    )
    return Markup("").join(parts)
