"""Worker Placement: run a temp agency. Send your people out, fill the strangest jobs."""

from pathlib import Path
from typing import Final

from shopfloor.engine.game import Game
from shopfloor.engine.options import Option
from shopfloor.games.worker_placement import actions, cards, events, judgement, rules, text, view, words

GAME: Final = Game(
    id="worker_placement",
    title="Worker Placement",
    blurb="Run a temp agency. Send your people out, fill the strangest jobs.",
    minutes=60,
    rules_version="1",
    player_counts=(2, 3, 4, 5),
    options=(
        Option("rounds", ("5", "8", "12"), "8", "WP-2.7"),
        Option("alternate_draft", ("false", "true"), "false", "WP-6.6"),
        Option("second_bid_order", ("track", "reverse"), "track", "WP-A5"),
        Option("discard_public", ("true", "false"), "true", "WP-A9"),
        Option("casino_min", ("1", "0"), "1", "WP-A12"),
        Option("thumbs_cap", ("none", "20", "30"), "none", "WP-A17"),
        Option("unlimited_cubes", ("false", "true"), "false", "WP-A18"),
        Option("reshuffle", ("on_demand", "at_once"), "on_demand", "WP-A25"),
    ),
    events=events.EVENTS,
    folder=Path(__file__).parent,
    rules=rules,
    viewer=view,
    words=words,
    text=text,
    judgement=judgement,
    load_edition=cards.load,
    make_space=lambda edition: actions.make_space(edition.business_ids, edition.job_ids),
    players_clause="WP-1.2",
    score="cash",
)
