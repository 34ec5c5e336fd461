"""Notices of one's turn, from the form to the mailbox, the webhook and the browser that gets them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from structlog.testing import capture_logs

from shopfloor.web.app import create_app
from shopfloor.web.notices import guard, push, webhook
from shopfloor.web.settings import BadSetting, Settings
from tests.web.programs import Program, people_at_table
from tests.web.receivers import Mailboxes, PushBrowser, Receiver, mail_server, receiver, vouched

Client = TestClient[Litestar]
BASE = "https://play.example"
CONTACT = "mailto:keeper@play.example"


@pytest.fixture(scope="module")
def boxes_and_port() -> Iterator[tuple[Mailboxes, int]]:
    with mail_server() as found:
        yield found


@pytest.fixture
def boxes(boxes_and_port: tuple[Mailboxes, int]) -> Mailboxes:
    found = boxes_and_port[0]
    found.mails.clear()
    found.refused.clear()
    return found


@pytest.fixture(scope="module")
def told_client(
    tmp_path_factory: pytest.TempPathFactory, boxes_and_port: tuple[Mailboxes, int]
) -> Iterator[TestClient[Litestar]]:
    """A server that offers everything, and may reach this computer for that."""
    free: dict[str, Any] = {"tables_a_minute": 0, "tries_a_minute": 0, "changes_a_minute": 0}
    settings = Settings(
        database=str(tmp_path_factory.mktemp("notices") / "tables.db"),
        base_url=BASE,
        smtp=f"smtp://127.0.0.1:{boxes_and_port[1]}",
        mail_from="Shopfloor <play@play.example>",
        webhooks=True,
        webhook_networks="127.0.0.0/8",
        push=CONTACT,
        notice_delay=0.0,
        pace=0.0,
        **free,
    )
    with TestClient(create_app(settings), base_url="https://testserver.local", raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(told_client: Client) -> Iterator[Client]:
    told_client.cookies.clear()
    yield told_client
    told_client.cookies.clear()


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


def until_asked_by_others(people: list[Program], seat: int) -> int:
    """Play until another's decision makes it this seat's turn. The number of that decision."""
    for _ in range(2000):
        info = people[0].info()
        assert info["status"] == "playing", "the game ended first"
        mover = info["deciders"][0]
        people[mover].act(people[mover].legal()["actions"][0]["id"])
        after = people[0].info()
        if mover != seat and seat in after["deciders"] and seat not in info["deciders"]:
            return int(after["number"])
    raise AssertionError("it never came to that")


def add(program: Program, kind: str, **body: Any) -> dict[str, Any]:
    answer = program.post(f"/notices/{kind}", body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def targets(program: Program) -> list[dict[str, Any]]:
    return list(program.get("/notices").json()["targets"])


def form(client: Client, program: Program, path: str, at: str = "", **fields: str) -> Any:
    """A form of the page about notices (or of the page `at`), sent by the program's person without any script."""
    client.cookies.clear()
    client.cookies.set("sf_player", program.token or "")
    html = client.get(at or f"/t/{program.table}/notices").text
    csrf = re.search(r'name="_csrf_token" value="([^"]+)"', html)
    assert csrf is not None, html
    answer = client.post(path, data={"_csrf_token": csrf[1], **fields}, headers={"Referer": BASE})
    client.cookies.clear()
    return answer


# -- mail ---------------------------------------------------------------------------------------------------------


def test_mail_from_the_question_to_the_last_one(client: Client, boxes: Mailboxes) -> None:
    people = people_at_table(client, 2, name="Night Shift")
    shown = form(client, people[1], f"/t/{people[1].table}/notices/mail", address="ann@mail.example", every="60")
    assert shown.status_code == 200, "led back to the page"
    assert "a…@mail.example" in shown.text
    assert "ann@mail.example" not in shown.text
    wait_for(lambda: boxes.mails)
    to, question = boxes.mails[0]
    assert to == ["ann@mail.example"]
    assert question["From"] == "Shopfloor <play@play.example>"
    assert "Night Shift" not in boxes.text(), "a mail that nobody has agreed to holds nobody's words"
    until_asked_by_others(people, 1)
    confirm = boxes.links("confirm")[0]

    client.cookies.clear()
    assert "Yes, tell me by mail" in client.get(confirm).text
    assert targets(people[1])[0]["confirmed"] is False, "opening a link changes nothing: programs do that as well"
    assert len(boxes.mails) == 1

    assert form(client, people[1], confirm, at=confirm).status_code == 200
    wait_for(lambda: len(boxes.mails) == 2)
    mail = boxes.mails[1][1]
    assert mail["Subject"] == "It is your turn at “Night Shift” (Zahltag)."
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f"{BASE}/t/{people[1].table}" in boxes.text()
    assert "Since your last turn:" in boxes.text()
    stop = boxes.links("stop")[0]
    assert mail["List-Unsubscribe"] == f"<{BASE}{stop}>"

    client.cookies.clear()
    assert "No more mails" in client.get(stop).text
    assert targets(people[1]), "nor does this one"
    assert client.post(stop, data={"List-Unsubscribe": "One-Click"}).status_code == 200, "as mailboxes do, with no form"
    assert targets(people[1]) == []
    again = people[1].post("/notices/mail", {"address": "ann@mail.example"})
    assert again.json()["code"] == "ASKED_ALREADY"
    assert client.get(confirm).status_code == 404
    assert len(boxes.mails) == 2


def test_two_mails_of_the_same_are_known_by_their_id(client: Client, boxes: Mailboxes) -> None:
    people = people_at_table(client, 2)
    add(people[1], "mail", address="bea@mail.example")
    wait_for(lambda: boxes.mails)
    assert re.fullmatch(r"<[\w-]+@play\.example>", boxes.mails[0][1]["Message-ID"])


def test_a_mailbox_that_is_refused_is_given_up(client: Client, boxes: Mailboxes) -> None:
    people = people_at_table(client, 2)
    boxes.refused["cem@mail.example"] = "550 no such mailbox"
    with capture_logs() as logs:
        add(people[0], "mail", address="cem@mail.example")
        wait_for(lambda: targets(people[0])[0]["trouble"])
    assert targets(people[0])[0]["trouble"] == "the mail was not taken (550)"
    assert "cem@mail" not in repr(logs)


@pytest.mark.parametrize(
    "address", ["", "ann", "ann@", "@mail.example", "ann@mail", "a b@mail.example", "a@b.example\nBcc: c@d.example"]
)
def test_what_is_no_mail_address(client: Client, address: str) -> None:
    people = people_at_table(client, 2)
    answer = people[0].post("/notices/mail", {"address": address})
    assert answer.status_code == 400
    assert answer.json()["code"] == "ADDRESS_UNFIT"
    assert "mail address" in answer.json()["sentence"]
    shown = form(client, people[0], f"/t/{people[0].table}/notices/mail", address=address)
    assert shown.status_code == 400
    assert "This is not a mail address" in shown.text


# -- webhooks -----------------------------------------------------------------------------------------------------


def test_a_webhook_is_tried_signed_and_told(client: Client, hook: Receiver) -> None:
    people = people_at_table(client, 2, name="Friday")
    target = add(people[1], "webhook", url=f"{hook.url}/in?key=1", form="json")
    wait_for(lambda: len(hook.got) == 1)
    assert hook.got[0].json()["type"] == "shopfloor.trial"
    number = until_asked_by_others(people, 1)
    hurry(client)
    wait_for(lambda: len(hook.got) == 2)
    got = hook.got[1]
    assert got.path == "/in?key=1"
    body = got.json()
    assert body["type"] == "shopfloor.notice"
    told = body["notices"]
    assert [(one["kind"], one["table"], one["seat"]) for one in told] == [("turn", people[1].table, 1)]
    assert told[0]["number"] <= number
    assert told[0]["link"] == f"{BASE}/t/{people[1].table}"
    signed = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    key = base64.b64decode(target["secret"].removeprefix("whsec_"))
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert got.headers["webhook-signature"] == f"v1,{digest}"
    assert abs(int(got.headers["webhook-timestamp"]) - time.time()) < 300
    for secret in (people[0].token, people[1].token):
        assert secret is not None
        assert secret.encode() not in got.body, "no seat goes along"


def hurry(client: Client) -> None:
    """The quiet time after a trial is over."""
    wishes = client.app.state.services.tables.wishes()
    with wishes._store.writing() as connection:
        connection.exec_driver_sql("UPDATE notice_recipients SET sent_at = NULL")
        connection.exec_driver_sql("UPDATE notice_recipients SET due_at = 1 WHERE due_at IS NOT NULL")


@pytest.mark.parametrize(
    ("shape", "path", "taken_at", "field"),
    [("discord", "/a/b", "/a/b", "content"), ("slack", "/a/b", "/a/b", "text"), ("ntfy", "/topic", "/", "message")],
)
def test_shapes_of_services(client: Client, hook: Receiver, shape: str, path: str, taken_at: str, field: str) -> None:
    people = people_at_table(client, 2, name="<@everyone> & more")
    target = add(people[0], "webhook", url=f"{hook.url}{path}", form=shape)
    assert target["secret"] == "", "services do not look at signatures"
    wait_for(lambda: len(hook.got) == 1)
    assert hook.got[0].path == taken_at
    body = hook.got[0].json()
    assert "more" in body[field]
    if shape == "discord":
        assert body["allowed_mentions"] == {"parse": []}
    if shape == "slack":
        assert "&lt;@everyone&gt; &amp; more" in body["text"]
    if shape == "ntfy":
        assert body["topic"] == "topic"
        assert body["click"] == f"{BASE}/t/{people[0].table}"


def test_the_forms_of_the_page(client: Client, hook: Receiver) -> None:
    people = people_at_table(client, 2)
    where = f"/t/{people[0].table}/notices"
    shown = form(client, people[0], f"{where}/webhook", url=f"{hook.url}/x", shape="json", every="600")
    assert "Send one to try" in shown.text
    assert "whsec_" in shown.text
    wait_for(lambda: len(hook.got) == 1)
    id_ = targets(people[0])[0]["id"]
    assert form(client, people[0], f"{where}/{id_}/try").status_code == 200
    shown = form(client, people[0], f"{where}/{id_}/remove")
    assert "You are told" not in shown.text
    assert targets(people[0]) == []
    refused = form(client, people[0], f"{where}/webhook", url="http://10.1.2.3/x", shape="json")
    assert refused.status_code == 400
    assert "inside a private network" in refused.text
    client.cookies.set("sf_player", people[0].token or "")
    part = client.get(where, headers={"HX-Request": "true"})
    assert "<html" not in part.text
    assert 'hx-target="#notices-panel"' in part.text
    table = client.get(f"/t/{people[0].table}").text
    assert f'href="{where}"' in table
    assert '<dialog id="notices"' in table


def test_trials_are_not_sent_faster_than_one_in_half_a_minute(client: Client, hook: Receiver) -> None:
    people = people_at_table(client, 2)
    id_ = add(people[0], "webhook", url=f"{hook.url}/x")["id"]
    wait_for(lambda: len(hook.got) == 1)
    wishes = client.app.state.services.tables.wishes()
    wait_for(lambda: wishes.found(id_).sent_at is not None)
    for _ in range(5):
        assert people[0].post(f"/notices/{id_}/try").status_code == 200
    due = wishes._read(_due_of(id_))[0][0]
    assert due > wishes.found(id_).sent_at + 20
    assert people[0].post("/notices/0000000000000000/try").json()["code"] == "NO_TARGET"
    people[0].delete(f"/notices/{id_}")


def _due_of(id_: str) -> Any:
    import sqlalchemy as sa

    from shopfloor.tables.schema import RECIPIENTS

    return sa.select(RECIPIENTS.c.due_at).where(RECIPIENTS.c.id == id_)


def test_a_redirect_is_not_followed(client: Client, hook: Receiver) -> None:
    people = people_at_table(client, 2)
    with receiver() as other:
        hook.status, hook.more = 307, {"Location": f"{other.url}/elsewhere"}
        add(people[0], "webhook", url=f"{hook.url}/x")
        wait_for(lambda: targets(people[0])[0]["trouble"])
        assert "leads on to another" in targets(people[0])[0]["trouble"]
        assert other.got == []


def test_sending_holds_up_nobody(client: Client, hook: Receiver) -> None:
    people = people_at_table(client, 2)
    hook.hold.clear()
    add(people[1], "webhook", url=f"{hook.url}/x")
    wait_for(lambda: len(hook.got) == 1)
    until_asked_by_others(people, 1)  # while the receiver does not answer
    hook.hold.set()


# -- what a server reaches for others --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x",
        "http://localhost:8080/x",
        "http://box.local/x",
        "http://10.0.0.1/",
        "http://172.16.3.4/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://[::1]/",
        "http://[fe80::1]/",
        "http://[fd00::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "ftp://ntfy.example/x",
        "file:///etc/passwd",
        "https:///x",
        "https://ann:secret@hook.example/",
        "https://hook.example:25/",
        "https://hook.example/#x",
        "https://hook.example/a b",
        "https://hook.example/" + "x" * 1000,
        "https://hook.example:99999/",
        "nothing",
    ],
)
def test_addresses_that_are_refused_at_once(url: str) -> None:
    with pytest.raises(guard.Unfit) as caught:
        webhook.address(url, "json")
    assert caught.value.sentence[-1] in ".?"


@pytest.mark.parametrize("url", ["https://ntfy.sh/topic", "http://93.184.215.14:8080/x?y=1", "https://hook.example/"])
def test_addresses_that_may_be(url: str) -> None:
    assert webhook.address(f" {url} ", "json") == url


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "017700000001", "localtest.example"])
def test_what_a_name_stands_for_is_looked_at_when_it_is_sent(
    host: str, hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it is written: what counts is where the connection would go."""
    port = int(hook.url.rpartition(":")[2])
    if host == "localtest.example":
        answer = [(2, 1, 6, "", ("127.0.0.1", port))]
        monkeypatch.setattr("socket.getaddrinfo", lambda *_a, **_k: answer)
    with pytest.raises(guard.Unreachable) as caught:
        guard.post(f"http://{host}:{port}/x", b"{}", {})
    assert caught.value.code in ("private_address", "no_such_server")
    assert hook.got == []


def test_a_name_that_also_stands_for_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = [(2, 1, 6, "", ("93.184.215.14", 80)), (2, 1, 6, "", ("10.0.0.5", 80))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_a, **_k: answer)
    with pytest.raises(guard.Unreachable, match="private_address"):
        guard.post("http://two-faced.example/x", b"{}", {})


def test_a_name_is_resolved_once_and_the_connection_goes_there(hook: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that answers differently the second time gains nothing."""
    port = int(hook.url.rpartition(":")[2])
    asked: list[str] = []

    def resolve(host: str, *_args: Any, **_more: Any) -> list[Any]:
        asked.append(host)
        return [(2, 1, 6, "", ("127.0.0.1" if len(asked) == 1 else "10.0.0.1", port))]

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    allowed = guard.networks("127.0.0.0/8")
    assert guard.post(f"http://hook.example:{port}/x", b"{}", {}, allowed) == 204
    assert asked == ["hook.example"]
    assert hook.got[0].headers["host"] == f"hook.example:{port}"


def test_one_that_trickles_is_cut_off(hook: Receiver) -> None:
    hook.hold.clear()
    with pytest.raises(guard.Unreachable) as caught:
        guard.post(f"{hook.url}/x", b"{}", {}, guard.networks("127.0.0.0/8"), step=20.0, longest=0.5)
    assert caught.value.code in ("no_connection", "too_slow")


def test_the_answer_is_not_read_however_long_it_is() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def flood() -> None:
            taken, _ = listener.accept()
            with taken:
                taken.recv(65536)
                taken.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                try:
                    while True:
                        taken.sendall(b"x" * 65536)
                except OSError:
                    gone.set()

        gone = threading.Event()
        threading.Thread(target=flood, daemon=True).start()
        port = listener.getsockname()[1]
        assert guard.post(f"http://127.0.0.1:{port}/x", b"{}", {}, guard.networks("127.0.0.0/8")) == 200
        assert gone.wait(30), "the connection was ended"


# -- web push -----------------------------------------------------------------------------------------------------


def test_a_browser_is_told_what_only_it_can_read(client: Client, hook: Receiver) -> None:
    people = people_at_table(client, 2, name="Late Shift")
    browser = PushBrowser(f"{hook.url}/send/abc")
    offered = people[1].get("/notices").json()
    assert "push" in offered["offered"]
    target = add(people[1], "push", **browser.subscription)
    assert target["hint"] == "127.0.0.1"
    wait_for(lambda: len(hook.got) == 1)
    assert "Here you will be told" in browser.read(hook.got[0].body)["body"]
    until_asked_by_others(people, 1)
    hurry(client)
    wait_for(lambda: len(hook.got) == 2)
    got = hook.got[1]
    told = browser.read(got.body)
    assert told["body"] == "It is your turn at “Late Shift” (Zahltag)."
    assert told["link"] == f"{BASE}/t/{people[1].table}"
    assert told["tag"] == people[1].table
    assert got.headers["content-encoding"] == "aes128gcm"
    assert int(got.headers["ttl"]) > 0
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", got.headers["topic"])
    assert b"Late" not in got.body
    claims = vouched(got.headers["authorization"], offered["push_key"])
    assert claims["aud"] == hook.url
    assert claims["sub"] == CONTACT
    assert time.time() < claims["exp"] < time.time() + 24 * 3600


def test_a_subscription_that_has_ended_is_given_up(client: Client, hook: Receiver) -> None:
    people = people_at_table(client, 2)
    hook.status = 410
    add(people[0], "push", **PushBrowser(f"{hook.url}/send/abc").subscription)
    wait_for(lambda: targets(people[0])[0]["trouble"])
    assert len(hook.got) == 1


def test_what_is_no_subscription(client: Client) -> None:
    people = people_at_table(client, 2)
    good = PushBrowser("https://push.example/x").subscription
    for wrong in ({"auth": "abc"}, {"p256dh": "BA" * 43 + "A"}, {"p256dh": "!"}, {"endpoint": "http://10.0.0.1/x"}):
        answer = people[0].post("/notices/push", good | wrong)
        assert answer.status_code == 400, wrong
        assert answer.json()["code"] == "ADDRESS_UNFIT"


def test_a_key_is_made_once_and_kept(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        settings = Settings(database=str(tmp_path / "t.db"), push=CONTACT)
        with TestClient(create_app(settings)) as client:
            keys.append(client.app.state.services.desk.push_key)
    assert keys[0] == keys[1]
    assert push.Pushes(push.new_key(), CONTACT).public_key != keys[0]


def test_the_browsers_worker_is_served_at_the_top(client: Client) -> None:
    answer = client.get("/notices-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "showNotification" in answer.text
    manifest = client.get("/site.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    assert manifest.json()["display"] == "standalone"
    assert 'href="/site.webmanifest"' in client.get("/").text


# -- who may, and who learns of it -------------------------------------------------------------------------------


def test_nobody_else_sees_an_address(client: Client, boxes: Mailboxes, hook: Receiver) -> None:
    people = people_at_table(client, 2)
    add(people[0], "mail", address="dea.private@mail.example")
    add(people[0], "webhook", url=f"{hook.url}/private-path")
    wait_for(lambda: boxes.mails and hook.got)
    other = people[1]
    assert targets(other) == []
    own = targets(people[0])
    assert [one["hint"] for one in own] == ["d…@mail.example", f"{hook.url}/…"]
    id_ = own[0]["id"]
    assert other.post(f"/notices/{id_}/try").status_code == 404
    assert other.delete(f"/notices/{id_}").status_code == 204
    assert len(targets(people[0])) == 2, "nothing of others can be removed"
    told = [people[0].get(path).text for path in ("", "/log", "/notices")]
    told += [other.get(path).text for path in ("", "/log", "/notices")]
    for program in (people[0], other):
        client.cookies.set("sf_player", program.token or "")
        told += [client.get(f"/t/{program.table}{path}").text for path in ("", "/notices")]
        client.cookies.clear()
    for text in told:
        assert "dea.private" not in text
        assert "private-path" not in text


def test_who_does_not_sit_there_is_told_nothing(client: Client) -> None:
    people = people_at_table(client, 2)
    stranger = Program(client, people[0].table)
    assert stranger.get("/notices").status_code == 401
    other = people_at_table(client, 2)[0]
    stranger.token = other.token
    assert stranger.post("/notices/mail", {"address": "eve@mail.example"}).status_code == 403
    client.cookies.set("sf_player", other.token or "")
    assert client.get(f"/t/{people[0].table}/notices").status_code == 403


def test_links_that_are_none(client: Client) -> None:
    for secret in ("x", "A" * 43, "..%2f..", "a" * 200):
        assert client.get(f"/notices/{secret}/confirm").status_code == 404
        assert client.post(f"/notices/{secret}/stop").status_code in (200, 404)


def test_a_server_offers_only_what_is_set_up(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(database=str(tmp_path / "t.db")))) as plain:
        people = people_at_table(plain, 2)
        assert people[0].get("/notices").json() == {"offered": [], "push_key": "", "targets": []}
        for kind, body in (
            ("mail", {"address": "ann@mail.example"}),
            ("webhook", {"url": "https://ntfy.sh/x"}),
            ("push", PushBrowser("https://push.example/x").subscription),
        ):
            answer = people[0].post(f"/notices/{kind}", body)
            assert answer.status_code == 409
            assert answer.json()["code"] == "NOT_OFFERED"
        plain.cookies.set("sf_player", people[0].token or "")
        assert "This server sends no notices" in plain.get(f"/t/{people[0].table}/notices").text


def test_a_game_that_is_over_has_nothing_to_tell(client: Client) -> None:
    people = people_at_table(client, 2)
    for program in people:
        program.post("/leave", {})
    wait_for(lambda: people[0].info()["status"] == "over")
    answer = people[0].post("/notices/mail", {"address": "ann@mail.example"})
    assert answer.json()["code"] == "NOTHING_TO_TELL"


@pytest.mark.parametrize(
    ("wrong", "names"),
    [
        ({"smtp": "http://x", "mail_from": "a@b.example", "base_url": BASE}, "smtp"),
        ({"smtp": "smtp://ann:secret@mail:x", "mail_from": "a@b.example", "base_url": BASE}, "smtp"),
        ({"smtp": "smtp://mail", "base_url": BASE}, "mail_from"),
        ({"smtp": "smtp://mail", "mail_from": "a@b.example"}, "base_url"),
        ({"push": "keeper"}, "push"),
        ({"webhook_networks": "home"}, "webhook_networks"),
        ({"notice_delay": -1.0}, "notice_delay"),
    ],
)
def test_settings_that_cannot_be(wrong: dict[str, Any], names: str) -> None:
    with pytest.raises(BadSetting, match=names) as caught:
        Settings(**wrong)
    assert "secret" not in str(caught.value)


def test_yes_and_no_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, value in (("yes", True), ("1", True), ("no", False), ("", False)):
        monkeypatch.setenv("SHOPFLOOR_WEBHOOKS", text)
        assert Settings.from_environment().webhooks is value
    monkeypatch.setenv("SHOPFLOOR_WEBHOOKS", "perhaps")
    with pytest.raises(BadSetting, match="SHOPFLOOR_WEBHOOKS"):
        Settings.from_environment()
