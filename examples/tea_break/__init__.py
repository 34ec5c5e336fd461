"""Tea Break: a biscuit for the highest card that nobody else has thought of."""

from pathlib import Path
from typing import Final

from examples.tea_break import actions, cards, events, judgement, rules, text, view, words
from shopfloor.engine.game import Game
from shopfloor.engine.options import Option

GAME: Final = Game(
    id="tea_break",
    title="Tea Break",
    blurb="A biscuit for the highest card that nobody else has thought of.",
    minutes=5,
    rules_version="1",
    player_counts=(2, 3, 4, 5),
    options=(Option("leftovers", ("stay", "tin"), "stay", "TB-A1"),),
    events=events.EVENTS,
    folder=Path(__file__).parent,
    rules=rules,
    viewer=view,
    words=words,
    text=text,
    judgement=judgement,
    load_edition=cards.load,
    make_space=lambda edition: actions.SPACE,
)
