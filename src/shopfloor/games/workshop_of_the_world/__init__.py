"""Workshop of the World: canals, then railways, between the mills and ports of Britain."""

from pathlib import Path
from typing import Final

from shopfloor.engine.game import Game
from shopfloor.engine.options import Option
from shopfloor.games.workshop_of_the_world import actions, cards, events, judgement, rules, text, view, words

TWO: Final = (2,)

GAME: Final = Game(
    id="workshop_of_the_world",
    title="Workshop of the World",
    blurb="Canals, then railways, between the mills and ports of Britain.",
    minutes=75,
    rules_version="1",
    player_counts=(2, 3, 4, 5),
    players_clause="WW-1.10",
    options=(
        Option("auto_raise", ("on", "off"), "on", "WW-A.8"),
        Option("hand_raise", ("on", "off"), "on", "WW-A.9"),
        Option("broke_rule", ("waive", "debt"), "waive", "WW-A.12"),
        Option("removal", ("any", "opponents_first"), "any", "WW-A.18"),
        Option("industry_shortage", ("relocate", "skip"), "relocate", "WW-A.21"),
        Option("regamble", ("off", "on"), "off", "WW-A.25"),
        Option("revenue_timing", ("end_of_turn", "per_link"), "end_of_turn", "WW-A.32"),
        Option("crossing", ("literal", "no_junction"), "literal", "WW-A.39"),
        Option("cash_visible", ("off", "on"), "off", "WW-A.46"),
        Option("finite_bank", ("off", "300", "500", "700"), "off", "WW-A.47"),
        Option("two_player_faceup", ("4", "2"), "4", "WW-A.50", counts=TWO),
        Option("fist_payment", ("winner_plus_min", "both", "winner_only"), "winner_plus_min", "WW-A.52", counts=TWO),
        Option("fist_tie", ("draw", "rebid_then_draw", "last_loser"), "draw", "WW-A.53", counts=TWO),
        Option("two_player_sets", ("separate", "merged"), "separate", "WW-A.56", counts=TWO),
        Option("demand1_two", ("simultaneous", "random_order"), "simultaneous", "WW-A.57", counts=TWO),
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
    score="cash",
)
