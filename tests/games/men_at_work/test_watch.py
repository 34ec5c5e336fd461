"""The accident watch on sequences of physics steps written down by hand."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from shopfloor.games.men_at_work.pieces import (
    ARM_L,
    ARM_R,
    BOX_EDGE,
    BOX_FLOOR,
    INSERT,
    LEG_L,
    PLATFORM,
    SURFACE,
)
from shopfloor.games.men_at_work.watch import ANYBODY, Sight, Watch, WatchRules
from tests.games.men_at_work.table import beam, brick, g, hat, s, w

Touches = Iterable[tuple[int, int]]


class Film:
    """A watch that is shown pieces one at a time."""

    def __init__(self, heights: dict[int, float], start=(), wearers=None, **rules) -> None:
        self.watch = Watch(WatchRules(**rules), start, heights, wearers or {})

    def show(self, piece: int, z: float, *touches: tuple[int, int] | int) -> Film:
        pairs = frozenset((t, 0) if isinstance(t, int) else t for t in touches)
        self.watch.step([Sight(piece, z, pairs)])
        return self

    def fall(self, piece: int, start: float, end: float, *touches) -> Film:
        """In the air from one height to the other, and then this touch."""
        for k in range(6):
            self.show(piece, start + (end - start) * k / 5)
        return self.show(piece, end, *touches)

    @property
    def accident(self) -> tuple[str, int, int] | None:
        found = self.watch.accident
        return (found.kind, found.piece, found.on) if found else None


@pytest.mark.rule("MW-J.11", "MW-9.1", "MW-T.56", "MW-A.14")
def test_an_old_piece_on_the_table() -> None:
    film = Film({brick(3): 80.0}).fall(brick(3), 80.0, 4.0, SURFACE)
    assert film.accident == ("surface", brick(3), SURFACE)
    # Even without a fall to speak of.
    assert Film({g("K"): 8.0}).show(g("K"), 6.0, SURFACE).accident == ("surface", g("K"), SURFACE)


@pytest.mark.rule("MW-I.15", "MW-J.11")
def test_what_lay_there_already_is_nothing_new() -> None:
    film = Film({g("K"): 5.0}, start=[(g("K"), SURFACE, 0)])
    for _ in range(5):
        film.show(g("K"), 5.0, SURFACE)
    assert film.accident is None


@pytest.mark.rule("MW-T.61", "MW-A.14")
def test_one_step_is_enough() -> None:
    film = Film({g("K"): 60.0}, start=[(g("K"), s(1), 0)])
    film.show(g("K"), 58.0, s(1)).show(g("K"), 57.0, s(1), SURFACE).show(g("K"), 60.0, s(1))
    assert film.accident == ("surface", g("K"), SURFACE)
    film.show(brick(1), 4.0, SURFACE)
    assert film.accident == ("surface", g("K"), SURFACE)  # the first one counts


@pytest.mark.rule("MW-T.57", "MW-9.2", "MW-9.6", "MW-A.15", "MW-A.23", "MW-J.12", "MW-J.9")
def test_a_hat_on_another_worker() -> None:
    def drop(on):
        return Film({hat(1): 100.0}, wearers={hat(1): w(1)}).fall(hat(1), 100.0, 60.0, on).accident

    assert drop((w(2), ARM_L)) == ("worker", hat(1), w(2))
    assert drop(g("K")) is None
    assert drop((w(1), ARM_L)) is None  # his own
    off = Film({hat(1): 100.0}, worker_landing=False)
    assert off.fall(hat(1), 100.0, 60.0, (w(2), ARM_L)).accident is None


@pytest.mark.rule("MW-T.58", "MW-A.15", "MW-J.9")
@pytest.mark.parametrize(("drop", "accident"), [(3.0, False), (5.0, False), (5.1, True), (7.0, True)])
def test_a_girder_that_tilts_against_a_worker(drop, accident) -> None:
    film = Film({g("K"): 60.0}, start=[(g("K"), s(1), 0)])
    film.show(g("K"), 60.0 - drop, s(1), (w(2), ARM_R))
    assert (film.accident is not None) == accident
    # Whichever comes first, the touch or the fall.
    slow = Film({g("K"): 60.0}, start=[(g("K"), s(1), 0)]).show(g("K"), 59.0, s(1), (w(2), ARM_R))
    assert slow.accident is None
    assert (slow.show(g("K"), 60.0 - drop, s(1), (w(2), ARM_R)).accident is not None) == accident


@pytest.mark.rule("MW-T.59", "MW-9.7", "MW-A.17")
def test_supports() -> None:
    assert Film({s(3): 25.0}).fall(s(3), 75.0, 12.0, SURFACE).accident is None
    assert Film({s(3): 75.0}).fall(s(3), 75.0, 30.0, (w(2), LEG_L)).accident is None
    both = Film({s(3): 75.0, beam(1): 80.0}).fall(s(3), 75.0, 12.0, SURFACE).fall(beam(1), 80.0, 4.0, SURFACE)
    assert both.accident == ("surface", beam(1), SURFACE)
    assert both.watch.fell == {s(3), beam(1)}


@pytest.mark.rule("MW-T.62", "MW-A.16", "MW-A.63")
def test_a_load_that_slips() -> None:
    def slip(on, **rules):
        film = Film({w(9): 60.0}, **rules)
        film.watch.grip([brick(1)])
        film.watch.carry(brick(1), [w(9)])
        film.show(brick(1), 90.0)
        film.watch.release({brick(1): 70.0})
        return film.fall(brick(1), 70.0, 50.0, on)

    assert slip((w(9), LEG_L)).accident is None
    assert slip((w(9), LEG_L)).watch.fell == {brick(1)}
    assert slip((w(2), LEG_L)).accident == ("worker", brick(1), w(2))
    assert slip((w(2), LEG_L), own_lenient=True).accident is None
    film = Film({})
    film.watch.carry(brick(1), [ANYBODY])
    film.watch.grip([brick(1)])
    film.watch.release({brick(1): 70.0})
    assert film.fall(brick(1), 70.0, 50.0, (w(2), LEG_L)).accident is None


@pytest.mark.rule("MW-T.31", "MW-T.65", "MW-A.14", "MW-A.16")
def test_this_turns_piece_on_the_table() -> None:
    def place(z: float, **rules):
        film = Film({}, **rules)
        film.watch.grip([g("K")])
        film.show(g("K"), 5.0, SURFACE)  # in the hand
        assert film.accident is None
        film.show(g("K"), 45.0)
        film.watch.release({g("K"): 45.0})
        return film.show(g("K"), z, SURFACE)

    assert place(43.0).accident is None
    assert place(43.0, surface_any=True).accident == ("surface", g("K"), SURFACE)
    assert place(5.0).accident == ("surface", g("K"), SURFACE)
    assert place(5.0, own_lenient=True).accident is None


@pytest.mark.rule("MW-T.96", "MW-J.9", "MW-T.25")
def test_a_piece_that_was_lifted_and_slips_off() -> None:
    held, lifted = g("K"), beam(1)
    film = Film({lifted: 60.0}, start=[(lifted, g("P"), 0)])
    film.watch.grip([held])
    for z in range(60, 101, 5):
        film.watch.step(
            [
                Sight(held, z - 8.0, frozenset({(lifted, 0)})),
                Sight(lifted, float(z), frozenset({(held, 0)})),
            ]
        )
    assert film.accident is None
    down = [Sight(held, 52.0, frozenset({(lifted, 0)})), Sight(lifted, 60.0, frozenset({(held, 0), (g("P"), 0)}))]
    film.watch.step(down)
    assert (film.accident, film.watch.fell) == (None, set())
    film.watch.step(
        [
            Sight(held, 92.0, frozenset({(lifted, 0)})),
            Sight(lifted, 100.0, frozenset({(held, 0), (w(2), ARM_L)})),
        ]
    )
    assert film.accident is None
    for down_to in (100.0, 90.0, 75.0):
        film.watch.step([Sight(held, 92.0), Sight(lifted, down_to)])
    film.watch.step([Sight(held, 92.0), Sight(lifted, 60.0, frozenset({(w(2), LEG_L)}))])
    assert film.accident == ("worker", lifted, w(2))


@pytest.mark.rule("MW-T.97", "MW-J.12")
def test_down_its_own_carriers_body() -> None:
    film = Film({beam(1): 80.0}, start=[(beam(1), w(1), ARM_L)], wearers={hat(1): w(1)})
    film.show(beam(1), 76.0, (w(1), ARM_L))
    film.show(beam(1), 60.0, (w(1), LEG_L))
    assert film.accident == ("worker", beam(1), w(1))
    own = Film({hat(1): 90.0}, wearers={hat(1): w(1)}).fall(hat(1), 90.0, 75.0, (w(1), ARM_L))
    assert own.accident is None


@pytest.mark.rule("MW-T.98", "MW-J.9", "MW-A.23")
def test_the_hat_comes_off_on_the_way() -> None:
    def lose(on):
        film = Film({})
        film.watch.grip([w(2), hat(1)])
        for z in (30.0, 80.0, 120.0):
            film.watch.step(
                [
                    Sight(w(2), z, frozenset({(hat(1), 0)})),
                    Sight(hat(1), z + 21, frozenset({(w(2), 5)})),
                ]
            )
        for z in (130.0, 80.0):
            film.watch.step([Sight(w(2), 120.0), Sight(hat(1), z)])
        return film.show(hat(1), 3.0, on)

    assert lose(SURFACE).accident == ("surface", hat(1), SURFACE)
    assert lose(g("K")).accident is None
    assert lose(g("K")).watch.fell == {hat(1)}


@pytest.mark.rule("MW-T.87", "MW-J.13", "MW-A.51")
def test_the_platform() -> None:
    def drop(by: float, **rules):
        return Film({brick(1): 30.0}, **rules).fall(brick(1), 30.0, 30.0 - by, PLATFORM).accident

    assert drop(25.0, crane=True) == ("platform", brick(1), PLATFORM)
    assert drop(25.0) is None
    film = Film({}, crane=True)
    film.watch.grip([g("K")])
    film.watch.release({g("K"): 8.0})
    assert film.show(g("K"), 7.0, PLATFORM).accident is None


@pytest.mark.rule("MW-T.89", "MW-15.6", "MW-15.7", "MW-J.14", "MW-A.50")
def test_in_the_box() -> None:
    film = Film({}, skyscraper=True)
    film.watch.grip([g("K")])
    film.show(g("K"), 30.0, BOX_FLOOR)
    assert film.accident is None
    film.watch.release({g("K"): 30.0})
    assert film.show(g("K"), 29.0, BOX_FLOOR).accident == ("floor", g("K"), BOX_FLOOR)
    assert Film({}).show(g("K"), 29.0, BOX_FLOOR).accident is None

    def topple(on, **rules):
        return Film({s(1): 93.0}, **rules).fall(s(1), 93.0, 55.0, on).accident

    for on in (INSERT, BOX_FLOOR, SURFACE, (w(1), ARM_L)):
        body = on[0] if isinstance(on, tuple) else on
        assert topple(on, skyscraper=True) == ("support", s(1), body)
    assert topple(INSERT) is None
    assert topple(g("K"), skyscraper=True) is None
    assert topple(BOX_EDGE, skyscraper=True) is None
    away = Film({s(1): 93.0}, skyscraper=True)
    away.watch.outside.add(s(1))
    assert away.show(s(1), 50.0).accident == ("support", s(1), SURFACE)


def test_a_copy_has_seen_the_same_and_sees_the_rest_alone() -> None:
    film = Film({hat(1): 100.0, brick(1): 60.0}, start=[(brick(1), w(1), ARM_L)], wearers={hat(1): w(1)}, crane=True)
    film.watch.grip([w(3), hat(3), beam(1)])
    film.watch.carry(beam(1), [ANYBODY])
    film.watch.release({w(3): 90.0})
    film.watch.outside.add(g("K"))
    film.show(brick(1), 60.0).show(brick(1), 50.0)
    other = film.watch.copy()
    assert vars(other) == vars(film.watch)
    film.show(brick(1), 30.0, (w(2), ARM_L))
    film.watch.grip([g("O")])
    assert film.accident is not None
    assert other.accident is None
    changed = [name for name, value in vars(other).items() if isinstance(value, (dict, set)) and value]
    assert "flying" in changed
    assert all(vars(other)[name] is not vars(film.watch)[name] for name in changed)
