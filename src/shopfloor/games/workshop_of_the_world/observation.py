"""What programs that learn see of a game of Workshop of the World: the fields of the View, in order.

See docs/lab/observations.md. Towns, connections and Town cards are numbers of the edition. Coloured sets are counted
from the viewer's first one on, as seats are.
"""

from __future__ import annotations

from typing import Any, Final

from shopfloor.games.workshop_of_the_world.actions import MOST_BID, make_space
from shopfloor.games.workshop_of_the_world.cards import TYPES, Box
from shopfloor.games.workshop_of_the_world.rules.position import FIST_PAYMENTS, PHASE_NAMES

# What exceeds these is rare and reads as this.
MOST_CASH: Final = MOST_BID
MOST_DEBT: Final = 100
MOST_REVENUE: Final = 99
MOST_COUNTERS: Final = 20
MOST_INCOME: Final = 120
MOST_TURNS: Final = 80
MOST_BANK: Final = 1000
MOST_PIECES: Final = 5  # in a town, of one colour

ERAS: Final = ("canal", "railway")


def declare(o: Any, edition: Box, players: int) -> None:
    """The fields, with a vocabulary `o` that the reader of the declaration brings."""
    towns = len(edition.town_names)
    connections = len(edition.connection_ids)
    cards = len(edition.card_ids)
    types = len(TYPES)
    actions = make_space(edition).size
    sets = o.ring("set", 4 if players == 2 else players)
    o.one_of("phase", PHASE_NAMES, "what is decided")
    o.one_of("era", ERAS, "the Era")
    o.number("round", 0, 10, "the round of the Era")
    o.number("turns", 0, MOST_TURNS, "turns so far")
    o.marks("deciders", "who has still to decide")
    o.number("chosen", 0, actions - 1, "the action id that the viewer has committed unseen", optional=True)
    o.order("order", "the Turn order chart, from first to last", ring=sets)
    o.order("next_order", "the next one, as far as it is settled", ring=sets)
    o.numbers("demand", [MOST_COUNTERS] * types, "counters on the Demand chart, by type")
    o.number("pool_size", 0, 5 * MOST_COUNTERS, "counters in the pool")
    card = o.keyed("cards", cards, "card", "this Town card is face up, taken or not")
    card.flag("blocked", "no Link can be built from its town")
    card.who("taker", "the set that has taken it", ring=sets)
    card.number("price", 0, MOST_CASH, "for how many pounds", optional=True)
    o.number("deck_size", 0, cards, "cards in the Town deck")
    o.number("aside_size", 0, cards, "Set-aside cards")
    o.tally("unseen", cards, 1, "cards face down")
    o.tally("top", cards, 1, "those of them known to be on top")
    o.tally("discard", cards, 1, "cards discarded")
    town = o.each("industries", towns)
    town.around_numbers("", MOST_PIECES, "Industries there, by set", ring=sets)
    o.numbers("blocked", [1] * towns, "for each town: no Link can be built from it")
    connection = o.each("owners", connections)
    connection.who("", "the set whose Links this connection carries", ring=sets)
    o.tally("fresh", connections, 1, "connections built this turn")
    o.one_of("lot", range(cards), "the card that is auctioned")
    o.number("high", 0, MOST_CASH, "the highest bid")
    o.who("high_bidder", "whose it is")
    o.who("initiator", "who began the auction")
    o.row("queue", sets.size, "who bids or places counters next, first to last")
    o.who("active", "the set whose turn it is", ring=sets)
    held = o.record("held", "it holds a card")
    held.one_of("card", range(cards), "which one")
    o.one_of("town", range(towns), "where it has placed")
    o.flag("gambled", "the card was exchanged for a Set-aside card")
    o.number("due", 0, MOST_REVENUE, "Revenue that it will get for the Links of this turn")
    o.number("most", -MOST_DEBT, 2 * MOST_CASH, "pounds that the viewer can pay now", optional=True)
    o.number("bank", 0, MOST_BANK, "option: what a finite cash supply still has", optional=True)
    o.flag("must_bid", "the viewer may not pass")
    o.flag("rebid", "fists are held out again after a tie")
    o.number("must_place", 0, 2, "Demand counters that the viewer has to place")
    seat = o.around("seats")
    seat.number("cash", -MOST_DEBT, MOST_CASH, "pounds, where the viewer may see them", optional=True)
    seat.number("revenue", 0, MOST_REVENUE, "Revenue track")
    seat.numbers("counters", [MOST_COUNTERS] * types, "Demand counters by type, likewise", optional=True)
    seat.number("counter_count", 0, MOST_COUNTERS, "Demand counters")
    seat.number("bid", 0, MOST_CASH, "bid in this auction, 0 if passed", optional=True)
    seat.flag("out", "is not asked in this auction")
    seat.flag("committed", "has chosen unseen")
    seat.number("returned", 0, MOST_BANK, "pounds returned to a finite cash supply")
    seat.number("owed", 0, MOST_BANK, "pounds that it owes")
    colour = o.around("colours", ring=sets)
    colour.number("industries_left", 0, 30, "Industries in the supply")
    colour.number("links_left", 0, 60, "Links in the supply")
    colour.number("links_income", 0, MOST_INCOME, "what its Links would bring now")
    colour.number("industries_income", 0, 3 * MOST_INCOME, "what its Industries would bring now")
    o.flag("auto_raise", "option")
    o.flag("hand_raise", "Revenue may be given up for pounds now")
    o.flag("open_cash", "option")
    o.one_of("fist_payment", FIST_PAYMENTS, "option: who pays a clenched fist")
    o.flag("merged", "option: both sets of a player count together")
    for part in ("id", "kind", "town", "name", "value", "type"):
        card.leave_out(part, "the number says it")
    card.leave_out("place", "`next_order` says it")
    card.leave_out("action", "that is the action mask")
    for part in ("id", "kind", "town", "name", "value", "type", "blocked", "taker", "price", "place", "action"):
        held.leave_out(part, "the number and `cards` say it")
    seat.leave_out("seat", "blocks are counted from the viewer on")
    seat.leave_out("sets", "the number of players says it")
    for part in ("set", "seat"):
        colour.leave_out(part, "blocks are counted from the viewer's first set on")
    for part in ("industries_on_map", "links_on_map", "networks", "longest", "place", "next_place"):
        colour.leave_out(part, "the map and the charts say it")
    for part in ("amounts", "counters", "removals"):
        o.leave_out(part, "that is the action mask")
    for part in ("places", "builds", "prospects"):
        o.leave_out(part, "advice, which follows from the map and the action mask")
    o.leave_out("map", "the edition says it")
    o.leave_out("seat", "the viewer is always the first")
    o.leave_out("players", "the observation is made for one number of players")
    o.leave_out("sets", "the number of players says it")
    o.leave_out("rounds", "the number of players says it")
    o.leave_out("legal", "that is the action mask")
    o.leave_out("load", "`industries` says it")
    o.leave_out("link_price", "the Era says it")
    o.leave_out("criteria", "only once the game is over")
    o.leave_out("ranks", "only once the game is over")
