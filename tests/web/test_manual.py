"""The page about the API tells of every operation that there is."""

from __future__ import annotations

from litestar import Litestar
from litestar.testing import TestClient


def test_every_operation_stands_on_the_page(client: TestClient[Litestar]) -> None:
    description = client.get("/api/openapi.json").json()
    page = client.get("/api/docs").text
    operations = [told for methods in description["paths"].values() for told in methods.values()]
    assert len(operations) > 15
    for told in operations:
        assert f'id="{told["operationId"]}"' in page
        assert told["summary"].split(",", maxsplit=1)[0].replace("'", "&#39;") in page
    for path in description["paths"]:
        assert path in page


def test_the_shelf_leads_to_it(client: TestClient[Litestar]) -> None:
    assert 'href="/api/docs"' in client.get("/").text
