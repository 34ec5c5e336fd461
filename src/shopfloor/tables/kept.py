"""The tables that are kept at hand, so that they need not be folded anew for every question."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from shopfloor.tables.fold import Fold
from shopfloor.tables.model import Table

# A line takes 2 to 4 kB: at most about 300 MB, two thousand tables in the middle of their games.
LINES_KEPT: Final = 100_000


class Folds:
    """By table, the one that was asked for last at the end. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Fold] = OrderedDict()
        self._tables: dict[str, Table] = {}  # each made from the fold that is kept
        self._lines = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, table_id: str) -> Fold | None:
        with self._lock:
            fold = self._kept.get(table_id)
            if fold is not None:
                self._kept.move_to_end(table_id)
            return fold

    def table(self, fold: Fold) -> Table:
        """The snapshot of a fold: for one that is kept, the same for all who ask."""
        with self._lock:
            table_id = fold.header.id
            if self._kept.get(table_id) is not fold:
                return fold.table()
            made = self._tables.get(table_id)
            if made is None:
                made = self._tables[table_id] = fold.table()
            return made

    def put(self, table_id: str, fold: Fold) -> None:
        """Keep a fold, unless a newer one of its table is there; as many of the others go as have no room any more."""
        with self._lock:
            known = self._kept.get(table_id)
            if known is None or known.number < fold.number:
                self._lines += fold.number - (known.number if known is not None else 0)
                self._kept[table_id] = fold
                self._tables.pop(table_id, None)
            self._kept.move_to_end(table_id)
            while self._lines > LINES_KEPT and len(self._kept) > 1:
                gone_id, gone = self._kept.popitem(last=False)
                self._tables.pop(gone_id, None)
                self._lines -= gone.number

    def forget(self, table_id: str) -> None:
        with self._lock:
            gone = self._kept.pop(table_id, None)
            self._tables.pop(table_id, None)
            if gone is not None:
                self._lines -= gone.number

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._tables.clear()
            self._lines = 0

    def exchange(self, table_id: str, fold: Fold) -> None:
        """Keep this one, whatever is there."""
        self.forget(table_id)
        self.put(table_id, fold)
