"""What all tests share."""

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: no deadlines.
settings.register_profile("shopfloor", deadline=None)
settings.load_profile("shopfloor")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: while a browser is open, its event loop counts as running in this thread."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
