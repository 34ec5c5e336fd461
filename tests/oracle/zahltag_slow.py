"""Zahltag once more, slow and plain: what the fast rules are compared with.

Written from the rulebook and its specification, with a class for everything and no thought of speed. It shares
nothing with the fast rules but the dice, in the order that records fix: the first player (if drawn by lot), seven
cards to each seat, a draw for every card turned over, and one more where a Payday is shuffled back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol


class Dice(Protocol):
    def below(self, n: int) -> int: ...


class Worker(Enum):
    FOREMAN = 14
    WORKER = 16
    CRANE = 10
    EXCAVATOR = 12

    # The values are the numbers of cards; all differ, so that they can stand for the members.

    @property
    def word(self) -> str:
        return self.name.lower()


class Phase(Enum):
    ADJUST_START = "ADJUST_START"
    ADJUST_WORKERS = "ADJUST_WORKERS"
    EXCESS = "EXCESS"
    BIDDING = "BIDDING"
    GAME_OVER = "GAME_OVER"


Crew = Counter[Worker]
NO_INTEREST = "00"


@dataclass(frozen=True)
class Job:
    number: int
    needs: tuple[tuple[Worker, int], ...]

    def can_be_done_by(self, crew: Crew) -> bool:
        return all(crew[worker] >= count for worker, count in self.needs)


@dataclass(frozen=True)
class Payday:
    pass


@dataclass(frozen=True)
class Departure:
    """How somebody left the game."""

    turn: int
    money: int
    workers: int
    on_table: int


@dataclass
class Player:
    seat: int
    money: int = 20
    hand: Crew = field(default_factory=Crew)
    left: Crew = field(default_factory=Crew)
    right: Crew = field(default_factory=Crew)
    operations_left: int = 3
    offer: str | None = None
    departure: Departure | None = None

    @property
    def active(self) -> bool:
        return self.departure is None

    @property
    def on_table(self) -> int:
        return self.left.total() + self.right.total()

    @property
    def workers(self) -> int:
        return self.hand.total() + self.on_table

    def finish_jobs(self) -> None:
        self.hand += self.right
        self.right = self.left
        self.left = Crew()


class SlowZahltag:
    def __init__(
        self,
        players: int,
        dice: Dice,
        options: Mapping[str, str],
        needs: Sequence[Sequence[int]],
        offer_values: Sequence[int],
    ) -> None:
        self.dice = dice
        self.options = options
        self.offer_values = list(offer_values)
        self.players = [Player(seat) for seat in range(players)]
        self.stacks = Crew({worker: worker.value for worker in Worker})
        self.job_deck = [
            Job(number, tuple((worker, count) for worker, count in zip(Worker, counts, strict=True) if count))
            for number, counts in enumerate(needs)
        ]
        self.paydays_in_stack = 6
        self.paydays_executed = 0
        self.last_card: Job | Payday | None = None
        self.jobs_since_payday: list[Job] = []
        self.turn = 0
        self.phase = Phase.ADJUST_START
        chosen = options["first_player"]
        first = dice.below(players) if chosen == "random" else int(chosen)
        self.first_player = self.current = self.players[first]
        for player in self.players:
            for _ in range(7):
                self.deal(player)

    def deal(self, player: Player) -> None:
        cards = [worker for worker in Worker for _ in range(self.stacks[worker])]
        self.move(cards[self.dice.below(len(cards))], self.stacks, player.hand)

    @staticmethod
    def move(worker: Worker, source: Crew, target: Crew) -> None:
        assert source[worker] > 0
        source[worker] -= 1
        target[worker] += 1

    # -- who and what -----------------------------------------------------------------------------------------------

    @property
    def active_players(self) -> list[Player]:
        return [player for player in self.players if player.active]

    def deciders(self) -> list[int]:
        match self.phase:
            case Phase.GAME_OVER:
                return []
            case Phase.BIDDING:
                return [player.seat for player in self.active_players if player.offer is None]
            case _:
                return [self.current.seat]

    def choices(self, seat: int) -> list[str]:
        if seat not in self.deciders():
            return []
        player = self.players[seat]
        if self.phase == Phase.BIDDING:
            assert isinstance(self.last_card, Job)
            able = self.last_card.can_be_done_by(player.hand)
            return [NO_INTEREST] + [f"bid {value}" for value in self.offer_values if able]
        discards = [f"discard {worker.word}" for worker in Worker if player.hand[worker]]
        if self.phase == Phase.EXCESS:
            return discards
        adds = [f"add {worker.word}" for worker in Worker if self.stacks[worker]]
        if player.workers >= 12 and self.options["card_cap"] == "prevent":
            adds = []
        exchanges = [
            f"exchange {given.word} {taken.word}"
            for given in Worker
            for taken in Worker
            if given != taken and player.hand[given] and self.stacks[taken]
        ]
        return ["pass", *adds, *discards, *exchanges]

    def decide(self, seat: int, choice: str) -> None:
        assert choice in self.choices(seat)
        player = self.players[seat]
        match self.phase:
            case Phase.ADJUST_START:
                self.operate(player, choice)
                self.after_set_up_operation(player, choice)
            case Phase.ADJUST_WORKERS:
                self.operate(player, choice)
                if player.workers > 12:
                    self.fine_for_excess(player)
                else:
                    self.reveal()
            case Phase.EXCESS:
                self.operate(player, choice)
                if player.workers <= 12:
                    self.reveal()
            case Phase.BIDDING:
                player.offer = choice
                if all(other.offer is not None for other in self.active_players):
                    self.award_job()

    def operate(self, player: Player, choice: str) -> None:
        match choice.upper().split():
            case ["ADD", worker]:
                self.move(Worker[worker], self.stacks, player.hand)
            case ["DISCARD", worker]:
                self.move(Worker[worker], player.hand, self.stacks)
            case ["EXCHANGE", given, taken]:
                self.move(Worker[given], player.hand, self.stacks)
                self.move(Worker[taken], self.stacks, player.hand)

    # -- set-up and turns -------------------------------------------------------------------------------------------

    def clockwise_after(self, player: Player) -> list[Player]:
        """Everybody, beginning with the next and ending with the player."""
        following = player.seat + 1
        return self.players[following:] + self.players[:following]

    def after_set_up_operation(self, player: Player, choice: str) -> None:
        player.operations_left = 0 if choice == "pass" else player.operations_left - 1
        if self.options["setup_adjust"] == "block" and player.operations_left:
            return
        waiting = [other for other in self.clockwise_after(player) if other.operations_left]
        if waiting:
            self.current = waiting[0]
        else:
            self.begin_turn(self.first_player)

    def next_turn(self) -> None:
        if len(self.active_players) <= 1:
            self.phase = Phase.GAME_OVER
            return
        self.begin_turn(next(player for player in self.clockwise_after(self.current) if player.active))

    def begin_turn(self, player: Player) -> None:
        self.turn += 1
        self.current = player
        player.finish_jobs()
        self.phase = Phase.ADJUST_WORKERS

    def fine_for_excess(self, player: Player) -> None:
        excess = player.workers - 12
        others = [other for other in self.active_players if other is not player]
        if excess * len(others) > player.money:
            self.eliminate(player)
            self.next_turn()
            return
        for other in others:
            player.money -= excess
            other.money += excess
        self.phase = Phase.EXCESS

    # -- the stack --------------------------------------------------------------------------------------------------

    def reveal(self) -> None:
        limit = 8 if len(self.players) == 2 else 9
        if len(self.jobs_since_payday) == limit:
            self.execute_payday()
            return
        drawn = self.dice.below(len(self.job_deck) + self.paydays_in_stack)
        if drawn < len(self.job_deck):
            self.offer_job(drawn)
        elif isinstance(self.last_card, Payday) and self.job_deck:
            self.offer_job(self.dice.below(len(self.job_deck)))  # shuffled back until a Job comes up
        else:
            self.execute_payday()

    def offer_job(self, place: int) -> None:
        # The last card fills the gap: the order means nothing, but both versions must keep the same one.
        self.job_deck[place], self.job_deck[-1] = self.job_deck[-1], self.job_deck[place]
        job = self.job_deck.pop()
        self.last_card = job
        self.jobs_since_payday.append(job)
        self.phase = Phase.BIDDING

    def award_job(self) -> None:
        job = self.last_card
        assert isinstance(job, Job)
        offers = {player.seat: player.offer for player in self.active_players}
        for player in self.players:
            player.offer = None
        bids = {seat: int(offer.split()[1]) for seat, offer in offers.items() if offer and offer != NO_INTEREST}
        if bids:
            lowest = min(bids.values())
            winners = [self.players[seat] for seat, bid in bids.items() if bid == lowest]
            payout = lowest if len(winners) == 1 else lowest - 2
            for winner in winners:
                self.pay_out(winner, payout, job)
        self.next_turn()

    def pay_out(self, winner: Player, payout: int, job: Job) -> None:
        if winner.money + payout < 0:
            if self.options["tie_debt"] == "eliminate":
                self.eliminate(winner)
                return
            payout = -winner.money
        winner.money += payout
        for worker, count in job.needs:
            for _ in range(count):
                self.move(worker, winner.hand, winner.left)

    def execute_payday(self) -> None:
        self.paydays_in_stack -= 1
        self.paydays_executed += 1
        self.last_card = Payday()
        self.jobs_since_payday = []
        fewest = min(player.hand.total() for player in self.active_players)
        debts = [(player, player.hand.total() - fewest) for player in self.active_players]
        for player, debt in debts:
            if debt > player.money:
                self.eliminate(player)
            else:
                player.money -= debt
        if self.paydays_executed == 5:
            self.phase = Phase.GAME_OVER
        else:
            self.next_turn()

    def eliminate(self, player: Player) -> None:
        player.departure = Departure(self.turn, player.money, player.workers, player.on_table)
        self.stacks += player.hand + player.left + player.right
        player.hand, player.left, player.right = Crew(), Crew(), Crew()
        player.money = 0

    # -- the end ----------------------------------------------------------------------------------------------------

    def places(self) -> dict[int, int]:
        """Everybody's place, 1 being the best; equal players share one."""
        assert self.phase == Phase.GAME_OVER
        return {
            player.seat: 1 + sum(self.beats(other, player) for other in self.players if other is not player)
            for player in self.players
        }

    @staticmethod
    def beats(one: Player, two: Player) -> bool:
        if one.departure is None and two.departure is None:
            if one.money != two.money:
                return one.money > two.money
            if one.workers != two.workers:
                return one.workers < two.workers
            return one.on_table < two.on_table
        if one.departure is None or two.departure is None:
            return one.departure is None
        a, b = one.departure, two.departure
        if a.turn != b.turn:
            return a.turn > b.turn
        if a.money != b.money:
            return a.money > b.money
        if a.workers != b.workers:
            return a.workers < b.workers
        return a.on_table < b.on_table
