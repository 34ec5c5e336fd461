"""Zahltag: bid low, build all, and have few hands on the books come payday."""

from pathlib import Path
from typing import Final

from shopfloor.engine.game import Game
from shopfloor.engine.options import Option
from shopfloor.games.zahltag import actions, cards, events, judgement, rules, text, view, words

SEAT_VALUES: Final = ("0", "1", "2", "3")

GAME: Final = Game(
    id="zahltag",
    title="Zahltag",
    blurb="Bid low, build all, and have few hands on the books come payday.",
    minutes=40,
    rules_version="1",
    player_counts=(2, 3, 4),
    players_clause="ZT-1.6",
    options=(
        Option("setup_adjust", ("block", "round_robin"), "block", "ZT-A1"),
        Option("first_player", ("random", *SEAT_VALUES), "random", "ZT-A3", SEAT_VALUES),
        Option("card_cap", ("prevent", "penalty"), "prevent", "ZT-A12"),
        Option("tie_debt", ("eliminate", "floor"), "eliminate", "ZT-A9"),
    ),
    events=events.EVENTS,
    folder=Path(__file__).parent,
    rules=rules,
    viewer=view,
    words=words,
    text=text,
    judgement=judgement,
    load_edition=cards.load,
    make_space=lambda edition: actions.make_space(edition.offer_values),
    endings="shopfloor.games.zahltag.endings",
    score="money",
)
