"""Making a table, taking seats, filling them, starting, playing again."""

import hashlib
from typing import Any

import pytest

from shopfloor.bots import LEVELS
from shopfloor.engine.refusals import BadSetup
from shopfloor.engine.registry import UnknownGame
from shopfloor.tables import checks
from shopfloor.tables.errors import TableError
from shopfloor.tables.schema import METADATA
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import NAMES, Party, everything, rows


def refused(code: str):
    return pytest.raises(TableError, check=lambda error: error.code == code)


def test_a_new_table_is_open_with_all_seats_free(tables: Tables) -> None:
    made = tables.create("zahltag", 3, {"card_cap": "penalty"}, name="  Friday  night ")
    table = tables.table(made.table_id)
    assert (table.status, table.number, table.players, table.name) == ("open", 1, 3, "Friday night")
    assert table.options == {
        "setup_adjust": "block",
        "first_player": "random",
        "card_cap": "penalty",
        "tie_debt": "eliminate",
    }
    assert [info.kind for info in table.seats] == ["free"] * 3
    assert table.view(None) is None
    assert table.deciders() == ()
    assert table.commitment is None
    assert table.seed is None
    assert [line.kind for line in table.log(None)] == ["create"]
    assert tables.manages(made.table_id, made.token)
    assert tables.seat_of(made.table_id, made.token) is None


def test_ids_are_short_readable_and_differ(tables: Tables) -> None:
    ids = {tables.create("zahltag", 2).table_id for _ in range(50)}
    assert len(ids) == 50
    assert all(len(i) == 10 and set(i) <= set(checks.ID_LETTERS) for i in ids)
    assert not set(checks.ID_LETTERS) & set("ilo01u")
    some = min(ids)
    assert tables.table(f" {some.upper()} ").id == some


@pytest.mark.parametrize(
    ("players", "options"),
    [(5, {}), (1, {}), (3, {"card_cap": "often"}), (3, {"colour": "red"}), (2, {"first_player": "2"})],
)
def test_what_the_game_refuses_makes_no_table(tables: Tables, players: int, options: dict[str, str]) -> None:
    with pytest.raises(BadSetup):
        tables.create("zahltag", players, options)
    assert tables.listing() == []


def test_an_unknown_game(tables: Tables) -> None:
    with pytest.raises(UnknownGame):
        tables.create("chess", 2)


def test_seats_are_taken_in_order_or_as_wished(tables: Tables) -> None:
    made = tables.create("zahltag", 4)
    assert tables.sit(made.table_id, "Ann").seat == 0
    assert tables.sit(made.table_id, "Ben", seat=3).seat == 3
    last = tables.sit(made.table_id, "Cem", made.token)
    assert (last.seat, last.token, last.number) == (1, made.token, 4)
    assert tables.seat_of(made.table_id, made.token) == 1
    assert tables.table(made.table_id).names() == ("Ann", "Cem", "", "Ben")


def test_the_same_token_again_keeps_moves_or_renames(tables: Tables) -> None:
    made = tables.create("zahltag", 3)
    first = tables.sit(made.table_id, "Ann")
    again = tables.sit(made.table_id, "Ann", first.token)
    assert (again.seat, again.number) == (0, first.number)
    assert tables.sit(made.table_id, "Ann", first.token, seat=2).seat == 2
    assert tables.table(made.table_id).names() == ("", "", "Ann")
    assert tables.sit(made.table_id, "Anna", first.token).seat == 2
    assert tables.table(made.table_id).names() == ("", "", "Anna")


def test_after_the_start_the_same_token_gets_its_seat(tables: Tables) -> None:
    party = Party(tables)
    before = party.table.number
    assert tables.sit(party.id, "Somebody", party.tokens[1]).seat == 1
    assert party.table.number == before
    assert party.table.names() == NAMES[:3]


@pytest.mark.parametrize("name", ["ann", " ANN ", "Ａnn"])
def test_a_name_belongs_to_one_person(tables: Tables, name: str) -> None:
    made = tables.create("zahltag", 3)
    tables.sit(made.table_id, "Ann")
    with refused("NAME_TAKEN"):
        tables.sit(made.table_id, name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "NAME_MISSING"),
        ("   ", "NAME_MISSING"),
        ("\u200d", "NAME_MISSING"),
        ("x" * 25, "NAME_UNFIT"),
        ("a\nb", "NAME_UNFIT"),
        ("a\x00", "NAME_UNFIT"),
        ("a\u202eb", "NAME_UNFIT"),
        ("a\u2028b", "NAME_UNFIT"),
        ("a\ud800", "NAME_UNFIT"),
    ],
)
def test_names_that_nobody_could_read(tables: Tables, name: str, code: str) -> None:
    made = tables.create("zahltag", 3)
    with refused(code):
        tables.sit(made.table_id, name)
    assert tables.table(made.table_id).number == 1


@pytest.mark.parametrize("name", ["x" * 24, "Zoë", "李雷", "🐙 Oktopus", "O'Brien"])
def test_names_of_all_kinds(tables: Tables, name: str) -> None:
    made = tables.create("zahltag", 3)
    tables.sit(made.table_id, f" {name} ")
    assert tables.table(made.table_id).names()[0] == name


def test_standing_up_frees_the_seat_and_the_name(tables: Tables) -> None:
    party = Party(tables, start=False)
    tables.stand_up(party.id, party.tokens[1])
    assert tables.seat_of(party.id, party.tokens[1]) is None
    assert tables.sit(party.id, "Ben").seat == 1
    with refused("NOT_SEATED"):
        tables.stand_up(party.id, party.tokens[1])


def test_leaving_before_the_start_is_standing_up(tables: Tables) -> None:
    party = Party(tables, start=False)
    assert tables.leave(party.id, party.tokens[1]).seats[1].kind == "free"


def test_computers_fill_seats_and_go(tables: Tables) -> None:
    made = tables.create("zahltag", 4)
    table = tables.add_bot(made.table_id, made.token, "greedy")
    assert (table.seats[0].kind, table.seats[0].level) == ("computer", "greedy")
    table = tables.add_bot(made.table_id, made.token, "random", seat=2)
    assert table.seats[2].level == "random"
    assert len({name for name in table.names() if name}) == 2
    table = tables.remove_bot(made.table_id, made.token, 0)
    assert table.seats[0].kind == "free"
    assert tables.remove_bot(made.table_id, made.token, 0).number == table.number  # a second click


def test_computers_take_no_persons_name(tables: Tables) -> None:
    made = tables.create("zahltag", 2)
    tables.sit(made.table_id, checks.COMPUTER_NAMES[0].upper())
    table = tables.add_bot(made.table_id, made.token, LEVELS[0])
    assert table.names()[1] == checks.COMPUTER_NAMES[1]


def test_a_key_adds_one_computer(tables: Tables) -> None:
    made = tables.create("zahltag", 3)
    first = tables.add_bot(made.table_id, made.token, "greedy", key="a")
    assert tables.add_bot(made.table_id, made.token, "greedy", key="a").number == first.number
    with refused("KEY_REUSED"):
        tables.add_bot(made.table_id, made.token, "random", key="a")


def test_a_key_takes_one_seat(tables: Tables) -> None:
    made = tables.create("zahltag", 3)
    token = checks.new_token()
    first = tables.sit(made.table_id, "Ann", token, key="a")
    tables.sit(made.table_id, "Anna", token, key="b")
    assert tables.sit(made.table_id, "Ann", token, key="a") == first
    with refused("KEY_REUSED"):
        tables.sit(made.table_id, "Ben", key="a")


def test_a_key_opens_one_table(opened: Open) -> None:
    """Sent again, also to another server and after the game has begun, it leads to the table that there is."""
    tables, other = opened(), opened()
    token = checks.new_token()
    made = tables.create("zahltag", 2, name="Friday", token=token, key="first")
    assert other.create("zahltag", 2, name="Friday", token=token, key="first") == made
    tables.sit(made.table_id, "Ann", token)
    tables.add_bot(made.table_id, token, "random")
    tables.start(made.table_id, token)
    assert other.create("zahltag", 2, name="Friday", token=token, key="first") == made
    assert other.table(made.table_id).status == "playing"
    first: dict[str, Any] = {"game": "zahltag", "players": 2, "name": "Friday", "token": token, "key": "first"}
    for again in ({"players": 3}, {"name": "Monday"}, {"clock": "move:60"}, {"options": {"first_player": "1"}}):
        with refused("KEY_REUSED"):
            tables.create(**{**first, **again})
    assert len(tables.listing()) == 1
    assert tables.create("zahltag", 2, name="Friday", token=token, key="second").table_id != made.table_id
    assert tables.create("zahltag", 2, name="Friday", token=checks.new_token(), key="first").table_id != made.table_id
    assert tables.create("zahltag", 2, name="Friday", key="first").table_id != made.table_id
    with refused("BAD_KEY"):
        tables.create("zahltag", 2, token=token, key="")


def test_starting_commits_to_the_seed(tables: Tables) -> None:
    party = Party(tables)
    table = party.table
    assert table.status == "playing"
    assert table.seed is None
    assert table.commitment is not None
    again = tables.start(party.id, party.tokens[1])
    assert again.number == table.number  # a second click
    over = party.to_the_end()
    assert over.commitment == table.commitment
    assert over.seed is not None
    assert hashlib.sha256(bytes.fromhex(over.seed)).hexdigest() == over.commitment


def test_seeds_differ(tables: Tables) -> None:
    assert len({Party(tables).table.commitment for _ in range(5)}) == 5


def test_listing_is_newest_first_and_by_person(tables: Tables) -> None:
    one, two = tables.create("zahltag", 3), tables.create("zahltag", 2)
    seated = tables.sit(one.table_id, "Ann")
    assert [table.id for table in tables.listing()] == [two.table_id, one.table_id]
    assert [table.id for table in tables.listing(limit=1)] == [two.table_id]
    assert [table.id for table in tables.listing(two.token)] == [two.table_id]
    assert [table.id for table in tables.listing(seated.token)] == [one.table_id]
    assert tables.listing(checks.new_token()) == []
    assert tables.listing("?") == []


def test_tokens_are_stored_nowhere(tables: Tables, url: str, tmp_path) -> None:
    party = Party(tables)
    tables.close()
    everything_written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    if not everything_written:
        everything_written = repr([rows(url, f"SELECT * FROM {table}") for table in METADATA.tables]).encode()
    assert b"Ben" in everything_written
    for token in (*party.tokens, party.creator):
        assert token.encode() not in everything_written


# -- once more ----------------------------------------------------------------------------------------------------


def test_a_rematch_has_the_same_people_options_and_computers(tables: Tables) -> None:
    made = tables.create("zahltag", 3, {"tie_debt": "floor", "first_player": "1"}, name="Mine")
    ann, ben = tables.sit(made.table_id, "Ann"), tables.sit(made.table_id, "Ben", seat=2)
    tables.add_bot(made.table_id, ann.token, "greedy")
    tables.start(made.table_id, ann.token)
    with refused("STILL_RUNNING"):
        tables.rematch(made.table_id, ann.token)
    while deciders := tables.table(made.table_id).deciders():
        now, seat = tables.table(made.table_id), deciders[0]
        action = now.view(seat).legal[0]  # type: ignore[union-attr]
        if seat == 1:
            tables.act_for_bot(made.table_id, seat, action, now.decision_number(seat))
        else:
            tables.act(made.table_id, (ann if seat == 0 else ben).token, action, now.number, f"k{now.number}")
    with refused("NOT_MANAGER"):
        tables.rematch(made.table_id, checks.new_token())
    follower = tables.rematch(made.table_id, ben.token)
    assert tables.rematch(made.table_id, ann.token) == follower
    old, new = tables.table(made.table_id), tables.table(follower)
    assert (old.rematch, new.rematch_of, new.status) == (follower, old.id, "open")
    assert (new.options, new.seats, new.edition, new.name) == (old.options, old.seats, old.edition, "Mine")
    assert tables.seat_of(follower, ben.token) == 2
    assert tables.manages(follower, made.token)
    assert tables.listing()[0].id == follower
    assert tables.start(follower, ann.token).commitment != old.commitment


def test_a_rematch_is_there_after_a_restart(opened: Open) -> None:
    party = Party(opened(), 2)
    party.to_the_end()
    follower = party.tables.rematch(party.id, party.creator)
    again = opened()
    assert everything(again.table(follower)) == everything(party.tables.table(follower))
    assert again.table(party.id).rematch == follower
