"""What programs that learn see of a game of Temp Worker Assassins: the fields of the View, in order.

See docs/lab/observations.md. Cards, Targets, Departments and action spaces are numbers of the edition; the steps of
effects are told apart by their texts.
"""

from __future__ import annotations

from typing import Any, Final

from shopfloor.games.temp_worker_assassins.cards import DAYS, SPACES, STARTING_CARDS, SUPPLY_CARDS, TARGETS, Cards
from shopfloor.games.temp_worker_assassins.position import ASK_NAMES, FACE_UP, PHASE_NAMES, ROW

# What exceeds these is rare and reads as this.
MOST_ATTACK: Final = 40
MOST_BOUNTY: Final = 60
MOST_HAND: Final = 30
MOST_PICKS: Final = 12
MOST_LASTING: Final = 6
MOST_ASSASSINS: Final = 6

OWN_CARDS: Final = STARTING_CARDS + SUPPLY_CARDS + DAYS
STATES: Final = ("below", "open", "won")


def declare(o: Any, edition: Cards, players: int) -> None:
    """The fields, with a vocabulary `o` that the reader of the declaration brings."""
    kinds = len(edition.ids)
    targets = len(edition.target_ids)
    spaces = len(edition.space_effects)
    steps = tuple(dict.fromkeys(edition.code_texts))
    lasting = tuple(dict.fromkeys(edition.lasting_texts))
    o.one_of("phase", PHASE_NAMES, "what is decided")
    o.one_of("ask", ASK_NAMES, "what is asked")
    o.one_of("effect", ("", *(step for step in steps if step)), "the step that asks")
    o.places("options", steps, "the options of a choice, in order")
    o.number("picks_left", 0, MOST_PICKS, "picks still to come in this step")
    o.number("day", 0, DAYS, "the day")
    o.who("current_player", "whose turn it is")
    o.who("starting_player", "who has the Starting Player Marker")
    o.who("marker_claim", "who gets it tomorrow by an effect")
    o.marks("deciders", "who has to decide")
    o.one_of("here", range(spaces), "the space whose instruction is followed")
    o.one_of("moving", range(spaces), "the space that a relocated assassin is leaving")
    o.tally("looked", kinds, ROW * 2, "cards of the viewer's Research", key="card")
    o.number("looked_count", 0, ROW * 2, "how many lie before whoever researches")
    target = o.slots("targets", FACE_UP + 1, "a Target is face up in this place")
    target.one_of("target", range(targets), "which one")
    target.number("defence", 0, MOST_ATTACK, "its defence")
    sure = o.each("sure_against", FACE_UP + 1)
    sure.number("", 0, MOST_ATTACK, "attack that the viewer's hand surely reaches against it", optional=True)
    o.number("zombie_stack", 0, TARGETS, "Zombies in their stack")
    o.number("target_deck", 0, TARGETS, "Targets in the deck")
    under = o.slots("target_under", TARGETS, "a Target lies openly under the deck, the upper ones first")
    under.one_of("target", range(targets), "which one")
    department = o.keyed("departments", len(edition.department_ids), "department", "this Department is in play")
    space = department.keyed("spaces", SPACES, "number", "it has this space", first=1)
    space.who("occupant", "whose assassin stands there")
    space.length("lasting", MOST_LASTING, "lasting effects in force there")
    marker = o.each("markers", DAYS)
    marker.one_of("state", STATES, "the Turn Marker of this day")
    marker.who("winner", "who has won it")
    o.tally("supply_row", kinds, ROW, "the Supply Row", key="card")
    o.number("supply_deck", 0, SUPPLY_CARDS, "cards in the Supply Deck")
    o.tally("supply_discard", kinds, OWN_CARDS, "the Supply's discard pile", key="card", count="count")
    o.tally("supply_unseen", kinds, OWN_CARDS, "Supply cards that the viewer has not seen", key="card", count="count")
    o.tally("trashed", kinds, OWN_CARDS, "cards out of the game", key="card", count="count")
    attempt = o.record("attempt", "an attempt is under way")
    attempt.who("seat", "who attempts")
    attempt.one_of("place", range(FACE_UP + 1), "the Target's place")
    attempt.number("total", 0, MOST_ATTACK, "attack so far")
    attempt.number("lasting", 0, MOST_ATTACK, "attack from lasting effects")
    attempt.tally("played", kinds, STARTING_CARDS, "cards played", key="card.card")
    attempt.number("sure", 0, MOST_ATTACK, "the total that the viewer's hand surely reaches", optional=True)
    attempt.numbers("new_hand", [MOST_PICKS] * 2, "cards drawn after a success, and after a failure")
    seat = o.around("seats")
    seat.number("unplaced", 0, MOST_ASSASSINS, "assassins to be placed")
    seat.number("security", 0, MOST_ASSASSINS, "assassins in Security")
    seat.number("skipped", 0, MOST_ASSASSINS, "assassins skipped")
    seat.number("hand_count", 0, MOST_HAND, "cards in hand")
    seat.tally(
        "hand", kinds, STARTING_CARDS, "the hand: the viewer's, and all once it is over", key="card", optional=True
    )
    seat.tally("known", kinds, STARTING_CARDS, "cards that everybody knows to be in the hand", key="card")
    seat.number("deck_count", 0, OWN_CARDS, "cards in the deck")
    seat.tally("deck", kinds, STARTING_CARDS, "the deck, likewise", key="card", count="count", optional=True)
    seat.tally("discard", kinds, STARTING_CARDS, "the discard pile", key="card", count="count")
    seat.number("trophy_count", 0, TARGETS, "trophies")
    seat.tally(
        "trophies", targets, TARGETS, "trophies by Target, where the viewer may see them", key="target", optional=True
    )
    seat.number("target_bounty", 0, MOST_BOUNTY, "bounty of the trophies, likewise", optional=True)
    seat.number("set_bounty", 0, MOST_BOUNTY, "bounty of sets, likewise", optional=True)
    seat.number("card_bounty", 0, MOST_BOUNTY, "bounty of cards, likewise", optional=True)
    seat.places("lasting", lasting, "lasting effects in force for this seat")
    seat.flag("attempted", "has attempted today")
    o.flag("quick_mode", "option")
    o.flag("quick_day", "this day ends quickly")
    o.flag("may_stop_early", "option")
    o.flag("strict_draw", "option")
    o.flag("open_trophies", "option")
    seat.leave_out("seat", "blocks are counted from the viewer on")
    for part in ("id", "name", "bounty", "bonus", "end_bonus", "zombie"):
        target.leave_out(part, "the number says it")
    for part in ("id", "name", "defence", "bounty", "bonus", "end_bonus", "zombie"):
        under.leave_out(part, "the number says it")
    for part in ("id", "name", "group", "security"):
        department.leave_out(part, "the number says it")
    space.leave_out("space", "the Department and the number say it")
    space.leave_out("effect", "the Department and the number say it")
    marker.leave_out("day", "its place says it")
    marker.leave_out("card", "the day says it")
    attempt.leave_out("target", "`targets` says it")
    attempt.leave_out("defence", "`targets` says it")
    o.leave_out("edition", "an observation is made for one edition")
    o.leave_out("seat", "the viewer is always the first")
    o.leave_out("players", "the observation is made for one number of players")
    o.leave_out("legal", "that is the action mask")
    o.leave_out("criteria", "only once the game is over")
    o.leave_out("ranks", "only once the game is over")
