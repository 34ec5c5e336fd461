"""Temp Worker Assassins: monsters run the office, and you are armed with stationery."""

from pathlib import Path
from typing import Final

from shopfloor.engine.game import Game
from shopfloor.engine.options import Option
from shopfloor.games.temp_worker_assassins import (
    actions,
    cards,
    departments,
    events,
    judgement,
    rules,
    text,
    view,
    words,
)

SEAT_VALUES: Final = ("0", "1", "2", "3")
NO_YES: Final = ("no", "yes")


def _pickable(players: int) -> tuple[str, ...]:
    return tuple(cards.own().department_ids[i] for i in departments.pickable(cards.own(), players))


COUNTS: Final = (2, 3, 4)
PICKS: Final = tuple(dict.fromkeys(pick for n in COUNTS for pick in _pickable(n)))


GAME: Final = Game(
    id="temp_worker_assassins",
    title="Temp Worker Assassins",
    blurb="Monsters run the office. You are armed with stationery.",
    minutes=45,
    rules_version="1",
    player_counts=COUNTS,
    players_clause="TA-1.4",
    options=(
        Option(
            "departments",
            ("recommended", "random"),
            "recommended",
            "TA-A34",
            picks=PICKS,
            wanted=lambda players, options: departments.open_places(players, options["no_trashing"] == "yes"),
            closed=tuple((n, pick) for n in COUNTS for pick in PICKS if pick not in _pickable(n)),
        ),
        Option("no_trashing", NO_YES, "no", "TA-9.1"),
        Option("quick_mode", NO_YES, "no", "TA-9.2"),
        Option("hard_mode", NO_YES, "no", "TA-9.3"),
        Option("starting_player", ("random", *SEAT_VALUES), "random", "TA-A17", SEAT_VALUES),
        Option("quick_scope", ("last", "day"), "last", "TA-A19"),
        Option("zombie_refill", ("stack", "target_deck"), "stack", "TA-A5"),
        Option("strict_draw", ("yes", "no"), "yes", "TA-A12"),
        Option("may_stop_early", NO_YES, "no", "TA-A9"),
        Option("open_trophies", NO_YES, "no", "TA-A24"),
        Option("tie_break", ("shared", "fewest_targets"), "shared", "TA-A25"),
    ),
    events=events.EVENTS,
    folder=Path(__file__).parent,
    rules=rules,
    viewer=view,
    words=words,
    text=text,
    judgement=judgement,
    load_edition=cards.load,
    make_space=actions.make_space,
    score="bounty",
)
