"""The shelf, and the front door `import shopfloor`."""

import doctest

import pytest

import shopfloor
from shopfloor.engine.dice import FastDice, SealedDice
from shopfloor.engine.edition import EditionError
from shopfloor.engine.registry import Registry, UnknownGame
from shopfloor.engine.views import canonical
from shopfloor.games import REGISTRY


def test_games_by_id() -> None:
    assert REGISTRY.ids() == shopfloor.list_games()
    assert len(set(REGISTRY.ids())) == len(REGISTRY.ids()) == len(REGISTRY.all())
    for game in REGISTRY.all():
        assert REGISTRY.get(game.id) is game
        assert game.title
        assert game.blurb
        assert game.minutes > 0
        assert game.player_counts == tuple(sorted(set(game.player_counts)))
        assert all(option.default in option.values for option in game.options)
        assert set(game.options[0].seat_values if game.options else ()) <= set(map(str, range(max(game.player_counts))))


def test_games_are_imported_when_first_asked_for() -> None:
    registry = Registry(["no.such.package"])
    assert registry.ids() == ("package",)
    with pytest.raises(ModuleNotFoundError):
        registry.get("package")


@pytest.mark.parametrize("game", ["", "chess", "Zahltag", "x" * 1000])
def test_a_game_that_is_not_there(game: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        shopfloor.start(game, players=3)
    assert caught.value.known == REGISTRY.ids()
    assert all(known in str(caught.value) for known in REGISTRY.ids())
    assert len(str(caught.value)) < 300


def test_the_example_of_the_documentation() -> None:
    result = doctest.testmod(shopfloor)
    assert result.attempted >= 4
    assert result.failed == 0


def test_start() -> None:
    one, two = (shopfloor.start("zahltag", players=4, seed=7) for _ in range(2))
    assert one.encode() == two.encode()
    assert isinstance(one.dice, FastDice)
    assert one.players == 4
    assert isinstance(shopfloor.start("zahltag", players=2).dice, SealedDice)
    sealed = [shopfloor.start("zahltag", 2, seed) for seed in ("0f" * 32, "0F" * 32, b"\x0f" * 32)]
    assert len({s.encode() for s in sealed}) == 1
    chosen = shopfloor.start("zahltag", players=3, seed=1, options={"first_player": "2"})
    assert chosen.deciders() == (2,)


def test_start_says_what_is_wrong(tmp_path) -> None:
    with pytest.raises(shopfloor.BadSetup, match="BAD_PLAYER_COUNT"):
        shopfloor.start("zahltag", players=9)
    with pytest.raises(shopfloor.BadSetup, match="BAD_OPTION"):
        shopfloor.start("zahltag", players=3, options={"tie_debt": "maybe"})
    with pytest.raises(EditionError, match=r"jobs\.csv"):
        shopfloor.start("zahltag", players=3, edition=tmp_path)
    with pytest.raises(ValueError, match="seed"):
        shopfloor.start("zahltag", players=3, seed=-1)


def test_views_by_the_front_door() -> None:
    s = shopfloor.start("zahltag", players=3, seed=7)
    assert canonical(shopfloor.view(s, 1)) == canonical(REGISTRY.get("zahltag").view(s, 1))
    assert canonical(shopfloor.view(s, None)) != canonical(shopfloor.view(s, 1))
    with pytest.raises(ValueError, match="no seat 3"):
        shopfloor.view(s, 3)


def test_a_state_prints_nicely() -> None:
    s = shopfloor.start("zahltag", players=3, seed=7, options={"first_player": "0"})
    lines = repr(s).splitlines()
    assert lines[0] == "Zahltag, 3 players, turn 0, ADJUST_START"
    assert [line[:3] for line in lines[2:5]] == ["* A", "  B", "  C"]
    assert max(len(line) for line in lines) < 100
