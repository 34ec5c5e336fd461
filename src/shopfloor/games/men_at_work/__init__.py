"""Men at Work: stack girders and workers with a steady hand; nothing may fall.

The rules are played on outcomes, which the site (`site.py`) measures. It alone needs a library, the physics engine
rapier3d; rules, judge, words and views do without, and where no site is simulated the dice say how steady the hand was
(`chance.py`). The engine comes with the extra `dexterity`, pinned to one version: another one would settle the same
site differently. It is an extra because it is larger than all the rest together, and every other game
is played without it.
"""

from pathlib import Path
from typing import Final

from shopfloor.engine.game import Game
from shopfloor.engine.options import Option
from shopfloor.games.men_at_work import actions, cards, events, judgement, rules, text, view, words

SEATS: Final = ("0", "1", "2", "3", "4")


def _switch(name: str, clause: str, default: str = "off") -> Option:
    return Option(name, ("off", "on"), default, clause)


GAME: Final = Game(
    id="men_at_work",
    title="Men at Work",
    blurb="Stack girders and workers with a steady hand. Nothing may fall.",
    minutes=30,
    rules_version="1",
    player_counts=(2, 3, 4, 5),
    options=(
        _switch("foreman", "MW-13.1"),
        _switch("crane", "MW-14.1"),
        _switch("skyscraper", "MW-15.1"),
        Option("youngest", SEATS, "0", "MW-A.2", SEATS),
        Option("expert", ("none", *SEATS, "all"), "none", "MW-A.1", SEATS, SEATS),
        Option("rita_jitter", ("0", "1", "2", "3"), "0", "MW-A.5"),
        Option("rita_back", ("what", "blank"), "what", "MW-A.6"),
        Option("deck_split", ("24_12", "18_18"), "24_12", "MW-D.6"),
        Option("supply_shortage", ("reveal_next", "halt"), "reveal_next", "MW-A.9"),
        Option("geometry_escape", ("connect_only", "none"), "connect_only", "MW-A.11"),
        Option("surface_contact", ("split", "any"), "split", "MW-A.14"),
        _switch("worker_landing", "MW-A.15", "on"),
        _switch("own_piece_lenient", "MW-A.16"),
        Option("attempt_limit", ("off", "10", "5", "3"), "off", "MW-A.19"),
        Option("stuck_penalty", ("certificate", "none"), "certificate", "MW-A.19"),
        Option("give_up_after", ("3", "off"), "3", "MW-A.60"),
        _switch("upright_required", "MW-A.24"),
        _switch("hat_required", "MW-A.61"),
        Option("push_limit", ("1", "3", "5"), "3", "MW-A.28"),
        Option("cleanup_accident_cost", ("1", "0"), "1", "MW-A.29"),
        Option("cleanup_physics", ("extract", "hook"), "extract", "MW-A.57"),
        Option("collapse_rebuild", ("on", "halt"), "on", "MW-A.58"),
        Option("halt_on", ("girders", "any_kind"), "girders", "MW-A.30"),
        _switch("award_on_tie", "MW-A.32"),
        _switch("halt_includes_out", "MW-A.35"),
        Option("balance", ("sole_support", "sole_contact"), "sole_support", "MW-A.37"),
        _switch("free_order", "MW-A.44"),
        _switch("crane_counts", "MW-A.52"),
        Option("crane_body", ("fixed", "dynamic"), "fixed", "MW-A.52"),
        Option("foreman_per_turn", ("1", "2"), "1", "MW-A.53"),
        Option("foreman_with_worker", ("exempt", "applies"), "exempt", "MW-A.55"),
        Option("tremor", ("none", "light", "expert"), "none", "MW-A.67"),
        Option("build_time", ("off", "120", "60", "30"), "off", "MW-A.68"),
        _switch("rest_preview", "MW-A.69"),
    ),
    events=events.EVENTS,
    folder=Path(__file__).parent,
    rules=rules,
    viewer=view,
    words=words,
    text=text,
    judgement=judgement,
    load_edition=cards.load,
    make_space=lambda edition: actions.make_space(edition.ids),
    players_clause="MW-A.2",
    world="shopfloor.games.men_at_work.world",
    score="total",
)
