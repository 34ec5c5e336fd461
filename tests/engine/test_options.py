"""Table options are completed with defaults, and refused with what would be right."""

import pytest

from shopfloor.engine.options import Option, resolve_options
from shopfloor.engine.refusals import BadSetup

OPTIONS = (
    Option("weather", ("sun", "rain"), "sun", "XX-A1"),
    Option("first", ("random", "0", "1", "2", "3"), "random", "XX-A2", ("0", "1", "2", "3")),
)


def test_defaults_fill_in() -> None:
    assert resolve_options(OPTIONS, {}, 2) == {"weather": "sun", "first": "random"}
    assert list(resolve_options(OPTIONS, {"first": "1", "weather": "rain"}, 2).items()) == [
        ("weather", "rain"),
        ("first", "1"),
    ]


def test_a_seat_must_exist() -> None:
    assert resolve_options(OPTIONS, {"first": "3"}, 4)["first"] == "3"
    with pytest.raises(BadSetup) as caught:
        resolve_options(OPTIONS, {"first": "3"}, 3)
    refusal = caught.value.refusal
    assert (refusal.code, refusal.clause) == ("BAD_OPTION", "XX-A2")
    assert refusal.facts == {"option": "first", "value": "3", "allowed": ["random", "0", "1", "2"]}


@pytest.mark.parametrize("value", ["", "Sun", "snow", "x" * 500])
def test_a_value_must_exist(value: str) -> None:
    with pytest.raises(BadSetup) as caught:
        resolve_options(OPTIONS, {"weather": value}, 2)
    assert caught.value.refusal.facts == {"option": "weather", "value": value[:80], "allowed": ["sun", "rain"]}


def test_an_option_must_exist() -> None:
    with pytest.raises(BadSetup) as caught:
        resolve_options(OPTIONS, {"wether": "sun"}, 2)
    refusal = caught.value.refusal
    assert (refusal.code, refusal.facts) == ("BAD_OPTION", {"option": "wether", "known": ["first", "weather"]})


def test_an_option_may_matter_to_some_numbers_of_players_only() -> None:
    always = Option("speed", ("slow", "fast"), "slow", "X-1")
    for_two = Option("fists", ("on", "off"), "on", "X-2", counts=(2,))
    assert [option.id for option in (always, for_two) if option.matters(2)] == ["speed", "fists"]
    assert [option.id for option in (always, for_two) if option.matters(3)] == ["speed"]
    # It has its value all the same, so that a table's options are the same list with any number of players.
    assert resolve_options((always, for_two), {}, 3) == {"speed": "slow", "fists": "on"}
