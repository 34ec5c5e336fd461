"""Results of games, and ratings made from them: openskill's Plackett-Luce model, which knows ties and many players.

A rated game counts for the accounts that held their seats from the start to the end. Everything here follows from the
logs: a game's place in the order is the time of its last decision, then the table's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from openskill.models import PlackettLuce, PlackettLuceRating

from shopfloor.tables.schema import RESULTS

if TYPE_CHECKING:
    from shopfloor.tables.fold import Fold
    from shopfloor.tables.store import Store

MODEL: Final = PlackettLuce()
FEW: Final = 5
"""A leaderboard is shown from so many people on."""


@dataclass(frozen=True)
class Result:
    """One account's place in a finished game. mu, sigma: its rating after it; None where the game was not rated."""

    table_id: str
    seat: int
    player: str
    game: str
    at: float
    place: int
    players: int
    mu: float | None
    sigma: float | None


@dataclass(frozen=True)
class Rating:
    """How strong an account is taken to be at a game: normally distributed, after so many games."""

    player: str
    game: str
    mu: float
    sigma: float
    games: int

    @property
    def surely(self) -> float:
        """What the strength is at least, almost surely: what leaderboards go by."""
        return self.mu - 3 * self.sigma


def results_of(fold: Fold) -> list[Result]:
    """The results of a finished game, without ratings; none for seats that changed hands."""
    if not fold.over or fold.state is None or fold.rules_gone:
        return []
    places = {rank.seat: rank.place for rank in fold.state.standing().ranks}
    held = {
        seat: token
        for seat, token in enumerate(fold.tokens)
        if token is not None and token[0] in "@!" and token == fold.starters[seat]
    }
    header = fold.header
    return [
        Result(header.id, seat, token, header.game, fold.over_at, places[seat], header.players, None, None)
        for seat, token in sorted(held.items())
    ]


def rated(fold: Fold) -> bool:
    """Does this game change ratings?"""
    return fold.rated and len(results_of(fold)) > 1


def settle(connection: sa.Connection, fold: Fold) -> None:
    """Store the results of a table as it is now, in the place of those that it had; ratings follow."""
    table_id, game = fold.header.id, fold.header.game
    before = connection.execute(sa.select(RESULTS.c.at, RESULTS.c.rated).where(RESULTS.c.table_id == table_id)).first()
    found = results_of(fold)
    counts = rated(fold)
    if connection.dialect.name == "postgresql" and (counts or (before is not None and before.rated)):
        # Ratings are made one game after the other.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(f"ratings {game}"))))
    if before is not None:
        connection.execute(RESULTS.delete().where(RESULTS.c.table_id == table_id))
    if found:
        connection.execute(RESULTS.insert(), [_row(result, counts) for result in found])
    since = [at for at, was in ((fold.over_at, counts), (before.at if before else 0.0, before and before.rated)) if was]
    if since:
        rerate(connection, game, min(since))


def _row(result: Result, counts: bool) -> dict[str, Any]:
    return {**result.__dict__, "rated": counts}


def rerate(connection: sa.Connection, game: str, since: float = 0.0) -> None:
    """Make the ratings of a game anew, from the games that ended at a time on."""
    order = (RESULTS.c.at, RESULTS.c.table_id, RESULTS.c.place, RESULTS.c.seat)
    query = sa.select(RESULTS).where(RESULTS.c.game == game, RESULTS.c.rated, RESULTS.c.at >= since).order_by(*order)
    rows = connection.execute(query).all()
    known: dict[str, tuple[float, float] | None] = {}
    for player in {row.player for row in rows}:
        known[player] = _before(connection, game, player, since) if since else None
    for table_id in dict.fromkeys(row.table_id for row in rows):
        ones = [row for row in rows if row.table_id == table_id]
        after = rate([known[row.player] for row in ones], [row.place for row in ones])
        for row, (mu, sigma) in zip(ones, after, strict=True):
            known[row.player] = (mu, sigma)
            if (row.mu, row.sigma) != (mu, sigma):
                one = sa.and_(RESULTS.c.table_id == table_id, RESULTS.c.seat == row.seat)
                connection.execute(RESULTS.update().where(one).values(mu=mu, sigma=sigma))


def _before(connection: sa.Connection, game: str, player: str, since: float) -> tuple[float, float] | None:
    own = (RESULTS.c.game == game, RESULTS.c.player == player, RESULTS.c.rated, RESULTS.c.at < since)
    query = sa.select(RESULTS.c.mu, RESULTS.c.sigma).where(*own)
    row = connection.execute(query.order_by(RESULTS.c.at.desc(), RESULTS.c.table_id.desc()).limit(1)).first()
    return None if row is None else (row.mu, row.sigma)


def rate(before: Sequence[tuple[float, float] | None], places: Sequence[int]) -> list[tuple[float, float]]:
    """The ratings after a game, from those before it (None: a newcomer) and the places, equal where shared."""
    teams = [[MODEL.rating() if one is None else MODEL.rating(*one)] for one in before]
    after: list[list[PlackettLuceRating]] = MODEL.rate(teams, ranks=[float(place) for place in places])
    return [(team[0].mu, team[0].sigma) for team in after]


class Ratings:
    """Results and ratings in a database, to be looked at."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def results(self, player: str, limit: int = 100, only_rated: bool = False) -> list[Result]:
        """A player's results, the newest first."""
        query = sa.select(RESULTS).where(RESULTS.c.player == player)
        if only_rated:
            query = query.where(RESULTS.c.rated)
        query = query.order_by(RESULTS.c.at.desc(), RESULTS.c.table_id).limit(limit)
        with self._store.reading() as connection:
            return [_result(row) for row in connection.execute(query)]

    def of_table(self, table_id: str) -> list[Result]:
        """What is stored of a table."""
        with self._store.reading() as connection:
            rows = connection.execute(sa.select(RESULTS).where(RESULTS.c.table_id == table_id))
            return [_result(row) for row in rows]

    def replace(self, results: Sequence[Result]) -> int:
        """Store these, and nothing else. How many were different, missing or too much?"""
        with self._store.writing() as connection:
            before = {_result(row) for row in connection.execute(sa.select(RESULTS))}
            connection.execute(RESULTS.delete())
            if results:
                connection.execute(RESULTS.insert(), [_row(one, one.mu is not None) for one in results])
        return len({(one.table_id, one.seat) for one in before ^ set(results)})

    def of(self, player: str) -> list[Rating]:
        """A player's ratings, by game."""
        query = sa.select(RESULTS).where(RESULTS.c.player == player, RESULTS.c.rated)
        with self._store.reading() as connection:
            rows = connection.execute(query.order_by(RESULTS.c.at, RESULTS.c.table_id)).all()
        return [_rating([row for row in rows if row.game == game]) for game in sorted({row.game for row in rows})]

    def leaderboard(self, game: str, limit: int = 100) -> list[Rating]:
        """Those who have a rating at a game and an account, the surely strongest first; nobody where they are few."""
        mine = RESULTS.alias()
        later = sa.or_(
            mine.c.at > RESULTS.c.at, sa.and_(mine.c.at == RESULTS.c.at, mine.c.table_id > RESULTS.c.table_id)
        )
        newer = sa.exists().where(mine.c.player == RESULTS.c.player, mine.c.game == game, mine.c.rated, later)
        counts = (
            sa.select(RESULTS.c.player, sa.func.count().label("games"))
            .where(RESULTS.c.game == game, RESULTS.c.rated)
            .group_by(RESULTS.c.player)
            .subquery()
        )
        query = (
            sa.select(RESULTS.c.player, RESULTS.c.mu, RESULTS.c.sigma, counts.c.games)
            .join(counts, counts.c.player == RESULTS.c.player)
            .where(RESULTS.c.game == game, RESULTS.c.rated, RESULTS.c.player.startswith("@"), ~newer)
        )
        with self._store.reading() as connection:
            found = [Rating(row.player, game, row.mu, row.sigma, row.games) for row in connection.execute(query)]
        if len(found) < FEW:
            return []
        return sorted(found, key=lambda rating: (-rating.surely, rating.player))[:limit]


def _result(row: Any) -> Result:
    return Result(row.table_id, row.seat, row.player, row.game, row.at, row.place, row.players, row.mu, row.sigma)


def _rating(rows: Sequence[Any]) -> Rating:
    return Rating(rows[-1].player, rows[-1].game, rows[-1].mu, rows[-1].sigma, len(rows))


def recounted(games: Iterable[tuple[Sequence[Result], bool]]) -> list[Result]:
    """Ratings made anew from the results of whole games, each with whether it counts; in the order in which they do."""
    known: dict[tuple[str, str], tuple[float, float]] = {}
    made: list[Result] = []
    for results, counts in sorted(
        (game for game in games if game[0]), key=lambda game: (game[0][0].at, game[0][0].table_id)
    ):
        found = sorted(results, key=lambda one: (one.place, one.seat))
        after: list[tuple[float, float] | None] = [None] * len(found)
        if counts:
            after = list(rate([known.get((one.game, one.player)) for one in found], [one.place for one in found]))
        for one, rating in zip(found, after, strict=True):
            if rating is not None:
                known[one.game, one.player] = rating
            mu, sigma = rating or (None, None)
            made.append(replace(one, mu=mu, sigma=sigma))
    return made
