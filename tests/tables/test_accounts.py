"""Accounts and who holds a seat, in both databases."""

from __future__ import annotations

import itertools

import pytest
import sqlalchemy as sa

from shopfloor.tables import accounts as module
from shopfloor.tables import checks
from shopfloor.tables.accounts import Account, Passkey
from shopfloor.tables.checks import Member
from shopfloor.tables.errors import ACCOUNT_SENTENCES, AccountError
from shopfloor.tables.schema import ACCOUNTS, RECIPIENTS, SIGN_INS
from shopfloor.tables.service import Tables
from shopfloor.tables.wishes import Told, Wishes
from tests.tables.conftest import Open
from tests.tables.helpers import PASS, Party
from tests.tables.test_seating import refused

PASSWORD = "a long enough password"
NUMBERS = itertools.count(1)


def account(tables: Tables, name: str = "") -> Account:
    return tables.accounts.sign_up(name or f"Person {next(NUMBERS)}", PASSWORD)


def passkey(name: str = "key") -> Passkey:
    return Passkey(name, "", name.encode(), b"public", 0, "Phone", 0.0, None)


def seated(tables: Tables, people: list[Account], **more: bool) -> str:
    """A started game of these people."""
    made = tables.create("zahltag", len(people), {"first_player": "0"}, token=people[0].member, **more)  # type: ignore[arg-type]
    for seat, one in enumerate(people):
        tables.sit(made.table_id, one.name, one.member, seat)
    tables.start(made.table_id, people[0].member)
    return made.table_id


def test_seat_account_and_colour_are_three_things(tables: Tables) -> None:
    ann, ben = account(tables), account(tables)
    here = seated(tables, [ann, ben])
    there = seated(tables, [ben, ann])
    assert [tables.seat_of(table, ann.member) for table in (here, there)] == [0, 1]
    assert [tables.table(here).account(seat) for seat in range(2)] == [ann.id, ben.id]
    guest = tables.create("zahltag", 2)
    tables.sit(guest.table_id, "Ann", guest.token)
    assert tables.table(guest.table_id).account(0) is None


def test_no_text_proves_an_account(tables: Tables) -> None:
    ann = account(tables)
    table = seated(tables, [ann, account(tables)])
    for forged in (ann.id, f"@{ann.id}", ann.player, checks.token_hash(ann.member)):
        assert tables.seat_of(table, forged) is None
    assert tables.seat_of(table, Member(checks.new_token())) is None


def test_passwords_and_names(tables: Tables) -> None:
    ann = account(tables, "Ann Ä")
    assert tables.accounts.check("ann a\u0308 ", PASSWORD) == ann, "however it is typed"
    for name, password in (("Ann Ä", "wrong password"), ("Ann", PASSWORD), ("", ""), ("\ud800", "\ud800")):
        with pytest.raises(AccountError) as caught:
            tables.accounts.check(name, password)
        assert caught.value.code == "SIGN_IN_FAILED"
    with pytest.raises(AccountError) as caught:
        account(tables, "ANN Ä")
    assert caught.value.code == "ACCOUNT_NAME_TAKEN"


def test_a_password_is_argon2s(tables: Tables) -> None:
    account(tables)
    with tables._store.reading() as connection:
        stored = connection.execute(sa.select(ACCOUNTS.c.password)).scalar()
    assert str(stored).startswith("$argon2id$")


def test_sessions_end(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = account(tables)
    token = tables.accounts.sign_in(ann, "Firefox on Linux")
    found = tables.accounts.signed_in(token)
    assert found is not None
    assert found[0] == ann
    assert tables.accounts.signed_in(token, "program") is None
    assert tables.accounts.signed_in("x" * 43) is None
    monkeypatch.setattr(module, "UNSEEN_DAYS", -1)
    assert tables.accounts.signed_in(token) is None, "not seen for long"
    tables.accounts.sign_in(ann, "another")
    with tables._store.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(SIGN_INS)).scalar() == 1


def test_being_seen_is_noted_to_the_day(tables: Tables) -> None:
    ann = account(tables)
    token = tables.accounts.sign_in(ann, "x")
    with tables._store.writing() as connection:
        connection.execute(SIGN_INS.update().values(seen_at=SIGN_INS.c.seen_at - 3 * module.DAY))
    before = tables.accounts.sign_ins(ann)[0].seen_at
    tables.accounts.signed_in(token)
    after = tables.accounts.sign_ins(ann)[0].seen_at
    assert after > before
    tables.accounts.signed_in(token)
    assert tables.accounts.sign_ins(ann)[0].seen_at == after


def test_challenges_are_answered_once(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tables.accounts.challenge("add", "someone")
    assert tables.accounts.answered(made, "sign-in") is None, "another question"
    found = tables.accounts.answered(made, "add")
    assert found is not None
    assert found.account_id == "someone"
    assert tables.accounts.answered(made, "add") is None
    monkeypatch.setattr(module, "CHALLENGE_SECONDS", -1.0)
    assert tables.accounts.answered(tables.accounts.challenge("add"), "add") is None, "too late"


def test_the_last_way_in_stays(tables: Tables) -> None:
    ann = tables.accounts.sign_up_by_passkey("Ann", module.new_id(), passkey())
    with pytest.raises(AccountError) as caught:
        tables.accounts.remove_passkey(ann, "key")
    assert caught.value.code == "LAST_WAY_IN"
    with pytest.raises(AccountError):
        tables.accounts.check("Ann", "")
    tables.accounts.add_passkey(ann, passkey("second"))
    tables.accounts.remove_passkey(ann, "key")
    tables.accounts.set_password(ann, "", PASSWORD, None)
    again = tables.accounts.check("Ann", PASSWORD)
    tables.accounts.remove_passkey(again, "second")
    assert not tables.accounts.passkeys(ann)


def test_a_passkey_is_one_accounts(tables: Tables) -> None:
    tables.accounts.sign_up_by_passkey("Ann", module.new_id(), passkey())
    for attempt in (
        lambda: tables.accounts.sign_up_by_passkey("Ben", module.new_id(), passkey()),
        lambda: tables.accounts.add_passkey(account(tables), passkey()),
    ):
        with pytest.raises(AccountError) as caught:
            attempt()
        assert caught.value.code == "PASSKEY_FAILED"
    assert tables.accounts.by_name("Ben") is None


def test_a_new_secret_for_a_seat(tables: Tables) -> None:
    party = Party(tables)
    old = party.tokens[1]
    fresh = tables.renew(party.id, old)
    assert tables.seat_of(party.id, old) is None
    assert tables.seat_of(party.id, fresh) == 1
    assert "rekey" not in [line.kind for seat in (None, 0, 2) for line in party.table.log(seat)]
    assert "rekey" in [line.kind for line in party.table.log(1)]
    with refused("NOT_SEATED"):
        tables.renew(party.id, old)
    maker = tables.renew(party.id, party.creator)
    assert tables.manages(party.id, maker)
    assert not tables.manages(party.id, party.creator)


def test_an_account_keeps_what_guests_had(tables: Tables, opened: Open) -> None:
    party, other = Party(tables), Party(tables, start=False)
    ann = account(tables)
    tokens = [party.tokens[0], other.tokens[1], other.creator]
    assert tables.holds(tokens) == 2
    assert tables.keep(ann, tokens) == 2
    assert tables.holds(tokens) == 0
    for here in (tables, opened()):
        assert here.seat_of(party.id, ann.member) == 0
        assert here.seat_of(other.id, ann.member) == 1
        assert here.seat_of(party.id, party.tokens[0]) is None
        assert [(table.id, seat) for table, seat in here.mine([ann.member])] == [(other.id, 1), (party.id, 0)]
    tables.act(party.id, ann.member, PASS, party.table.number, "k")
    assert tables.keep(ann, [party.tokens[1]]) == 0, "one person is in one seat"
    assert tables.seat_of(party.id, party.tokens[1]) == 1


def test_a_browsers_seats_are_found_by_its_secret(tables: Tables) -> None:
    browser, seat = checks.new_token(), checks.new_token()
    tables.blocks.know(checks.token_hash(browser), checks.token_hash(seat))
    made = tables.create("zahltag", 2, token=seat)
    tables.sit(made.table_id, "Ann", seat)
    assert [(table.id, s) for table, s in tables.mine([browser])] == [(made.table_id, 0)]
    assert tables.seat_of(made.table_id, browser) is None, "the table itself knows nothing of it"


def test_deleted_accounts_leave_nothing_of_theirs(tables: Tables, opened: Open) -> None:
    ann, ben = account(tables, "Ann Anders"), account(tables)
    running, over, waiting = seated(tables, [ann, ben]), seated(tables, [ben, ann]), tables.create("zahltag", 2)
    tables.sit(waiting.table_id, "Ann Anders", ann.member)
    for i in range(3):
        tables.say(running, ann.member, f"This is Ann, {i}", f"k{i}")
    tables.say(running, ben.member, "Hello Annie", "k")
    elsewhere = opened()
    assert [line.text for line in elsewhere.table(running).log(None) if line.kind == "say"][-1] == "Hello Annie"
    while tables.table(over).status != "over":
        table = tables.table(over)
        seat = table.deciders()[0]
        tables.act(over, (ben, ann)[seat].member, table.legal(seat)[0], table.number, f"m{table.number}")
    records = tables.record(running) if tables.table(running).status == "over" else tables.record(over)
    assert "Ann Anders" in records
    tables.forget(ann)
    for here in (tables, elsewhere, opened()):
        found = here.table(running)
        assert found.names() == ("Former player", ben.name)
        assert found.seats[0].away
        assert found.seats[0].offered
        assert [line.text for line in found.log(None) if line.kind == "say"] == ["", "", "", "Hello Annie"]
        assert here.table(over).names()[1] == "Former player"
        assert "Ann Anders" not in here.record(over)
        assert here.table(waiting.table_id).seats[0].kind == "free"
        assert here.seat_of(running, ann.member) is None
        assert here.mine([ann.member]) == []
    assert tables.accounts.by_name("Ann Anders") is None
    tables.take(running, "Cem", 0, account(tables).member)
    again = account(tables, "Ann Anders")
    assert tables.mine([again.member]) == []


def test_where_one_is_told_goes_along_and_goes(tables: Tables) -> None:
    wishes, party = Wishes(tables._store), Party(tables)
    owner = tables.person(party.tokens[0])
    wishes.add(party.id, owner, "mail", "ann@example.org", told=Told(), base_url="http://x")
    ann = account(tables)
    tables.keep(ann, [party.tokens[0]])
    assert wishes.of(party.id, owner) == []
    assert [found.address for found in wishes.of(party.id, tables.person(ann.member))] == ["ann@example.org"]
    tables.forget(ann)
    with tables._store.reading() as connection:
        assert connection.execute(sa.select(RECIPIENTS)).all() == []


def test_two_deleted_accounts_at_one_table(tables: Tables, opened: Open) -> None:
    ann, ben, cem = (account(tables) for _ in range(3))
    table = seated(tables, [ann, ben, cem])
    tables.forget(ann)
    tables.forget(cem)
    for here in (tables, opened()):
        names = here.table(table).names()
        assert names == ("Former player", ben.name, "Former player 2")


def test_what_another_said_in_the_same_seat_stays(tables: Tables) -> None:
    ann, ben, cem = (account(tables) for _ in range(3))
    table = seated(tables, [ann, ben])
    tables.say(table, ann.member, "Ann was here", "a")
    tables.offer(table, ann.member, 0)
    tables.take(table, "Cem", 0, cem.member)
    tables.say(table, cem.member, "Now it is Cem", "c")
    tables.forget(ann)
    said = [line.text for line in tables.table(table).log(None) if line.kind == "say"]
    assert said == ["", "Now it is Cem"]
    assert tables.table(table).names()[0] == "Cem"
    assert tables.seat_of(table, cem.member) == 0


def test_a_guests_name_goes_with_the_account_that_kept_the_seat(tables: Tables) -> None:
    party = Party(tables)
    tables.say(party.id, party.tokens[0], "I am a guest", "g")
    ann = account(tables)
    tables.keep(ann, [party.tokens[0]])
    tables.forget(ann)
    assert party.table.names()[0] == "Former player"
    assert [line.text for line in party.table.log(None) if line.kind == "say"] == [""]


def test_administrators(tables: Tables) -> None:
    ann = account(tables)
    assert not ann.admin
    tables.accounts.grant(ann.name.upper())
    assert tables.accounts.admins() == [tables.accounts.get(ann.id)]
    tables.accounts.grant(ann.name, False)
    assert tables.accounts.admins() == []
    with pytest.raises(AccountError) as caught:
        tables.accounts.grant("Nobody")
    assert caught.value.code == "NO_SUCH_PERSON"


@pytest.mark.parametrize("code", ACCOUNT_SENTENCES)
def test_sentences(code: str) -> None:
    facts = {"name": "Ann", "letters": "/", "least": 10, "most": 20, "why": "it is late"}
    sentence = AccountError(code, **facts).sentence
    assert "{" not in sentence
    assert sentence[0].isupper()
    assert sentence.endswith(".") or code == "ACCOUNT_NAME_UNFIT"
