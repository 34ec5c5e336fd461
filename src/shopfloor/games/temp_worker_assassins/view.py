"""What a seat may know of a game of Temp Worker Assassins, and nothing else (section 2, second table)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shopfloor.engine.ranking import RankView, rank_views
from shopfloor.engine.views import View
from shopfloor.games.temp_worker_assassins.attempt import term_value
from shopfloor.games.temp_worker_assassins.cards import DAYS, Cards
from shopfloor.games.temp_worker_assassins.effects import WIDTH
from shopfloor.games.temp_worker_assassins.outlook import sure_attack
from shopfloor.games.temp_worker_assassins.position import ASK_NAMES, GAME_OVER, NONE, OLDER, PHASE_NAMES
from shopfloor.games.temp_worker_assassins.rules import TempWorkerAssassins


@dataclass(frozen=True)
class CardView:
    """A card. card: the number of its kind. effect: as the edition writes it. count: how many of them, in a pile."""

    card: int
    id: str
    name: str
    tags: tuple[str, ...]
    effect: str
    count: int


@dataclass(frozen=True)
class TargetView:
    """A Target. target: the number of its kind. bonus, end_bonus: as the edition writes them, or empty."""

    target: int
    id: str
    name: str
    defence: int
    bounty: int
    bonus: str
    end_bonus: str
    zombie: bool


@dataclass(frozen=True)
class SpaceView:
    """An action space. space: its number in the edition; number: on its Department, from 1.

    occupant: the seat that stands there, or None. lasting: effects in force there.
    """

    space: int
    number: int
    effect: str
    occupant: int | None
    lasting: tuple[str, ...]


@dataclass(frozen=True)
class DepartmentView:
    """A Department. group: starting, hard, four_player, first_game or other. security: where used assassins go."""

    department: int
    id: str
    name: str
    group: str
    security: bool
    spaces: tuple[SpaceView, ...]


@dataclass(frozen=True)
class MarkerView:
    """A Turn Marker. state: below (days to come), open (to be won), won; winner: the seat, or None."""

    day: int
    card: CardView
    state: str
    winner: int | None


@dataclass(frozen=True)
class PlayedView:
    """A card played in the attempt. attack: what it adds as things stand."""

    card: CardView
    attack: int


@dataclass(frozen=True)
class AttemptView:
    """The attempt under way. place: of the Target (0 to 3). lasting: attack from own assassins in Departments.

    sure: for the attacker, the total that the hand surely reaches, drawn cards apart; else None. new_hand: how many
    cards the attacker draws after a success, and after a failure.
    """

    seat: int
    place: int
    target: TargetView
    total: int
    defence: int
    lasting: int
    played: tuple[PlayedView, ...]
    sure: int | None
    new_hand: tuple[int, int]


@dataclass(frozen=True)
class SeatView:
    """What can be seen of a seat.

    hand, deck: the cards, for their owner (the deck in no order) and, once the game is over, for all; else None.
    known: cards that everybody knows to be in the hand. trophies: for their owner, at the end, or where they are
    open; else None. target_bounty, set_bounty, card_bounty: likewise; cards' bounty only for their owner until the end.
    lasting: effects of the seat's own spaces in force. attempted: has attempted today.
    """

    seat: int
    unplaced: int
    security: int
    skipped: int
    hand_count: int
    hand: tuple[CardView, ...] | None
    known: tuple[CardView, ...]
    deck_count: int
    deck: tuple[CardView, ...] | None
    discard: tuple[CardView, ...]
    trophy_count: int
    trophies: tuple[TargetView, ...] | None
    target_bounty: int | None
    set_bounty: int | None
    card_bounty: int | None
    lasting: tuple[str, ...]
    attempted: bool


@dataclass(frozen=True)
class AssassinsView(View):
    """The table as seen from `seat` (None: a spectator).

    edition: the hash of the edition, by which `cards.loaded` gives it. ask: what is asked now: place, play, discard,
    trash, gain, recover, swap, evict, move_from, move_to, keep, choose, may, or nothing. effect: the step that asks,
    as the edition writes it; options: those of a choice. picks_left: picks of the step still to come, this one among
    them. legal: action ids that the viewer may choose now. here: the space whose instruction is followed, or None.
    moving: the space that a relocated assassin is leaving, or None. looked: cards of the viewer's Research;
    looked_count: how many lie before whoever researches.
    targets: three places and the Zombie's. sure_against: for each, the attack that the viewer's hand surely reaches
    against it, while the viewer is to place; else None. target_deck: cards left in it; target_under: those that openly
    lie at its bottom, the upper first. supply_unseen: what the viewer has not seen of the Supply, in the deck or kept
    by others.
    discard piles, trashed and supply_unseen are counted by kind. marker_claim: who gets the Starting Player Marker
    tomorrow by an effect, or None.
    """

    edition: str
    seat: int | None
    players: int
    phase: str
    ask: str
    effect: str
    options: tuple[str, ...]
    picks_left: int
    day: int
    current_player: int
    starting_player: int
    marker_claim: int | None
    deciders: tuple[int, ...]
    legal: tuple[int, ...]
    here: int | None
    moving: int | None
    looked: tuple[CardView, ...]
    looked_count: int
    targets: tuple[TargetView | None, ...]
    sure_against: tuple[int | None, ...]
    zombie_stack: int
    target_deck: int
    target_under: tuple[TargetView, ...]
    departments: tuple[DepartmentView, ...]
    markers: tuple[MarkerView, ...]
    supply_row: tuple[CardView, ...]
    supply_deck: int
    supply_discard: tuple[CardView, ...]
    supply_unseen: tuple[CardView, ...]
    trashed: tuple[CardView, ...]
    attempt: AttemptView | None
    seats: tuple[SeatView, ...]
    quick_mode: bool
    quick_day: bool
    may_stop_early: bool
    strict_draw: bool
    open_trophies: bool
    criteria: tuple[str, ...]
    ranks: tuple[RankView, ...]


@lru_cache(maxsize=4096)
def card_view(cards: Cards, kind: int, count: int = 1) -> CardView:
    """A card of an edition."""
    return CardView(kind, cards.ids[kind], cards.names[kind], cards.card_tags[kind], cards.effects[kind], count)


@lru_cache(maxsize=1024)
def target_view(cards: Cards, target: int) -> TargetView:
    """A Target of an edition."""
    return TargetView(
        target=target,
        id=cards.target_ids[target],
        name=cards.target_names[target],
        defence=cards.defence[target],
        bounty=cards.bounty[target],
        bonus=cards.bonuses[target],
        end_bonus=cards.end_bonuses[target],
        zombie=target == cards.zombie,
    )


def _each(cards: Cards, kinds: Iterable[int]) -> tuple[CardView, ...]:
    """Cards one by one, by kind."""
    return tuple([card_view(cards, kind) for kind in kinds])


def _pile(cards: Cards, kinds: Sequence[int]) -> tuple[CardView, ...]:
    """Cards counted by kind, ascending."""
    if not kinds:
        return ()
    return tuple([card_view(cards, kind, count) for kind, count in sorted(Counter(kinds).items())])


def _lasting(state: TempWorkerAssassins, at: int, wanted: int) -> tuple[str, ...]:
    """The lasting effects of a seat (at=0) or on a space (at=1)."""
    found = state.lasting
    if not found:
        return ()
    texts = state.cards.lasting_texts
    return tuple(texts[found[i + 2]] for i in range(0, len(found), 3) if found[i + at] == wanted)


@lru_cache(maxsize=4096)
def _space(cards: Cards, space: int, occupant: int, lasting: tuple[str, ...]) -> SpaceView:
    return SpaceView(
        space=space,
        number=cards.space_number[space],
        effect=cards.space_effects[space],
        occupant=None if occupant == NONE else occupant,
        lasting=lasting,
    )


@lru_cache(maxsize=4096)
def _department(
    cards: Cards, department: int, occupants: tuple[int, ...], lasting: tuple[tuple[str, ...], ...]
) -> DepartmentView:
    """A Department with what is on its spaces, in their order."""
    places = zip(cards.spaces_of(department), occupants, lasting, strict=True)
    name = cards.department_names[department]
    return DepartmentView(
        department,
        cards.department_ids[department],
        name,
        cards.department_groups[department],
        name == "Security",
        tuple([_space(cards, space, occupant, texts) for space, occupant, texts in places]),
    )


def _departments(state: TempWorkerAssassins) -> tuple[DepartmentView, ...]:
    cards = state.cards
    found = []
    for department in state.departments:
        spaces = cards.spaces_of(department)
        occupants = tuple(state.occupant[spaces.start : spaces.stop])
        lasting = tuple([_lasting(state, 1, space) for space in spaces])
        found.append(_department(cards, department, occupants, lasting))
    return tuple(found)


def _markers(state: TempWorkerAssassins) -> tuple[MarkerView, ...]:
    cards = state.cards
    found = []
    for day in range(1, DAYS + 1):
        winner = state.marker_winner[day - 1]
        status = "below" if day > state.day else "open" if winner == NONE else "won"
        card = card_view(cards, cards.markers + day - 1)
        found.append(MarkerView(day, card, status, None if winner == NONE else winner))
    return tuple(found)


def _attempt(state: TempWorkerAssassins, viewer: int | None) -> AttemptView | None:
    if state.target == NONE:
        return None
    cards = state.cards
    seat = state.current_player
    target = state.face_up[state.target]
    defence = cards.defence[target]
    hand = len(state.hand[seat])
    played = []
    for kind in state.played:
        worth = cards.flat[kind]
        terms = cards.terms[kind]
        for i in range(0, len(terms), 4):
            kind_, a, b, c = terms[i : i + 4]
            worth += term_value(kind_, a, b, c, cards.tag_masks, state.played, hand, defence)
        played.append(PlayedView(card_view(cards, kind), worth))
    size = state.new_hand_size(seat)
    return AttemptView(
        seat=seat,
        place=state.target,
        target=target_view(cards, target),
        total=state.attack_total(),
        defence=defence,
        lasting=state.lasting_attack(seat, defence),
        played=tuple(played),
        sure=sure_attack(state, seat, defence) if viewer == seat else None,
        new_hand=(max(size, cards.new_hand[target]), size),
    )


def _seat(state: TempWorkerAssassins, seat: int, own: bool) -> SeatView:
    cards = state.cards
    open_trophies = own or state.open_trophies
    return SeatView(
        seat=seat,
        unplaced=state.unplaced[seat],
        security=state.security[seat],
        skipped=state.skipped[seat],
        hand_count=len(state.hand[seat]),
        hand=_each(cards, state.hand[seat]) if own else None,
        known=_each(cards, sorted(state.known[seat])),
        deck_count=len(state.deck[seat]),
        deck=_pile(cards, state.deck[seat]) if own else None,
        discard=_pile(cards, state.discard[seat]),
        trophy_count=len(state.trophies[seat]),
        trophies=tuple(target_view(cards, target) for target in state.trophies[seat]) if open_trophies else None,
        target_bounty=state.target_bounty(seat) if open_trophies else None,
        set_bounty=state.set_bounty(seat) if open_trophies else None,
        card_bounty=state.card_bounty(seat) if own else None,
        lasting=_lasting(state, 0, seat),
        attempted=bool(state.attempted >> seat & 1),
    )


def _unseen_supply(state: TempWorkerAssassins, viewer: int | None) -> list[int]:
    """Supply cards whose place the viewer does not know: in the deck, before a researcher, kept by others."""
    unseen = state.supply_deck[:]
    if viewer != state.current_player:
        unseen += state.looked
    for seat in range(state.players):
        if seat != viewer:
            unseen += [entry % OLDER for entry in state.secret[seat]]
    return unseen


def view(state: TempWorkerAssassins, seat: int | None) -> AssassinsView:
    """The position as `seat` may see it; None is a spectator, who sees what is open to all."""
    cards = state.cards
    over = state.phase == GAME_OVER
    standing = state.standing() if over else None
    resolving = state.pc != NONE
    effect = cards.code_texts[state.pc // WIDTH] if resolving else ""
    options: tuple[str, ...] = ()
    picks = 0
    if ASK_NAMES[state.ask] == "choose":
        first = state.pc // WIDTH + 1
        options = cards.code_texts[first : first + state.code[state.pc + 1]]
    elif resolving:
        picks = max(state.left, 1)
    mine = seat is not None and seat == state.current_player
    placing = ASK_NAMES[state.ask] == "place"
    return AssassinsView(
        edition=cards.hash,
        seat=seat,
        players=state.players,
        phase=PHASE_NAMES[state.phase],
        ask=ASK_NAMES[state.ask],
        effect=effect,
        options=options,
        picks_left=picks,
        day=state.day,
        current_player=state.current_player,
        starting_player=state.starting_player,
        marker_claim=None if state.marker_claim == NONE else state.marker_claim,
        deciders=state.deciders(),
        legal=state.legal(seat) if seat is not None else (),
        here=None if state.here == NONE else state.here,
        moving=None if state.moving == NONE else state.moving,
        looked=_each(cards, sorted(state.looked)) if mine else (),
        looked_count=len(state.looked),
        targets=tuple(None if kind == NONE else target_view(cards, kind) for kind in state.face_up),
        sure_against=tuple(
            sure_attack(state, state.current_player, cards.defence[kind]) if mine and placing and kind != NONE else None
            for kind in state.face_up
        ),
        zombie_stack=state.zombie_stack,
        target_deck=len(state.target_deck) + len(state.target_under),
        target_under=tuple(target_view(cards, kind) for kind in state.target_under),
        departments=_departments(state),
        markers=_markers(state),
        supply_row=_each(cards, state.supply_row),
        supply_deck=len(state.supply_deck),
        supply_discard=_pile(cards, state.supply_discard),
        supply_unseen=_pile(cards, _unseen_supply(state, seat)),
        trashed=_pile(cards, state.trashed),
        attempt=_attempt(state, seat),
        seats=tuple(_seat(state, s, over or s == seat) for s in range(state.players)),
        quick_mode=state.quick,
        quick_day=state.quick_day,
        may_stop_early=state.may_stop,
        strict_draw=state.strict_draw,
        open_trophies=state.open_trophies,
        criteria=standing.criteria if standing else (),
        ranks=rank_views(standing),
    )
