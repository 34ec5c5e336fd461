"""Temp Worker Assassins once more, slow and plain: what the fast rules are compared with.

Written from the rulebook and its specification. A whole game is one generator: it yields who must choose among what,
by name, and is sent the choice. It shares nothing with the fast rules but the CSV files, which it reads by itself.
Chance is told to it: which cards came up, in order; it complains about a card that could not have come up.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Choosing = Generator[tuple[int, list[str]], str, None]


def read(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@dataclass(frozen=True)
class Card:
    name: str
    tags: frozenset[str]
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Target:
    name: str
    defence: int
    bounty: int
    bonus: tuple[str, ...]
    end: str


@dataclass(frozen=True)
class Space:
    department: str
    number: int
    steps: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.department} {self.number}"


@dataclass
class Player:
    seat: int
    hand: list[Card] = field(default_factory=list)
    deck: list[Card] = field(default_factory=list)
    discard: list[Card] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)
    trophies: list[Target] = field(default_factory=list)
    unplaced: int = 0
    in_security: int = 0
    skipped: int = 0
    attempted: bool = False
    lasting: list[tuple[Space, str]] = field(default_factory=list)

    def owns(self, tag: str) -> int:
        return sum(tag in card.tags for card in self.hand)


def steps_of(text: str) -> tuple[str, ...]:
    return tuple(step.strip() for step in text.split(";")) if text.strip() else ()


def number(step: str) -> int:
    found = re.search(r"\d+", step)
    return int(found[0]) if found else 1


class Told:
    """The cards that came up, by pile, in order."""

    def __init__(self) -> None:
        self.own: deque[str] = deque()
        self.supply: deque[str] = deque()
        self.targets: deque[str] = deque()


class SlowAssassins:
    def __init__(
        self, players: int, options: dict[str, str], folder: Path, first: int, departments: Sequence[str], told: Told
    ) -> None:
        self.options = options
        self.told = told
        self.players = [Player(seat) for seat in range(players)]
        self.first = first
        self.cards = {
            row["name"]: Card(row["name"], frozenset(row["tags"].split()), steps_of(row["effect"]))
            for sheet in ("stationery", "starting_deck", "turn_markers")
            for row in read(folder, sheet)
        }
        self.markers = [self.cards[row["name"]] for row in read(folder, "turn_markers")]
        self.targets = {
            row["name"]: Target(
                row["name"], int(row["defence"]), int(row["bounty"]), steps_of(row["bonus"]), row["end_bonus"]
            )
            for row in read(folder, "targets")
        }
        self.zombie = next(self.targets[row["name"]] for row in read(folder, "targets") if row["stack"] == "zombie")
        self.spaces = [
            Space(row["name"], i, steps_of(row[f"space_{i}"]))
            for row in read(folder, "departments")
            for i in (1, 2, 3)
            if row["name"] in departments and row[f"space_{i}"]
        ]
        self.supply = [self.cards[r["name"]] for r in read(folder, "stationery") for _ in range(int(r["copies"]))]
        self.supply_discard: list[Card] = []
        self.row: list[Card] = []
        self.target_deck = [self.targets[r["name"]] for r in read(folder, "targets") for _ in range(int(r["copies"]))]
        self.target_deck = [t for t in self.target_deck if t is not self.zombie]
        self.bottom: deque[Target] = deque()
        self.face_up: list[Target | None] = [None, None, None, self.zombie]
        self.zombies_left = 4
        self.standing: dict[Space, Player] = {}
        self.open_markers: list[Card] = []
        self.trashed: list[Card] = []
        self.tomorrow: Player | None = None
        self.attempt: Target | None = None
        self.day = 0
        self.over = False
        self.fill_row()
        for place in range(3):
            self.face_up[place] = self.next_target()
        for turn in range(players):
            player = self.players[(first + turn) % players]
            player.deck = [
                self.cards[r["name"]] for r in read(folder, "starting_deck") for _ in range(int(r["copies"]))
            ]
            self.draw(player, 5 if turn < 2 else 6)

    # -- a week -------------------------------------------------------------------------------------------------

    def week(self) -> Choosing:
        for self.day in range(1, 6):
            self.open_markers.append(self.markers[self.day - 1])
            for player in self.players:
                player.unplaced = 5 if len(self.players) == 2 else 4
            at = self.first
            while any(player.unplaced for player in self.players):
                player = self.players[at % len(self.players)]
                if player.unplaced:
                    yield from self.placement(player)
                at += 1
            for player in self.players:
                player.in_security = player.skipped = 0
                player.attempted = False
                player.lasting = []
            self.standing = {}
            self.first = self.tomorrow.seat if self.tomorrow else (self.first + 1) % len(self.players)
            self.tomorrow = None
        self.over = True

    def placement(self, player: Player) -> Choosing:
        choices = [f"occupy {space}" for space in self.spaces if space not in self.standing]
        choices += [f"attempt {name}" for name in {target.name for target in self.face_up if target}]
        choice = yield player.seat, choices or ["skip"]
        player.unplaced -= 1
        if choice == "skip":
            player.skipped += 1
        elif choice.startswith("attempt "):
            yield from self.assassination(player, self.targets[choice.removeprefix("attempt ")])
        else:
            space = next(s for s in self.spaces if choice == f"occupy {s}")
            yield from self.occupy(player, space)
            last = player.unplaced == 0 and not (self.options["quick_scope"] == "day" and player.attempted)
            if self.options["quick_mode"] == "yes" and last:
                self.throw_away_hand(player)
                self.draw(player, 5)

    def occupy(self, player: Player, space: Space) -> Choosing:
        self.standing[space] = player
        yield from self.follow(player, space.steps, space)

    # -- keywords -----------------------------------------------------------------------------------------------

    def draw(self, player: Player, count: int) -> None:
        for _ in range(count):
            if not player.deck:
                player.deck, player.discard = player.discard, []
            if not player.deck:
                return
            card = self.cards[self.told.own.popleft()]
            player.deck.remove(card)
            player.hand.append(card)

    def throw_away_hand(self, player: Player) -> None:
        player.discard += player.hand
        player.hand = []

    def supply_card(self) -> Card | None:
        if not self.supply:
            self.supply, self.supply_discard = self.supply_discard, []
        if not self.supply:
            return None
        card = self.cards[self.told.supply.popleft()]
        self.supply.remove(card)
        return card

    def fill_row(self) -> None:
        while len(self.row) < 4 and (card := self.supply_card()):
            self.row.append(card)

    def next_target(self) -> Target | None:
        if self.target_deck:
            target = self.targets[self.told.targets.popleft()]
            self.target_deck.remove(target)
            return target
        if self.bottom:
            target = self.bottom.popleft()
            assert self.told.targets.popleft() == target.name
            return target
        return None

    def follow(self, player: Player, steps: Iterable[str], where: Space | None, declinable: bool = False) -> Choosing:
        for step in steps:
            if step.startswith("choose "):
                options = step.removeprefix("choose ").split(" / ")
                choice = yield player.seat, [f"choose {i + 1}" for i in range(len(options))]
                yield from self.follow(player, [options[int(choice.split()[1]) - 1]], where, declinable)
            else:
                yield from self.do(player, step.removeprefix("may "), where, declinable or step.startswith("may "))

    def do(self, player: Player, step: str, where: Space | None, may: bool) -> Choosing:
        verb, count = step.split(maxsplit=1)[0], number(step)
        if verb in ("draw", "clear", "cycle", "release", "research"):
            possible = {
                "draw": player.deck + player.discard,
                "clear": self.row,
                "cycle": player.hand,
                "release": [1] * player.in_security,
                "research": self.supply + self.supply_discard,
            }[verb]
            if not possible:
                return
            if may and (yield player.seat, ["accept", "decline"]) == "decline":
                return
        if verb == "draw":
            self.draw(player, count)
        elif verb == "clear":
            self.supply_discard += self.row
            self.row = []
            self.fill_row()
        elif verb == "cycle":
            cards = len(player.hand)
            self.throw_away_hand(player)
            self.draw(player, cards)
        elif verb == "release":
            freed = min(count, player.in_security)
            player.in_security -= freed
            player.unplaced += freed
        elif verb == "start_marker":
            self.tomorrow = player
        elif verb.startswith("here_"):
            assert where is not None
            player.lasting.append((where, step))
        elif verb == "research":
            looked = [card for card in (self.supply_card() for _ in range(count)) if card]
            choice = yield player.seat, sorted({f"keep {card.name}" for card in looked})
            kept = self.cards[choice.removeprefix("keep ")]
            looked.remove(kept)
            player.hand.append(kept)
            self.supply_discard += looked
        elif verb == "discard" and step.endswith("identical"):
            counts = Counter(card.name for card in player.hand)
            choices = [f"discard {name}" for name, n in counts.items() if n >= count]
            if choices:
                choice = yield player.seat, choices + (["decline"] if may else [])
                if choice != "decline":
                    for _ in range(count):
                        self.give(player, choice, player.discard)
        else:
            for _ in range(count):
                choices = self.picks(player, step, where)
                if not choices:
                    return
                choice = yield player.seat, choices + (["decline"] if may else [])
                if choice == "decline":
                    return
                yield from self.pick(player, choice)

    def picks(self, player: Player, step: str, where: Space | None) -> list[str]:
        verb, *rest = step.split()
        names: Iterable[str]
        if verb == "discard":
            names = {c.name for c in player.hand if len(rest) == 1 or rest[1] in c.tags}
        elif verb == "trash":
            names = {c.name for c in player.hand}
        elif verb == "gain":
            names = {c.name for c in self.row}
        elif verb == "recover":
            names = {c.name for c in player.discard}
        elif verb == "swap_target":
            return [f"swap {name}" for name in {t.name for t in self.face_up if t and t is not self.zombie}]
        elif verb == "evict":
            names = [str(space) for space, other in self.standing.items() if other is not player]
        else:
            assert verb == "relocate"
            assert where is not None
            if len(self.standing) == len(self.spaces):
                return []
            mine = [s for s, other in self.standing.items() if other is player and s.department != where.department]
            return [f"move from {space}" for space in mine]
        return [f"{verb} {name}" for name in names]

    def give(self, player: Player, choice: str, pile: list[Card]) -> None:
        card = self.cards[choice.split(" ", 1)[1]]
        player.hand.remove(card)
        pile.append(card)

    def pick(self, player: Player, choice: str) -> Choosing:
        verb, name = choice.split(" ", 1)
        if verb == "discard":
            self.give(player, choice, player.discard)
        elif verb == "trash":
            self.give(player, choice, self.trashed)
        elif verb == "gain":
            self.row.remove(self.cards[name])
            player.hand.append(self.cards[name])
            self.fill_row()
        elif verb == "recover":
            player.discard.remove(self.cards[name])
            player.hand.append(self.cards[name])
        elif verb == "swap":
            place = self.face_up.index(self.targets[name])
            self.bottom.append(self.targets[name])
            self.face_up[place] = self.next_target()
        elif verb == "evict":
            space = next(s for s in self.spaces if str(s) == name)
            self.leave(space).in_security += 1
        else:
            origin = next(s for s in self.spaces if f"from {s}" == name)
            free = [s for s in self.spaces if s not in self.standing]
            to = yield player.seat, [f"move to {s}" for s in free]
            self.leave(origin)
            yield from self.occupy(player, next(s for s in free if to == f"move to {s}"))

    def leave(self, space: Space) -> Player:
        player = self.standing.pop(space)
        player.lasting = [(at, step) for at, step in player.lasting if at != space]
        return player

    # -- attempts -----------------------------------------------------------------------------------------------

    def assassination(self, player: Player, target: Target) -> Choosing:
        place = self.face_up.index(target)
        player.attempted = True
        self.attempt = target
        while self.attack(player) < target.defence:
            choices = [f"play {name}" for name in {c.name for c in player.hand if self.playable(player, c)}]
            if not choices:
                break
            choice = yield player.seat, choices + (["stop"] if self.options["may_stop_early"] == "yes" else [])
            if choice == "stop":
                break
            self.give(player, choice, player.played)
            acting = [s for s in player.played[-1].steps if not re.match(r"attack|buff|end_bounty", s)]
            yield from self.follow(player, acting, None)
        success = self.attack(player) >= target.defence
        size = max([5, *(number(step) for _, step in player.lasting if step.startswith("here_hand"))])
        if success:
            player.trophies.append(target)
            if target is not self.zombie or self.options["zombie_refill"] == "target_deck":
                self.face_up[place] = self.next_target()
            elif self.zombies_left:
                self.zombies_left -= 1
            else:
                self.face_up[place] = None
            player.discard += self.open_markers
            self.open_markers = []
            size = max([size, *(number(bonus) for bonus in target.bonus if bonus.startswith("new_hand"))])
        self.attempt = None
        if success and "release_self" in target.bonus:
            player.unplaced += 1
        else:
            player.in_security += 1
        player.discard += player.played
        player.played = []
        self.throw_away_hand(player)
        self.draw(player, size)
        if success:
            rewards = [b for b in target.bonus if not b.startswith(("new_hand", "release_self"))]
            yield from self.follow(player, rewards, None, declinable=True)

    def attack(self, player: Player) -> int:
        assert self.attempt is not None
        texts = [step for card in player.played for step in card.steps] + [step for _, step in player.lasting]
        return sum(self.worth(step, player, self.attempt.defence) for step in texts)

    def worth(self, step: str, player: Player, defence: int) -> int:
        tagged = Counter(tag for card in player.played for tag in card.tags)
        if m := re.fullmatch(r"(?:here_)?attack (\d+)", step):
            return int(m[1])
        if m := re.fullmatch(r"(?:(?:here_)?attack_per|buff) (\S+) (\d+) max (\d+)", step):
            return int(m[2]) * min(tagged[m[1]], int(m[3]))
        if m := re.fullmatch(r"attack_if tag:(\S+)>=(\d+) (\d+)", step):
            return int(m[3]) if tagged[m[1]] >= int(m[2]) else 0
        if m := re.fullmatch(r"attack_if played>=(\d+) (\d+)", step):
            return int(m[2]) if len(player.played) >= int(m[1]) else 0
        if m := re.fullmatch(r"(?:attack_if defence>=|here_defence_if )(\d+) (\d+)", step):
            return int(m[2]) if defence >= int(m[1]) else 0
        if m := re.fullmatch(r"attack_if hand=0 (\d+)", step):
            return 0 if player.hand else int(m[1])
        return 0

    def playable(self, player: Player, card: Card) -> bool:
        """TA-6.4 and its rulings: can all that the card says be fulfilled, in order?"""
        hand = player.hand.copy()
        hand.remove(card)
        in_hand, deck, discard = len(hand), len(player.deck), len(player.discard)
        row, supply = len(self.row), len(self.supply) + len(self.supply_discard)
        for step in card.steps:
            verb, count = step.split()[0], number(step)
            if verb == "draw":
                if self.options["strict_draw"] == "yes" and count > deck + discard:
                    return False
                count = min(count, deck + discard)
                if count > deck:
                    deck, discard = deck + discard, 0
                deck -= count
                in_hand += count
            elif verb in ("discard", "trash"):
                kind = step.split()[2] if len(step.split()) > 2 else ""
                if kind == "identical" and max(Counter(c.name for c in hand).values(), default=0) < count:
                    return False
                if kind not in ("", "identical") and sum(kind in c.tags for c in hand) < count:
                    return False
                if in_hand < count:
                    return False
                in_hand -= count
                discard += count if verb == "discard" else 0
            elif verb in ("gain", "clear"):
                if not row:
                    return False
            elif verb == "research":
                if not supply:
                    return False
            elif verb == "recover" and discard < count:
                return False
        return True

    # -- the end ------------------------------------------------------------------------------------------------

    def bounty(self, player: Player) -> int:
        total = sum(target.bounty for target in player.trophies)
        names = [target.name for target in player.trophies]
        for target in player.trophies:
            if m := re.fullmatch(r"end_per name:(.+) (\d+)", target.end):
                total += names.count(m[1]) * int(m[2])
            elif m := re.fullmatch(r"end_per distinct (\d+) (\d+) max (\d+)", target.end):
                total += min(len(set(names)) // int(m[1]) * int(m[2]), int(m[3]))
        for card in player.hand + player.deck + player.discard:
            total += sum(number(step) for step in card.steps if step.startswith("end_bounty"))
        return total

    def places(self) -> dict[int, int]:
        few = self.options["tie_break"] == "fewest_targets"
        merits = {p.seat: (-self.bounty(p), len(p.trophies) if few else 0) for p in self.players}
        return {seat: 1 + sum(other < merit for other in merits.values()) for seat, merit in merits.items()}
