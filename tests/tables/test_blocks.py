"""Whom one does not want to read, at any table."""

from __future__ import annotations

from shopfloor.tables import checks
from shopfloor.tables.service import Tables
from tests.tables.conftest import Open
from tests.tables.helpers import Party
from tests.tables.test_accounts import account, seated
from tests.tables.test_seating import refused


def said(tables: Tables, table_id: str, seat: int | None, reader: checks.Token) -> list[str]:
    deaf = tables.deaf(table_id, [reader])
    return [line.text for line in tables.table(table_id).log(seat, deaf=deaf) if line.kind == "say"]


def test_at_every_table_seated_or_not(tables: Tables, opened: Open) -> None:
    ann, ben, cem = (account(tables) for _ in range(3))
    here, there, elsewhere = (seated(tables, pair) for pair in ([ann, ben], [ben, ann], [ben, cem]))
    for table in (here, there, elsewhere):
        tables.say(table, ben.member, "Rude words", f"k{table}")
    tables.block(here, ann.member, 1)
    assert said(tables, here, 0, ann.member) == []
    assert said(tables, there, 1, ann.member) == []
    assert said(tables, elsewhere, None, ann.member) == [], "also as one who watches"
    assert said(opened(), elsewhere, None, ann.member) == []
    assert said(tables, elsewhere, 1, cem.member) == ["Rude words"], "nobody else is concerned"
    assert "block" not in str([line.kind for line in tables.table(here).log(1)])
    tables.block(here, ann.member, 1, False)
    assert said(tables, there, 1, ann.member) == ["Rude words"]


def test_guests_are_known_by_their_browser(tables: Tables) -> None:
    browser, other = checks.new_token(), checks.new_token()
    tokens = [checks.new_token(), checks.new_token()]
    for token in tokens:
        tables.blocks.know(checks.token_hash(browser), checks.token_hash(token))
    made = [tables.create("zahltag", 2, token=token) for token in tokens]
    for table, token in zip(made, tokens, strict=True):
        tables.sit(table.table_id, "Ann", token)
        tables.say(table.table_id, token, "Rude words", "k")
    tables.block(made[0].table_id, other, 0)
    assert said(tables, made[1].table_id, None, other) == []
    ann = account(tables)
    tables.keep(ann, [browser])
    assert said(tables, made[1].table_id, None, other) == [], "an account does not make another of them"
    assert [block.name for block in tables.blocks.of([checks.token_hash(other)])] == ["Ann"]


def test_one_person_wherever_they_sit(tables: Tables) -> None:
    browser, tokens = checks.new_token(), [checks.new_token(), checks.new_token()]
    made = [tables.create("zahltag", 2, token=token) for token in tokens]
    for table, token in zip(made, tokens, strict=True):
        tables.blocks.know(checks.token_hash(browser), checks.token_hash(token))
        tables.sit(table.table_id, "Ann", token, 1)
    person = tables.person(tokens[0])
    assert person == tables.person(tokens[1]) == tables.person(browser)
    assert [tables.seat_of_hash(table.table_id, person) for table in made] == [1, 1]
    other = Party(tables)
    assert tables.seat_of_hash(other.id, person) is None
    assert tables.seat_of_hash(other.id, tables.person(other.tokens[2])) == 2
    ann = account(tables)
    assert tables.person(ann.member) == ann.player


def test_what_a_guest_has_blocked_their_account_has(tables: Tables) -> None:
    party = Party(tables)
    tables.say(party.id, party.tokens[1], "Rude words", "k")
    browser = checks.new_token()
    tables.block(party.id, browser, 1)
    ann = account(tables)
    tables.keep(ann, [browser])
    assert said(tables, party.id, None, ann.member) == []
    assert tables.blocks.of([checks.token_hash(browser)]) == []
    tables.blocks.unblock([ann.player], checks.token_hash(party.tokens[1]))
    assert said(tables, party.id, None, ann.member) == ["Rude words"]


def test_nobody_to_block(tables: Tables) -> None:
    ann = account(tables)
    party = Party(tables, 1, ["random"], start=False)
    with refused("NOTHING_TO_BLOCK"):
        tables.block(party.id, ann.member, 1)
    with refused("NO_SUCH_SEAT"):
        tables.block(party.id, ann.member, 7)
    with refused("NOTHING_TO_BLOCK"):
        tables.block(seated(tables, [ann, account(tables)]), ann.member, 0)


def test_a_deleted_account_is_blocked_no_more(tables: Tables) -> None:
    ann, ben = account(tables), account(tables)
    table = seated(tables, [ann, ben])
    tables.block(table, ann.member, 1)
    tables.block(table, ben.member, 0)
    tables.forget(ben)
    assert tables.blocks.of([ann.player]) == []
    assert tables.blocks.of([ben.player]) == []
