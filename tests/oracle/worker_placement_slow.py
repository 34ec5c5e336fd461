"""Worker Placement once more, slow and plain: what the fast rules are compared with.

Written from the rulebook and its specification, with a class for everything and no thought of speed. It rolls no
dice: which cards came up it is told (`Told`), and it checks that they could. A game is a generator: it yields what
each seat that is asked could do, by the names of the actions, and is sent a seat and its choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import permutations

SKILLS = ("clerical", "labour", "tech", "life")
WILD = "wild"
BID_VALUES = (1, 2, 2, 2, 3, 3, 4, 5)
CUBES_OF_A_SKILL = 12
CUBE_HOUSES = {"city_college": "clerical", "rec_centre": "life", "trade_school": "labour", "hackers_club": "tech"}
HOUSES = (*CUBE_HOUSES, "life_coach", "health_spa", "job_centre", "call_centre", "career_consultants", "casino")
WITHOUT_COST = ("job_centre", "call_centre", "casino")

Skills = Counter[str]
Waiting = dict[int, set[str]]
Asking = Generator[Waiting, tuple[int, str], None]
Answer = Generator[Waiting, tuple[int, str], str]


class Kind(Enum):
    WORKER = "worker"
    SKILL = "skill"
    MANAGEMENT = "management"


@dataclass(frozen=True)
class Card:
    """A Business card. steps: its effect, word by word."""

    number: int
    id: str
    kind: Kind
    skills: tuple[tuple[str, int], ...]
    steps: tuple[tuple[str, ...], ...]
    only_at_end: bool


@dataclass(frozen=True)
class Job:
    number: int
    id: str
    needs: tuple[tuple[str, int], ...]
    cash: int
    thumbs: int


@dataclass
class Told:
    """What chance brought, each list in the order in which it came; cards and Jobs by number."""

    orders: list[list[int]] = field(default_factory=list)
    deals: list[list[int]] = field(default_factory=list)
    jobs: list[list[int]] = field(default_factory=list)
    previews: list[int] = field(default_factory=list)
    auctions: list[list[int]] = field(default_factory=list)
    stolen: list[int] = field(default_factory=list)
    payments: list[tuple[list[int], list[int]]] = field(default_factory=list)

    def all_used(self) -> bool:
        return not any(vars(self).values())


@dataclass(eq=False)
class Player:
    seat: int
    cash: int = 2
    thumbs: int = 2
    reserve: int = 3
    on_track: int = 0
    idle: int = 0
    position: int = 0
    claim: int = 0
    places_free: bool = False
    has_recalled: bool = False
    hand: list[Card] = field(default_factory=list)
    cubes: Skills = field(default_factory=Counter)
    jobs: list[Job] = field(default_factory=list)

    @property
    def unplaced(self) -> int:
        return self.reserve + self.on_track

    def of_kind(self, kind: Kind) -> list[Card]:
        return [card for card in self.hand if card.kind is kind]


def skills_of(cards: Iterable[Card]) -> Skills:
    total: Skills = Counter()
    for card in cards:
        total.update(dict(card.skills))
    return total


def enough(needs: Mapping[str, int], have: Skills) -> bool:
    """Can each needed skill be given an offered one? By augmenting paths, one offered skill after the other."""
    wanted = [skill for skill, n in needs.items() for _ in range(n)]
    offered = [skill for skill, n in have.items() for _ in range(n)]
    given: dict[int, int] = {}

    def give(want: int, tried: set[int]) -> bool:
        for i, skill in enumerate(offered):
            if i in tried or not (skill == wanted[want] or WILD in (skill, wanted[want])):
                continue
            tried.add(i)
            if i not in given or give(given[i], tried):
                given[i] = want
                return True
        return False

    return all(give(want, set()) for want in range(len(wanted)))


class SlowPlacement:
    def __init__(
        self, players: int, options: Mapping[str, str], cards: Sequence[Card], jobs: Sequence[Job], told: Told
    ) -> None:
        self.options = options
        self.cards = list(cards)
        self.all_jobs = list(jobs)
        self.told = told
        self.players = [Player(seat) for seat in range(players)]
        self.rounds = int(options["rounds"])
        self.round = 0
        self.deck = list(cards)
        self.discards: list[Card] = []
        self.hidden_jobs = list(jobs)
        self.jobs_below: list[Job] = []
        self.preview: Job | None = None
        self.open_jobs: list[Job] = []
        self.supply: Skills = Counter(dict.fromkeys(SKILLS, CUBES_OF_A_SKILL))
        self.network: list[Card] = []
        self.auction: list[Card] = []
        self.spaces: dict[int, Player] = {}
        self.standing: dict[str, list[Player]] = {house: [] for house in HOUSES}
        self.order: list[Player] = []
        self.over = False

    # -- what happens again and again ---------------------------------------------------------------------------

    @property
    def unlimited(self) -> bool:
        return self.options["unlimited_cubes"] == "true"

    def can_take(self, skill: str) -> bool:
        return self.unlimited or self.supply[skill] > 0

    def take_cube(self, player: Player, skill: str) -> None:
        assert self.can_take(skill)
        self.supply[skill] -= 1
        player.cubes[skill] += 1

    def gain_thumbs(self, player: Player, number: int) -> None:
        player.thumbs += number
        if self.options["thumbs_cap"] != "none":
            player.thumbs = min(player.thumbs, int(self.options["thumbs_cap"]))
        assert player.thumbs >= 0

    def at_the_cap(self, player: Player) -> bool:
        return self.options["thumbs_cap"] == str(player.thumbs)

    def pay(self, player: Player, number: int) -> None:
        assert 0 <= number <= player.cash
        player.cash -= number

    def draw(self, number: int) -> list[Card]:
        """So many cards of the draw pile, or all that there are (WP-6.5, WP-A25)."""
        number = min(number, len(self.deck) + len(self.discards))
        if not number:
            return []
        drawn = [self.cards[n] for n in self.told.deals.pop(0)]
        assert len(drawn) == number
        for card in [card for card in drawn if card in self.deck]:
            self.deck.remove(card)
            number -= 1
        if number:
            assert not self.deck, "the old pile is drawn to its end before the discards are shuffled"
            self.shuffle()
            for card in drawn[:]:
                if card in self.deck:
                    self.deck.remove(card)
                    number -= 1
        assert number == 0
        if not self.deck and self.options["reshuffle"] == "at_once":
            self.shuffle()
        return sorted(drawn, key=lambda card: card.number)

    def shuffle(self) -> None:
        self.deck, self.discards = self.discards, []

    def ask(self, player: Player, choices: Iterable[str]) -> Answer:
        seat, choice = yield {player.seat: set(choices)}
        assert seat == player.seat
        return choice

    # -- the game -----------------------------------------------------------------------------------------------

    def game(self) -> Asking:
        for player in self.players:
            player.hand = self.draw(4)
        while self.round < self.rounds:
            self.round += 1
            for player in self.players:
                player.places_free = player.has_recalled = False
            self.determine_order()
            self.reveal_jobs()
            yield from self.draft()
            yield from self.hold_auction()
            yield from self.place_workers()
            self.send_home()
            yield from self.limit_hands()
        self.score()
        self.over = True

    def determine_order(self) -> None:
        cards = self.told.orders.pop(0)
        assert sorted(cards) == list(range(1, len(self.players) + 1))
        ranked = sorted(self.players, key=lambda p: (cards[p.seat] + p.thumbs, p.thumbs), reverse=True)
        positions: dict[int, Player] = {}
        missed = []
        for player in ranked:
            if player.claim and player.claim in positions:
                missed.append(player)
            elif player.claim:
                positions[player.claim] = player
        for player in missed:
            position = player.claim
            while position in positions:
                position = position % len(self.players) + 1
            positions[position] = player
        free = [n for n in range(1, len(self.players) + 1) if n not in positions]
        for player in ranked:
            if not player.claim:
                positions[free.pop(0)] = player
        self.order = [positions[n] for n in sorted(positions)]
        for n, player in positions.items():
            player.position = n
            player.claim = 0
            player.reserve -= 1
            player.on_track = 1

    # -- Jobs ---------------------------------------------------------------------------------------------------

    def jobs_left(self) -> int:
        return len(self.hidden_jobs) + len(self.jobs_below) + (self.preview is not None)

    def check_top(self, job: Job) -> None:
        """This Job came off the deck: the preview, then any of the hidden ones, then those below in their order."""
        if self.preview is not None:
            assert job == self.preview
            self.preview = None
        elif self.hidden_jobs:
            self.hidden_jobs.remove(job)
        else:
            assert job == self.jobs_below.pop(0)

    def deal_jobs(self, number: int) -> None:
        number = min(number, self.jobs_left())
        if number > 0:
            dealt = [self.all_jobs[n] for n in self.told.jobs.pop(0)]
            assert len(dealt) == number
            for job in dealt:
                self.check_top(job)
            self.open_jobs += dealt

    def turn_preview(self) -> None:
        if self.preview is None and self.jobs_left():
            job = self.all_jobs[self.told.previews.pop(0)]
            self.check_top(job)
            self.preview = job

    def reveal_jobs(self) -> None:
        self.deal_jobs(max(len(self.players), 4) - len(self.open_jobs))
        self.turn_preview()

    # -- the draft ----------------------------------------------------------------------------------------------

    def draft(self) -> Asking:
        dealt = {player.seat: self.draw(3) for player in self.order}
        if len(self.players) == 2:
            self.network += self.draw(1)
        splits: dict[int, str] = {}
        while len(splits) < len(self.players):
            waiting = {}
            for seat, cards in dealt.items():
                if seat not in splits and cards:
                    ways = [way for way in permutations((1, 2, 3)) if _keeps_what_there_is(way, len(cards))]
                    waiting[seat] = {f"keep {a} pass {b} network {c}" for a, b, c in ways}
            if not waiting:
                break
            seat, choice = yield waiting
            splits[seat] = choice
        to_the_left = not (self.options["alternate_draft"] == "true" and self.round % 2 == 0)
        for seat, choice in sorted(splits.items()):
            cards = dealt[seat]
            keep, pass_on, network = (int(word) - 1 for word in choice.split()[1::2])
            neighbour = self.players[(seat + (1 if to_the_left else -1)) % len(self.players)]
            for place, to in ((keep, self.players[seat].hand), (pass_on, neighbour.hand), (network, self.network)):
                if place < len(cards):
                    to.append(cards[place])

    # -- the auction --------------------------------------------------------------------------------------------

    def hold_auction(self) -> Asking:
        self.auction = [self.cards[n] for n in self.told.auctions.pop(0)]
        assert len(self.auction) == min(3, len(self.network))
        for card in self.auction:
            self.network.remove(card)
        self.discards += self.network
        self.network = []
        yield from self.bid(self.order)
        bidders = [player for player in self.order if player in self.spaces.values()]
        if 1 <= len(bidders) <= 2:
            if self.options["second_bid_order"] == "reverse":
                bidders.reverse()
            yield from self.bid(bidders)
        best = sorted(self.spaces, reverse=True)[: len(self.auction)]
        for space in best:
            player = self.spaces[space]
            choice = yield from self.ask(player, {f"card {card.id}" for card in self.auction})
            card = next(card for card in self.auction if choice == f"card {card.id}")
            self.auction.remove(card)
            player.hand.append(card)
            self.pay(player, BID_VALUES[space])
        self.discards += self.auction
        self.auction = []
        for player in self.spaces.values():
            player.reserve += 1
        self.spaces = {}

    def bid(self, bidders: Sequence[Player]) -> Asking:
        for player in bidders:
            owed = sum(BID_VALUES[space] for space, other in self.spaces.items() if other is player)
            free = [n for n, v in enumerate(BID_VALUES) if n not in self.spaces and owed + v <= player.cash]
            choice = yield from self.ask(player, {"pass", *(f"bid {space}" for space in free)})
            if choice != "pass":
                self.spaces[int(choice.split()[1])] = player
                player.reserve -= 1

    # -- placing workers ----------------------------------------------------------------------------------------

    def cost(self, player: Player, house: str) -> int:
        return 0 if house in WITHOUT_COST or player.places_free else len(self.standing[house])

    def put_down(self, player: Player, house: str) -> None:
        self.pay(player, self.cost(player, house))
        self.take_meeple(player)
        self.standing[house].append(player)

    def take_meeple(self, player: Player) -> None:
        if player.reserve:
            player.reserve -= 1
        else:
            player.on_track -= 1

    def place_workers(self) -> Asking:
        turn = 0
        while any(player.unplaced for player in self.players):
            player = self.order[turn % len(self.order)]
            if player.unplaced:
                yield from self.place(player)
            turn += 1

    def place(self, player: Player) -> Asking:
        choice = yield from self.ask(player, self.places(player) or {"skip"})
        word, _, rest = choice.partition(" ")
        if word == "skip":
            self.take_meeple(player)
            player.idle += 1
        elif word == "job":
            job = next(job for job in self.open_jobs if job.id == rest)
            payment = yield from self.choose_payment(player, job)
            self.put_down(player, "job_centre")
            self.fill(player, job, payment)
        elif word == "consult":
            yield from self.consult(player, next(card for card in player.hand if card.id == rest))
        elif word == "coach":
            self.put_down(player, "life_coach")
            player.cubes[rest] -= 1
            self.supply[rest] += 1
            for _ in range(2):
                yield from self.choose_cube(player)
        elif rest == "casino":
            yield from self.gamble(player)
        else:
            self.put_down(player, rest)
            if rest in CUBE_HOUSES:
                self.take_cube(player, CUBE_HOUSES[rest])
            elif rest == "health_spa":
                self.gain_thumbs(player, 2)
            else:
                player.cash += 2
                self.gain_thumbs(player, -1)

    def places(self, player: Player) -> set[str]:
        """All that a player can do with a meeple."""
        can_pay = {house for house in HOUSES if self.cost(player, house) <= player.cash}
        found = {f"go {house}" for house, skill in CUBE_HOUSES.items() if house in can_pay and self.can_take(skill)}
        if "health_spa" in can_pay and not self.at_the_cap(player):
            found.add("go health_spa")
        if player.thumbs >= 1:
            found.add("go call_centre")
        if player.hand or self.options["casino_min"] == "0":
            found.add("go casino")
        if "life_coach" in can_pay and (self.unlimited or self.supply.total() + 1 >= 2):
            found |= {f"coach {skill}" for skill in SKILLS if player.cubes[skill]}
        if "career_consultants" in can_pay:
            cash = player.cash - self.cost(player, "career_consultants")
            found |= {f"consult {c.id}" for c in player.of_kind(Kind.MANAGEMENT) if self.playable(player, c, cash)}
        return found | {f"job {job.id}" for job in self.open_jobs if self.can_fill(player, job)}

    def choose_cube(self, player: Player) -> Asking:
        choice = yield from self.ask(player, {f"cube {skill}" for skill in SKILLS if self.can_take(skill)})
        self.take_cube(player, choice.split()[1])

    def gamble(self, player: Player) -> Asking:
        away: list[Card] = []
        while True:
            choices = {f"card {card.id}" for card in player.hand if card not in away}
            if len(away) >= int(self.options["casino_min"]):
                choices.add("done")
            choice = yield from self.ask(player, choices)
            if choice == "done":
                break
            away.append(next(card for card in player.hand if choice == f"card {card.id}"))
        self.put_down(player, "casino")
        for card in away:
            player.hand.remove(card)
            self.discards.append(card)
        player.hand += self.draw(len(away))

    # -- filling a Job ------------------------------------------------------------------------------------------

    def with_everything(self, player: Player, worker: Card) -> Skills:
        return skills_of([worker, *player.of_kind(Kind.SKILL)]) + player.cubes

    def able(self, player: Player, job: Job) -> list[Card]:
        needs = dict(job.needs)
        return [w for w in player.of_kind(Kind.WORKER) if enough(needs, self.with_everything(player, w))]

    def can_fill(self, player: Player, job: Job) -> bool:
        bearable = player.cash + job.cash >= 0 and player.thumbs + job.thumbs >= 0
        return bearable and bool(self.able(player, job))

    def choose_payment(
        self, player: Player, job: Job
    ) -> Generator[Waiting, tuple[int, str], tuple[list[Card], Skills]]:
        """The cards, the Worker first, and the cubes that are committed (WP-9.2, WP-A24)."""
        needs = dict(job.needs)
        choice = yield from self.ask(player, {f"card {worker.id}" for worker in self.able(player, job)})
        cards = [next(card for card in player.hand if choice == f"card {card.id}")]
        cubes: Skills = Counter()
        while True:
            is_enough = enough(needs, skills_of(cards) + cubes)
            choices = {"done" if is_enough else "pay"}
            choices |= {f"cube {skill}" for skill in SKILLS if player.cubes[skill] > cubes[skill]}
            choices |= {f"card {card.id}" for card in player.of_kind(Kind.SKILL) if card not in cards}
            choice = yield from self.ask(player, choices)
            word, _, rest = choice.partition(" ")
            if word == "cube":
                cubes[rest] += 1
            elif word == "card":
                cards.append(next(card for card in player.hand if card.id == rest))
            elif word == "done":
                return cards, cubes
            else:
                return self.proposed(player, needs, cards, cubes)

    def proposed(
        self, player: Player, needs: Mapping[str, int], cards: list[Card], cubes: Skills
    ) -> tuple[list[Card], Skills]:
        """The table has completed the payment: with what the player has, and nothing that could be left out."""
        numbers, counts = self.told.payments[0]
        all_cards = [cards[0], *(self.cards[n] for n in numbers)]
        all_cubes: Skills = Counter(dict(zip(SKILLS, counts, strict=True)))
        assert set(cards) <= set(all_cards) <= set(player.hand)
        assert cubes <= all_cubes <= player.cubes
        have = skills_of(all_cards) + all_cubes
        assert enough(needs, have)
        for card in all_cards:
            assert card in cards or not enough(needs, have - skills_of([card]))
        for skill in SKILLS:
            assert all_cubes[skill] == cubes[skill] or not enough(needs, have - Counter([skill]))
        return all_cards, all_cubes

    def fill(self, player: Player, job: Job, payment: tuple[list[Card], Skills]) -> None:
        cards, cubes = payment
        numbers, counts = self.told.payments.pop(0)
        assert sorted(card.number for card in cards[1:]) == numbers
        assert [cubes[skill] for skill in SKILLS] == counts
        for card in cards:
            player.hand.remove(card)
            self.discards.append(card)
        player.cubes = player.cubes - cubes
        self.supply.update(cubes)
        if job == self.preview:
            self.preview = None
        else:
            self.open_jobs.remove(job)
        player.jobs.append(job)
        player.cash += job.cash
        assert player.cash >= 0
        self.gain_thumbs(player, job.thumbs)

    # -- Management cards ---------------------------------------------------------------------------------------

    def opponents(self, player: Player) -> list[Player]:
        """Clockwise from the left."""
        n = len(self.players)
        return [self.players[(player.seat + step) % n] for step in range(1, n)]

    def targets(self, player: Player, step: Sequence[str]) -> list[Player]:
        has = {
            "steal_cash": lambda p: p.cash > 0,
            "lose_thumbs": lambda p: p.thumbs > 0,
            "steal_card": lambda p: len(p.hand) > 0,
            "steal_cubes": lambda p: p.cubes.total() > 0,
        }[step[0]]
        return [other for other in self.opponents(player) if has(other)]

    def changes(self, player: Player, step: Sequence[str], unplaced: int) -> bool:
        """Could this step change anything now (WP-A36)?"""
        match step:
            case ["gain_cash", *_]:
                return True
            case ["gain_thumbs", *_]:
                return not self.at_the_cap(player)
            case ["steal_cash" | "lose_thumbs" | "steal_card" | "steal_cubes", *_]:
                return bool(self.targets(player, step))
            case ["gain_cubes", *_]:
                return any(self.can_take(skill) for skill in SKILLS)
            case ["draw", *_]:
                return bool(self.deck or self.discards)
            case ["refresh_jobs", *_]:
                return bool(self.open_jobs) and self.jobs_left() > 0
            case ["fill_job", "preview"]:
                return self.preview is not None and self.can_fill(player, self.preview)
            case ["free_placement", "round"]:
                return unplaced > 0 and not player.places_free
            case ["recall_meeple", _]:
                return not player.has_recalled
            case ["claim_order", n]:
                return self.round < self.rounds and int(n) <= len(self.players) and player.claim != int(n)
            case ["gain_cash_per", "jobs_filled", *_]:
                return self.per_job(player, step) > 0
        assert step[0] in ("pay_cash", "pay_thumbs"), step
        return False

    def per_job(self, player: Player, step: Sequence[str]) -> int:
        """gain_cash_per jobs_filled D G max K"""
        return min(int(step[5]), len(player.jobs) // int(step[2]) * int(step[3]))

    def own_cost(self, card: Card, what: str) -> int:
        return sum(int(step[1]) for step in card.steps if step[0] == what)

    def playable(self, player: Player, card: Card, cash: int) -> bool:
        if card.only_at_end or self.own_cost(card, "pay_cash") > cash:
            return False
        if self.own_cost(card, "pay_thumbs") > player.thumbs:
            return False
        return any(self.changes(player, step, player.unplaced - 1) for step in card.steps)

    def consult(self, player: Player, card: Card) -> Asking:
        steps = list(card.steps)
        works = next(i for i, step in enumerate(steps) if self.changes(player, step, player.unplaced - 1))
        if steps[works] == ("fill_job", "preview"):
            # The payment is chosen before the card is shown: until then all can be taken back.
            assert self.preview is not None
            job = self.preview
            payment = yield from self.choose_payment(player, job)
            self.show(player, card)
            self.fill(player, job, payment)
            self.turn_preview()
            steps = steps[works + 1 :]
        else:
            self.show(player, card)
        for step in steps:
            if step[0] in ("pay_cash", "pay_thumbs"):
                continue
            if step[0] == "refresh_jobs" and self.open_jobs:
                yield from self.refresh_jobs(player, int(step[1]))
            elif self.changes(player, step, player.unplaced):
                yield from self.follow(player, step)
        self.discards.append(card)

    def show(self, player: Player, card: Card) -> None:
        self.put_down(player, "career_consultants")
        player.hand.remove(card)
        self.pay(player, self.own_cost(card, "pay_cash"))
        self.gain_thumbs(player, -self.own_cost(card, "pay_thumbs"))

    def follow(self, player: Player, step: Sequence[str]) -> Asking:
        match step:
            case ["gain_cash", n]:
                player.cash += int(n)
            case ["gain_thumbs", n]:
                self.gain_thumbs(player, int(n))
            case ["steal_cash" | "lose_thumbs" | "steal_card", n, *_]:
                yield from self.harm(player, step, int(n))
            case ["gain_cubes", n, "any"]:
                if not self.unlimited and self.supply.total() <= int(n):
                    player.cubes += self.supply
                    self.supply = Counter()
                else:
                    for _ in range(int(n)):
                        yield from self.choose_cube(player)
            case ["steal_cubes", n, "each"]:
                for victim in self.targets(player, step):
                    yield from self.rob(player, victim, int(n))
            case ["draw", n]:
                player.hand += self.draw(int(n))
            case ["fill_job", "preview"]:
                assert self.preview is not None
                job = self.preview
                payment = yield from self.choose_payment(player, job)
                self.fill(player, job, payment)
                self.turn_preview()
            case ["free_placement", "round"]:
                player.places_free = True
            case ["recall_meeple", n]:
                yield from self.recall(player, int(n))
            case ["claim_order", n]:
                player.claim = int(n)
            case ["gain_cash_per", "jobs_filled", *_]:
                player.cash += self.per_job(player, step)
            case _:
                raise AssertionError(step)

    def harm(self, player: Player, step: Sequence[str], number: int) -> Asking:
        possible = self.targets(player, step)
        target = possible[0]
        if len(possible) > 1:
            choice = yield from self.ask(player, {f"target {other.seat}" for other in possible})
            target = self.players[int(choice.split()[1])]
        if step[0] == "steal_cash":
            loot = min(number, target.cash)
            self.pay(target, loot)
            player.cash += loot
        elif step[0] == "lose_thumbs":
            target.thumbs = max(0, target.thumbs - number)
        else:
            for _ in range(min(number, len(target.hand))):
                card = self.cards[self.told.stolen.pop(0)]
                target.hand.remove(card)
                player.hand.append(card)

    def rob(self, player: Player, victim: Player, number: int) -> Asking:
        """Cubes of the player's choice from one opponent; where there is nothing to choose, nobody is asked."""
        colours = +victim.cubes
        choosing = colours.total() > number and len(colours) > 1
        for _ in range(min(number, colours.total())):
            skill = next(iter(+victim.cubes))
            if choosing:
                choice = yield from self.ask(player, {f"cube {skill}" for skill in +victim.cubes})
                skill = choice.split()[1]
            victim.cubes[skill] -= 1
            player.cubes[skill] += 1

    def refresh_jobs(self, player: Player, number: int) -> Asking:
        chosen: list[Job] = []
        while True:
            choices = {"done"}
            if len(chosen) < number:
                choices |= {f"job {job.id}" for job in self.open_jobs if job not in chosen}
            choice = yield from self.ask(player, choices)
            if choice == "done":
                break
            chosen.append(next(job for job in self.open_jobs if choice == f"job {job.id}"))
        for job in chosen:
            self.open_jobs.remove(job)
        self.jobs_below += chosen
        self.deal_jobs(len(chosen))
        self.turn_preview()

    def recall(self, player: Player, number: int) -> Asking:
        player.has_recalled = True
        for taken in range(number):
            houses = [house for house in HOUSES if player in self.standing[house]]
            if not houses:
                break
            choices = {f"recall {house}" for house in houses}
            choice = yield from self.ask(player, choices | {"done"} if taken else choices)
            if choice == "done":
                break
            self.standing[choice.split()[1]].remove(player)
            player.reserve += 1

    # -- the end of a round, and of the game --------------------------------------------------------------------

    def send_home(self) -> None:
        for players in self.standing.values():
            for player in players:
                player.reserve += 1
            players.clear()
        for player in self.players:
            player.reserve += player.idle
            player.idle = 0

    def limit_hands(self) -> Asking:
        too_many = [player for player in self.players if len(player.hand) > 5]
        away: dict[int, list[Card]] = {player.seat: [] for player in too_many}
        while too_many:
            waiting = {}
            for player in too_many:
                left = [card for card in player.hand if card not in away[player.seat]]
                waiting[player.seat] = {"done"} if len(left) == 5 else {f"card {card.id}" for card in left}
            seat, choice = yield waiting
            if choice == "done":
                too_many = [player for player in too_many if player.seat != seat]
            else:
                away[seat].append(next(c for c in self.players[seat].hand if choice == f"card {c.id}"))
        for seat, cards in away.items():
            for card in cards:
                self.players[seat].hand.remove(card)
                self.discards.append(card)

    def score(self) -> None:
        most = max(player.thumbs for player in self.players)
        for player in self.players:
            if player.thumbs == most:
                player.cash += len(self.players)
            player.cash += player.cubes.total() // 2
            for card in player.hand:
                for step in card.steps:
                    if step[0] == "end_cash":
                        player.cash += int(step[1])
                    elif step[0] == "end_cash_per":  # thumbs D G max K
                        player.cash += min(int(step[5]), player.thumbs // int(step[2]) * int(step[3]))

    def ranking(self) -> list[int]:
        best = sorted(self.players, key=lambda player: (-player.cash, -player.thumbs, player.position))
        return [player.seat for player in best]


def _keeps_what_there_is(way: Sequence[int], cards: int) -> bool:
    """With fewer than three cards, first one is kept, then one passed on."""
    return all(place <= cards for place in way[:cards])
