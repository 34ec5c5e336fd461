"""The site's forms and cookies, with script and without."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import httpx
import pytest
import structlog
from litestar import Litestar
from litestar.testing import TestClient

from tests.web.programs import Program, new_key, people_at_table, play_on

FORM = re.compile(r'name="_csrf_token" value="([^"]+)"')
SEAT_LINK = re.compile(r"/t/[a-z0-9]+/seat/[A-Za-z0-9_-]+")


class Browser:
    """A browser without script (`htmx` False) or with it; keeps its cookies to itself."""

    def __init__(self, client: TestClient[Litestar], htmx: bool = False) -> None:
        self.client = client
        self.htmx = htmx
        self.cookies: dict[str, str] = {}
        self.csrf = ""

    @contextmanager
    def _jar(self) -> Iterator[None]:
        self.client.cookies.clear()
        for name, value in self.cookies.items():
            self.client.cookies.set(name, value)
        yield
        self.cookies = {cookie.name: cookie.value or "" for cookie in self.client.cookies.jar}
        self.client.cookies.clear()

    def get(self, path: str) -> httpx.Response:
        with self._jar():
            answer = self.client.get(path, follow_redirects=True)
        found = FORM.search(answer.text)
        if found:
            self.csrf = found[1]
        return answer

    def post(self, path: str, **fields: Any) -> httpx.Response:
        headers = {"HX-Request": "true"} if self.htmx else {}
        data = {name: value if isinstance(value, list) else str(value) for name, value in fields.items()}
        with self._jar():
            sent = data | {"_csrf_token": self.csrf}
            return self.client.post(path, data=sent, headers=headers, follow_redirects=False)

    def open_table(self, players: int = 2, **more: Any) -> str:
        """Set up a table as a person does; its path."""
        self.get("/games/zahltag")
        answer = self.post("/tables", game="zahltag", players=players, name="Friday", your_name="Ann", **more)
        assert answer.status_code in (204, 303), answer.text
        return str(answer.headers.get("location") or answer.headers["hx-redirect"])


def two_at_a_table(client: TestClient[Litestar], htmx: bool) -> tuple[Browser, Browser, str]:
    ann, ben = Browser(client, htmx), Browser(client, htmx)
    path = ann.open_table()
    ben.get(path)
    assert ben.post(f"{path}/sit", name="Ben", seat=1).status_code == (200 if htmx else 303)
    assert ann.post(f"{path}/start").status_code == (200 if htmx else 303)
    return ann, ben, path


def seat_token(browser: Browser, path: str) -> str:
    """The secret of the browser's seat, as its private link holds it."""
    link = SEAT_LINK.search(browser.get(path).text)
    assert link
    return link[0].split("/")[-1]


def fields(page: str, path: str) -> list[dict[str, str]]:
    """What the page's form for acting would send, once for each control that chooses an action."""
    form = re.search(rf'<form id="act"[^>]*action="{path}/act".*?</form>', page, re.DOTALL)
    if not form:
        return []
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    controls = re.findall(r'<(?:button|input)\b[^>]*form="act"[^>]*>', page)
    actions = [re.search(r'name="action" .*?value="(\d+)"', c) for c in controls if not re.search(r"\sdisabled", c)]
    return [hidden | {"action": found[1]} for found in actions if found]


@pytest.mark.parametrize("htmx", [False, True])
def test_a_game_begins(client: TestClient[Litestar], htmx: bool) -> None:
    ann, ben, path = two_at_a_table(client, htmx)
    page = ann.get(path)
    assert page.status_code == 200
    assert "You" in page.text
    assert "Ben" in page.text
    home = ann.get("/")
    assert path in home.text
    assert ben.get(path).status_code == 200


@pytest.mark.parametrize("htmx", [False, True])
def test_moves_by_the_buttons_of_the_page(client: TestClient[Litestar], htmx: bool) -> None:
    ann, ben, path = two_at_a_table(client, htmx)
    api = path.replace("/t/", "/api/tables/")
    for _ in range(6):
        state = client.get(api).json()
        person = (ann, ben)[state["deciders"][0]]
        buttons = fields(person.get(path).text, path)
        assert buttons, "who is to decide finds buttons"
        if len(state["deciders"]) == 1:
            assert not fields((ben, ann)[state["deciders"][0]].get(path).text, path)
        answer = person.post(f"{path}/act", **buttons[0])
        if htmx:
            assert answer.status_code == 200
            assert answer.text.lstrip().startswith('<div id="live"')
            assert "<html" not in answer.text
        else:
            assert answer.status_code == 303
            assert answer.headers["location"] == path
        assert client.get(api).json()["number"] == state["number"] + 1


@pytest.mark.parametrize("htmx", [False, True])
def test_what_is_refused_is_said_at_the_table(client: TestClient[Litestar], htmx: bool) -> None:
    ann, ben, path = two_at_a_table(client, htmx)
    state = client.get(path.replace("/t/", "/api/tables/")).json()
    waiting = (ben, ann)[state["deciders"][0]]
    waiting.get(path)
    answer = waiting.post(f"{path}/act", action=0, based_on=state["number"], key=new_key())
    assert answer.status_code == 409
    assert "Awaited" in answer.text or "decision" in answer.text
    assert ("<html" in answer.text) is not htmx
    assert client.get(path.replace("/t/", "/api/tables/")).json()["number"] == state["number"]


def test_who_clicks_two_buttons_at_once_is_told_that_the_first_counts(client: TestClient[Litestar]) -> None:
    ann, ben, path = two_at_a_table(client, htmx=True)
    state = client.get(path.replace("/t/", "/api/tables/")).json()
    person = (ann, ben)[state["deciders"][0]]
    first, second, *_ = fields(person.get(path).text, path)
    assert person.post(f"{path}/act", **first).status_code == 200
    answer = person.post(f"{path}/act", **second)
    assert answer.status_code == 409
    assert "the first click counts" in answer.text
    assert first["key"] not in answer.text
    assert client.get(path.replace("/t/", "/api/tables/")).json()["number"] == state["number"] + 1


def test_watchers_and_strangers_cannot_act(client: TestClient[Litestar]) -> None:
    _, _, path = two_at_a_table(client, htmx=False)
    number = client.get(path.replace("/t/", "/api/tables/")).json()["number"]
    watcher = Browser(client)
    assert not fields(watcher.get(path).text, path)
    for form, more in (
        ("act", {"action": 0, "based_on": number, "key": "k"}),
        ("undo", {"number": number, "key": "k"}),
        ("leave", {}),
        ("back", {}),
        ("rematch", {}),
    ):
        assert watcher.post(f"{path}/{form}", **more).status_code in (403, 409), form
    assert client.get(path.replace("/t/", "/api/tables/")).json()["number"] == number


def test_fields_that_are_missing(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=False)
    for sent in ({}, {"action": "x"}, {"action": "-1"}, {"action": "0", "based_on": "9" * 40, "key": "k"}):
        answer = ann.post(f"{path}/act", **sent)
        assert answer.status_code == 400
        assert "whole number" in answer.text
    answer = ann.post(f"{path}/act", action=0, based_on=1)
    assert answer.status_code in (400, 409)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"your_name": ""}, "name"),
        ({"your_name": "x" * 30}, "24"),
        ({"players": "9"}, "2, 3 and 4"),
        ({"players": "many"}, "whole number"),
        ({"seat_1": "genius"}, "genius"),
        ({"option.tie_debt": "maybe"}, "floor"),
        ({"option.colour": "red"}, "colour"),
    ],
)
def test_setting_up_goes_wrong_before_anything_is_made(
    client: TestClient[Litestar], more: dict[str, str], says: str
) -> None:
    ann = Browser(client)
    ann.get("/games/zahltag")
    before = client.get("/api/tables", params={"limit": 200}).json()
    sent = {"game": "zahltag", "players": "2", "name": "Kept", "your_name": "Ann"} | more
    answer = ann.post("/tables", **sent)
    assert answer.status_code == 400
    assert says in answer.text
    assert 'value="Kept"' in answer.text, "what was filled in is still there"
    assert client.get("/api/tables", params={"limit": 200}).json() == before


def test_computers_from_the_form(client: TestClient[Litestar]) -> None:
    path = Browser(client).open_table(3, seat_1="greedy", seat_2="random", **{"option.card_cap": "penalty"})
    made = client.get(path.replace("/t/", "/api/tables/")).json()
    assert [(seat["kind"], seat["level"]) for seat in made["seats"]] == [
        ("person", None),
        ("computer", "greedy"),
        ("computer", "random"),
    ]
    assert made["options"]["card_cap"] == "penalty"
    assert made["status"] == "playing", "nobody is to be waited for"
    waiting = Browser(client).open_table(3, seat_1="greedy", seat_2="friend")
    assert client.get(waiting.replace("/t/", "/api/tables/")).json()["status"] == "open"


def test_gathering_by_forms(client: TestClient[Litestar]) -> None:
    ann = Browser(client)
    path = ann.open_table(3)
    ann.get(path)
    ann.post(f"{path}/bots", level="random", seat=1)
    ann.post(f"{path}/bots", level="greedy")
    api = path.replace("/t/", "/api/tables/")
    assert [seat["kind"] for seat in client.get(api).json()["seats"]] == ["person", "computer", "computer"]
    ann.post(f"{path}/bots/1/remove")
    ann.post(f"{path}/stand-up")
    assert [seat["kind"] for seat in client.get(api).json()["seats"]] == ["free", "free", "computer"]
    ann.post(f"{path}/sit", name="Ann again", seat=1)
    assert client.get(api).json()["seats"][1]["name"] == "Ann again"


def test_leaving_and_coming_back(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=False)
    api = path.replace("/t/", "/api/tables/")
    ann.post(f"{path}/leave")
    assert client.get(api).json()["seats"][0]["away"] is True
    ann.post(f"{path}/back")
    assert client.get(api).json()["seats"][0]["away"] is False


def test_undo_by_the_form(client: TestClient[Litestar]) -> None:
    ann, ben, path = two_at_a_table(client, htmx=True)
    api = path.replace("/t/", "/api/tables/")
    person = (ann, ben)[client.get(api).json()["deciders"][0]]
    buttons = fields(person.get(path).text, path)
    person.post(f"{path}/act", **buttons[1])
    number = client.get(api).json()["number"]
    assert person.post(f"{path}/undo", number=number, key=new_key()).status_code == 200
    assert [line["kind"] for line in client.get(f"{api}/log").json()][-2:] == ["play", "undo"]


def test_a_seat_on_another_device(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=False)
    link = SEAT_LINK.search(ann.get(path).text)
    assert link
    phone = Browser(client)
    assert phone.get(link[0]).url.path == path
    assert ann.cookies["sf_player"] not in phone.cookies.values(), "what opens all of her seats stays with her"
    assert "This is you" in phone.get(path).text or SEAT_LINK.search(phone.get(path).text)


def test_a_seat_taken_over_loses_no_other(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=False)
    link = SEAT_LINK.search(ann.get(path).text)
    assert link
    other = Browser(client)
    own = other.open_table()
    before = other.cookies["sf_player"]
    other.get(link[0])
    assert other.cookies["sf_player"] == before
    assert SEAT_LINK.search(other.get(path).text), "sits there"
    assert SEAT_LINK.search(other.get(own).text), "and still here"
    home = other.get("/").text
    assert path in home
    assert own in home


@pytest.mark.parametrize("token", ["x" * 32, "short", "%00", "a/b"])
def test_links_to_no_seat(client: TestClient[Litestar], token: str) -> None:
    _, _, path = two_at_a_table(client, htmx=False)
    guest = Browser(client)
    answer = guest.get(f"{path}/seat/{token}")
    assert answer.status_code == 404
    assert "sf_player" not in guest.cookies


@pytest.mark.parametrize("htmx", [False, True])
def test_rematch(client: TestClient[Litestar], htmx: bool) -> None:
    ann, ben, path = two_at_a_table(client, htmx)
    table = path.removeprefix("/t/")
    people = [Program(client, table, seat_token(browser, path)) for browser in (ann, ben)]
    client.cookies.clear()
    play_on(people, Random(1))
    over = ann.get(path)
    assert over.status_code == 200
    assert ann.get(f"{path}/verify").status_code == 200
    assert ann.get(f"{path}/record").text.startswith('{"shopfloor"')
    answers = [browser.post(f"{path}/rematch") for browser in (ann, ben)]
    following = {answer.headers.get("location") or answer.headers.get("hx-redirect") for answer in answers}
    assert len(following) == 1
    assert following != {path}
    assert "Ann" in ann.get(str(following.pop())).text


# -- what protects people ---------------------------------------------------------------------------------------


def test_forms_from_elsewhere_are_refused(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=False)
    number = client.get(path.replace("/t/", "/api/tables/")).json()["number"]
    good = ann.csrf
    for bad in ("", "x", good[:-1] + ("0" if good[-1] != "0" else "1"), "0" * 128):
        ann.csrf = bad
        answer = ann.post(f"{path}/leave")
        assert answer.status_code == 403
        assert "reload" in answer.text
        ann.get(path)  # gets a fresh cookie
    ann.cookies.pop("sf_csrf", None)
    ann.csrf = good
    assert ann.post(f"{path}/leave").status_code == 403
    assert client.get(path.replace("/t/", "/api/tables/")).json()["number"] == number


def test_an_old_page_is_loaded_anew_by_script(client: TestClient[Litestar]) -> None:
    ann, _, path = two_at_a_table(client, htmx=True)
    ann.csrf = "x"
    answer = ann.post(f"{path}/leave")
    assert answer.status_code == 403
    assert answer.headers["hx-refresh"] == "true"
    ann.get(path)
    assert ann.post(f"{path}/leave").status_code == 200


def test_cookies(client: TestClient[Litestar]) -> None:
    answer = client.get("/t/" + people_at_table(client, 2)[0].table)
    cookies = {c.split("=")[0]: c for c in answer.headers.get_list("set-cookie")}
    assert set(cookies) == {"sf_player", "sf_csrf"}
    for cookie in cookies.values():
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Secure" not in cookie


def test_cookies_are_secure_where_people_come_by_https(tmp_path: Any) -> None:
    from shopfloor.web.app import create_app
    from shopfloor.web.settings import Settings

    settings = Settings(database=str(tmp_path / "t.db"), base_url="https://play.example")
    with TestClient(create_app(settings)) as client:
        table = people_at_table(client, 2)[0]
        assert table.info()["link"] == f"https://play.example/t/{table.table}"
        for cookie in client.get(f"/t/{table.table}").headers.get_list("set-cookie"):
            assert "Secure" in cookie


@pytest.mark.parametrize("path", ["/", "/games/zahltag", "/rules/zahltag", "/nothing", "/api/games", "/api/nothing"])
def test_headers(client: TestClient[Litestar], path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "no-cache" in headers["cache-control"]


def test_pages_need_no_inline_script(client: TestClient[Litestar]) -> None:
    _, _, path = two_at_a_table(client, htmx=False)
    for page in ("/", "/games/zahltag", "/rules/zahltag", path):
        text = client.get(page).text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)
        assert not re.search(r"\son\w+=", text)
        assert "javascript:" not in text


def test_static_files(client: TestClient[Litestar]) -> None:
    page = client.get("/").text
    built = re.findall(r'(?:href|src)="(/static/build/assets/[^"]+)"', page)
    assert built
    for path in built:
        answer = client.get(path)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert "max-age=31536000" in answer.headers["cache-control"]
        assert answer.headers["content-encoding"] == "gzip"
        assert "set-cookie" not in answer.headers
    for outside in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/build/assets/../../../app.py", "/static/"):
        assert client.get(outside).status_code == 404


def test_pages_for_people_who_went_wrong(client: TestClient[Litestar]) -> None:
    for path, status in (
        ("/nothing", 404),
        ("/t/23456789ab", 404),
        ("/games/chess", 404),
        ("/rules/x", 404),
        ("/t/x/stream", 404),
    ):
        answer = client.get(path)
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert "<h1>" in answer.text
        assert "Traceback" not in answer.text
    assert client.get("/tables").status_code == 405


def test_forms_that_are_too_large(client: TestClient[Litestar]) -> None:
    ann = Browser(client)
    ann.get("/games/zahltag")
    answer = ann.post("/tables", game="zahltag", name="x" * 70_000)
    assert answer.status_code == 413


def test_an_error_in_the_middle_of_a_move_is_said_at_the_table(
    client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, path = two_at_a_table(client, htmx=True)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(client.app.state.services.tables), "leave", fails)
    with structlog.testing.capture_logs() as logged:
        answer = ann.post(f"{path}/leave")
    assert answer.status_code == 500
    assert answer.text.lstrip().startswith('<div id="live"')
    number = re.search(r"the number ([0-9a-f]{8})", answer.text)
    assert number
    assert [line["id"] for line in logged] == [number[1]]
    for secret in (ann.cookies["sf_player"], seat_token(ann, path)):
        assert secret not in str(logged)


@pytest.mark.parametrize("path", ["/", "/games/zahltag", "/healthz", "/static/icon.svg", "/api/games", "/t/none"])
def test_head_is_get_without_a_body(client: TestClient[Litestar], path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    assert client.head("/tables").status_code == 405, "what changes something is not asked for so"


def test_the_head_of_a_stream_comes_to_an_end(client: TestClient[Litestar]) -> None:
    ann = Browser(client)
    path = ann.open_table(2, seat_1="random")
    with ann._jar():
        head = client.head(f"/api/tables/{path.rpartition('/')[2]}/events")
    assert head.status_code == 200
    assert head.headers["content-type"].startswith("text/event-stream")
