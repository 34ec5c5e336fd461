"""Workshop of the World once more: slow, plain, and written as the rulebook tells it, from the top to the end.

A second opinion for the fast rules, with which it shares the map and the names of actions and nothing else: the whole
game is one generator that asks for decisions where they come up, so there are no phases to come back to. It draws from
the dice at the same moments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations_with_replacement

import networkx as nx  # type: ignore[import-untyped, unused-ignore]

from shopfloor.engine.dice import Dice
from shopfloor.games.workshop_of_the_world.cards import SETUP, TYPES, Box

COLOURS = ("red", "blue", "yellow", "green", "plum")
Decision = Generator[None, tuple[int, str], str]
Story = Generator[None, tuple[int, str], None]


@dataclass(eq=False)
class Town:
    name: str
    kind: str
    value: int
    industries: list[Colour] = field(default_factory=list)


@dataclass(eq=False)
class Connection:
    name: str
    towns: tuple[Town, Town]
    links: int
    crosses: str | None
    built_by: Colour | None = None


@dataclass(frozen=True)
class Card:
    name: str
    number: int
    town: str | None
    value: int


@dataclass(eq=False)
class Player:
    seat: int
    cash: int
    revenue: int = 0
    counters: Counter[str] = field(default_factory=Counter)
    returned: int = 0
    owed: int = 0

    @property
    def wealth(self) -> int:
        return self.cash + self.returned - self.owed


@dataclass(eq=False)
class Colour:
    number: int
    player: Player
    industries: int
    links: int

    @property
    def name(self) -> str:
        return COLOURS[self.number]


class SlowWorkshop:
    """A game. `waiting` holds, for each seat that must decide, the names of its choices; `decide` plays one."""

    def __init__(self, players: int, dice: Dice, options: Mapping[str, str], box: Box) -> None:
        self.dice = dice
        self.options = options
        self.two = players == 2
        self.towns = {
            name: Town(name, TYPES[kind], value)
            for name, kind, value in zip(box.town_names, box.town_types, box.town_values, strict=True)
        }
        towns = list(self.towns.values())
        names = [f"{towns[a].name}-{towns[b].name}" for a, b in zip(box.ends_a, box.ends_b, strict=True)]
        self.connections = [
            Connection(
                names[c],
                (towns[box.ends_a[c]], towns[box.ends_b[c]]),
                box.capacity[c],
                names[box.crosses[c]] if box.crosses[c] >= 0 else None,
            )
            for c in range(len(names))
        ]
        self.cards = []
        for k, town in enumerate(box.card_towns):
            shown = box.town_names[town] if town >= 0 else f"wild {box.card_values[k]}"
            where = box.town_names[town] if town >= 0 else None
            self.cards.append(Card(f"{box.card_ids[k]} {shown}", k, where, box.card_values[k]))
        self.set_up_cards = [card for card in self.cards if box.card_kinds[card.number] == SETUP]
        self.players = [Player(seat, 100 if self.two else 50) for seat in range(players)]
        self.colours = []
        for number in range(4 if self.two else players):
            player = self.players[number // 2 if self.two else number]
            markers = 1 if self.two and number % 2 else 2
            self.colours.append(Colour(number, player, box.industries - markers, box.links))
        self.pool = Counter({TYPES[t]: n for t, n in enumerate(box.demand)})
        self.demand: Counter[str] = Counter()
        self.era = "canal"
        self.chart: list[Colour] = []
        self.faces: list[Card] = []
        self.bank = 0
        if options["finite_bank"] != "off":
            self.bank = int(options["finite_bank"]) - sum(player.cash for player in self.players)
        self.last_loser: Player | None = None
        self.over = False
        self.set_aside = 0
        self.waiting: dict[int, list[str]] = {}
        self.story = self.game()
        next(self.story)

    def decide(self, seat: int, choice: str) -> None:
        assert choice in self.waiting[seat]
        try:
            self.story.send((seat, choice))
        except StopIteration:
            self.waiting = {}
            self.over = True

    # -- asking ---------------------------------------------------------------------------------------------------

    def raises(self, player: Player) -> list[str]:
        if self.options["hand_raise"] == "off" and self.options["auto_raise"] == "on":
            return []
        return [f"raise {pounds}" for pounds in range(1, player.revenue // 2 + 1)]

    def raise_cash(self, player: Player, pounds: int) -> None:
        player.cash += pounds
        player.revenue -= 2 * pounds
        self.bank -= pounds

    def ask(self, player: Player, choices: Callable[[], list[str]]) -> Decision:
        """One decision of one player, who may raise cash before it."""
        while True:
            self.waiting = {player.seat: choices() + self.raises(player)}
            _, choice = yield
            if not choice.startswith("raise"):
                return choice
            self.raise_cash(player, int(choice.split()[1]))

    def ask_both(self, choices: Callable[[Player], list[str]]) -> Generator[None, tuple[int, str], list[str]]:
        """A decision of both players at once, unseen."""
        chosen: dict[int, str] = {}
        while True:
            open_seats = [player for player in self.players if player.seat not in chosen]
            if not open_seats:
                return [chosen[0], chosen[1]]
            self.waiting = {player.seat: choices(player) + self.raises(player) for player in open_seats}
            seat, choice = yield
            if choice.startswith("raise"):
                self.raise_cash(self.players[seat], int(choice.split()[1]))
            else:
                chosen[seat] = choice

    # -- money ----------------------------------------------------------------------------------------------------

    def ceiling(self, player: Player) -> int:
        return player.cash + (player.revenue // 2 if self.options["auto_raise"] == "on" else 0)

    def penniless(self, player: Player) -> bool:
        return player.cash + player.revenue // 2 < 1

    def pay(self, player: Player, price: int) -> None:
        while player.cash < price and player.revenue >= 2:
            self.raise_cash(player, 1)
        if player.cash < price and self.options["broke_rule"] == "waive":
            price = player.cash
        player.cash -= price
        self.bank += price

    def receive(self, player: Player, amount: int) -> None:
        if self.options["finite_bank"] != "off" and self.era == "railway":
            while self.bank < amount and any(other.cash > 0 for other in self.players):
                for other in self.players:
                    given = min(50, max(other.cash, 0))
                    other.cash -= given
                    self.bank += given
                    other.returned += 50
                    other.owed += 50 - given
        player.cash += amount
        self.bank -= amount

    # -- the game -------------------------------------------------------------------------------------------------

    def game(self) -> Story:
        number = len(self.players)
        if not self.two:
            self.chart = self.colours[:]
            for i in range(number - 1, 0, -1):
                j = self.dice.below(i + 1)
                self.chart[i], self.chart[j] = self.chart[j], self.chart[i]
        self.top = self.set_up_cards[:]
        self.hidden = [card for card in self.cards if card not in self.top]
        yield from self.create_demand_1()
        yield from self.rounds()
        yield from self.create_more_demand()
        self.collect()
        self.era = "railway"
        self.top, self.hidden = [], self.cards[:]
        self.draw_counters(self.in_turn_order())
        for player in self.in_turn_order():
            if player.counters.total():
                choice = yield from self.ask(player, partial(self.placings, player, forced=True))
                self.put(player, choice)
        yield from self.rounds()
        yield from self.create_more_demand()
        self.collect()

    def in_turn_order(self) -> list[Player]:
        return [self.players[seat] for seat in dict.fromkeys(colour.player.seat for colour in self.chart)]

    # -- demand ---------------------------------------------------------------------------------------------------

    def draw_counters(self, order: list[Player]) -> None:
        for _ in range(4 if self.two else 2):
            for player in order:
                counters = [kind for kind in TYPES for _ in range(self.pool[kind])]
                if counters:
                    kind = counters[self.dice.below(len(counters))]
                    self.pool[kind] -= 1
                    player.counters[kind] += 1

    def placings(self, player: Player, forced: bool) -> list[str]:
        most = 2 if self.two else 1
        sizes = [min(most, player.counters.total())] if forced else range(most + 1)
        found = []
        for size in sizes:
            for kinds in combinations_with_replacement(TYPES, size):
                if Counter(kinds) <= player.counters:
                    found.append(f"counter {' '.join(kinds)}" if kinds else "keep")
        return found

    def put(self, player: Player, choice: str) -> None:
        for kind in choice.split()[1:]:
            player.counters[kind] -= 1
            self.demand[kind] += 1

    def create_demand_1(self) -> Story:
        order = self.in_turn_order()
        together = self.two and self.options["demand1_two"] == "simultaneous"
        if self.two:
            order = self.players[:]
            if not together and self.dice.below(2):
                order.reverse()
        self.draw_counters(order)
        if together:
            choices = yield from self.ask_both(lambda player: self.placings(player, forced=True))
            for player, choice in zip(self.players, choices, strict=True):
                self.put(player, choice)
            return
        for player in order:
            if player.counters.total():
                choice = yield from self.ask(player, partial(self.placings, player, forced=True))
                self.put(player, choice)

    def create_more_demand(self) -> Story:
        for player in self.in_turn_order():
            if player.counters.total():
                choice = yield from self.ask(player, partial(self.placings, player, forced=False))
                self.put(player, choice)

    # -- rounds ---------------------------------------------------------------------------------------------------

    def turn_up(self, number: int) -> None:
        for _ in range(number):
            if self.top:
                self.faces.append(self.top.pop(self.dice.below(len(self.top))))
            else:
                self.faces.append(self.unknown_card())

    def unknown_card(self) -> Card:
        """Any card that nobody has seen; the last one takes its place."""
        i = self.dice.below(len(self.hidden))
        self.hidden[i], self.hidden[-1] = self.hidden[-1], self.hidden[i]
        return self.hidden.pop()

    def rounds(self) -> Story:
        self.set_aside = {5: 9, 4: 11, 3: 12, 2: 11}[len(self.players)]
        for _ in range((len(self.cards) - self.set_aside) // len(self.colours)):
            if self.two:
                yield from self.round_of_two()
            else:
                yield from self.round()

    def round(self) -> Story:
        self.turn_up(len(self.players))
        new_chart: list[Colour] = []
        while True:
            without = [colour for colour in self.chart if colour not in new_chart]
            if len(without) == 1:
                (last,) = without
                self.pay(last.player, 1)
                new_chart.append(last)
                yield from self.turn(last, self.faces.pop())
                break
            winner, card = yield from self.auction(without)
            new_chart.append(winner)
            self.faces.remove(card)
            yield from self.turn(winner, card)
        self.chart = new_chart

    def auction(self, without: list[Colour]) -> Generator[None, tuple[int, str], tuple[Colour, Card]]:
        initiator = without[0]
        choice = yield from self.ask(initiator.player, lambda: [f"auction {card.name}" for card in self.faces])
        card = next(card for card in self.faces if choice == f"auction {card.name}")
        number = len(self.players)
        seats = [(initiator.number + step) % number for step in range(1, number + 1)]
        high, winner = 0, None
        for bidder in [self.colours[seat] for seat in seats if self.colours[seat] in without]:

            def bids(bidder: Colour = bidder, high: int = high) -> list[str]:
                amounts = list(range(high + 1, min(self.ceiling(bidder.player), 319) + 1))
                if bidder is initiator and high == 0:
                    if not amounts and self.penniless(bidder.player):
                        amounts = [1]
                    return [f"bid {amount}" for amount in amounts]
                return ["pass"] + [f"bid {amount}" for amount in amounts]

            choice = yield from self.ask(bidder.player, bids)
            if choice != "pass":
                high, winner = int(choice.split()[1]), bidder
        assert winner is not None
        self.pay(winner.player, high)
        return winner, card

    def round_of_two(self) -> Story:
        self.chart = []
        two = self.options["two_player_faceup"] == "2"
        if self.options["fist_tie"] != "last_loser":
            self.last_loser = None
        self.turn_up(2 if two else 4)
        for half in range(2):
            if half and two:
                self.turn_up(2)
            yield from self.fists()
            for colour in self.chart[-2:]:
                if len(self.faces) > 1:
                    choice = yield from self.ask(colour.player, lambda: [f"take {card.name}" for card in self.faces])
                    card = next(card for card in self.faces if choice == f"take {card.name}")
                else:
                    (card,) = self.faces
                self.faces.remove(card)
                yield from self.turn(colour, card)

    def fists(self) -> Story:
        def choices(player: Player) -> list[str]:
            amounts = [0] if self.penniless(player) else list(range(1, min(self.ceiling(player), 319) + 1))
            mine = [colour for colour in self.colours if colour.player is player]
            letters = ["ab"[i] for i, colour in enumerate(mine) if colour not in self.chart]
            return [f"fist {amount} {letter}" for letter in letters for amount in amounts]

        for attempt in range(2):
            chosen = yield from self.ask_both(choices)
            amounts = [int(choice.split()[1]) for choice in chosen]
            colours = [self.colours[2 * seat + "ab".index(choice[-1])] for seat, choice in enumerate(chosen)]
            if amounts[0] != amounts[1]:
                first = 0 if amounts[0] > amounts[1] else 1
                break
            if self.options["fist_tie"] == "rebid_then_draw" and attempt == 0:
                continue
            if self.options["fist_tie"] == "last_loser" and self.last_loser is not None:
                first = self.last_loser.seat
            else:
                first = self.dice.below(2)
            break
        second = 1 - first
        self.last_loser = self.players[second]
        self.chart += [colours[first], colours[second]]
        self.pay(self.players[first], max(1, amounts[first]))
        payment = self.options["fist_payment"]
        if payment != "winner_only":
            self.pay(self.players[second], max(1, amounts[second]) if payment == "both" else 1)

    # -- a turn ---------------------------------------------------------------------------------------------------

    def at(self, town: Town) -> list[Connection]:
        return [connection for connection in self.connections if town in connection.towns]

    def blocked(self, card: Card) -> bool:
        return all(connection.built_by for town in self.places(card) for connection in self.at(town))

    def places(self, card: Card) -> list[Town]:
        if card.town is not None:
            return [self.towns[card.town]]
        return [town for town in self.towns.values() if town.value == card.value]

    def turn(self, colour: Colour, card: Card) -> Story:
        player = colour.player
        gambled = False
        while self.blocked(card) and self.set_aside and (not gambled or self.options["regamble"] == "on"):
            choice = yield from self.ask(player, lambda: ["use card", "gamble"])
            if choice == "use card":
                break
            gambled = True
            card = self.unknown_card()
            self.set_aside -= 1
        town = yield from self.place(colour, card)
        built: list[Connection] = []
        while sum(connection.links for connection in built) < 2:
            choice = yield from self.ask(player, lambda: ["end turn", *self.buildable(colour, town, built)])
            if choice == "end turn":
                break
            connection = self.buildable(colour, town, built)[choice]
            self.pay(player, connection.links * (3 if self.era == "canal" else 2))
            connection.built_by = colour
            colour.links -= connection.links
            if self.options["revenue_timing"] == "per_link":
                player.revenue += self.value(colour, [*built, connection]) - self.value(colour, built)
            built.append(connection)
        if self.options["revenue_timing"] == "end_of_turn":
            player.revenue += self.value(colour, built)

    def own(self, colour: Colour, other: Colour) -> bool:
        return colour is other or (self.merged and colour.player is other.player)

    @property
    def merged(self) -> bool:
        return self.two and self.options["two_player_sets"] == "merged"

    def value(self, colour: Colour, built: list[Connection]) -> int:
        joined = {town.name for connection in built for town in connection.towns}
        return sum(
            self.towns[name].value
            for name in joined
            if any(self.own(colour, other) for other in self.towns[name].industries)
        )

    def place(self, colour: Colour, card: Card) -> Generator[None, tuple[int, str], Town | None]:
        if colour.industries == 0:
            standing = [town for town in self.towns.values() if colour in town.industries]
            if not standing or self.options["industry_shortage"] == "skip":
                return None
            choice = yield from self.ask(colour.player, lambda: [f"lift {town.name}" for town in standing])
            self.towns[choice.removeprefix("lift ")].industries.remove(colour)
            colour.industries += 1
        choice = yield from self.ask(colour.player, lambda: [f"place {town.name}" for town in self.places(card)])
        town = self.towns[choice.removeprefix("place ")]
        if len(town.industries) == town.value:
            present = set(town.industries)
            if self.options["removal"] == "opponents_first":
                present = {other for other in present if other.player is not colour.player} or present
            choice = yield from self.ask(colour.player, lambda: [f"remove {other.name}" for other in present])
            victim = next(other for other in present if choice == f"remove {other.name}")
            town.industries.remove(victim)
            victim.industries += 1
        town.industries.append(colour)
        colour.industries -= 1
        return town

    def buildable(self, colour: Colour, town: Town | None, built: list[Connection]) -> dict[str, Connection]:
        if town is None:
            return {}
        starts = [town] + [end for connection in built for end in connection.towns]
        crossed = {connection.crosses for connection in self.at(town)}
        found = {}
        for connection in self.connections:
            price = connection.links * (3 if self.era == "canal" else 2)
            if connection.built_by or not any(end in starts for end in connection.towns):
                continue
            if self.options["crossing"] == "literal" and connection.name in crossed:
                continue
            if connection.links == 2 and built:
                continue
            if colour.links < connection.links or self.ceiling(colour.player) < price:
                continue
            found[f"{'build' if connection.links == 1 else 'double'} {connection.name}"] = connection
        return found

    # -- collecting -----------------------------------------------------------------------------------------------

    def collect(self) -> None:
        for player in self.in_turn_order():
            revenue, player.revenue = player.revenue, 0
            self.receive(player, revenue)
        for player in self.in_turn_order():
            mine = [colour for colour in self.colours if colour.player is player]
            for group in [mine] if self.merged else [[colour] for colour in mine]:
                graph = nx.Graph()
                for connection in self.connections:
                    if connection.built_by in group:
                        a, b = connection.towns
                        graph.add_edge(a.name, b.name, links=connection.links)
                networks = [graph.subgraph(part).size(weight="links") for part in nx.connected_components(graph)]
                self.receive(player, int(sum(networks) + max(networks, default=0)))
                for connection in self.connections:
                    if connection.built_by in group and connection.built_by is not None:
                        connection.built_by.links += connection.links
                        connection.built_by = None
        for player in self.in_turn_order():
            here = [
                self.demand[town.kind]
                for town in self.towns.values()
                for colour in town.industries
                if colour.player is player
            ]
            self.receive(player, sum(here))

    def ranking(self) -> list[int]:
        """The seats, best first."""
        order = self.in_turn_order()
        return [p.seat for p in sorted(self.players, key=lambda p: (-p.wealth, order.index(p)))]
