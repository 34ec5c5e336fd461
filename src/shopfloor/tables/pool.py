"""Worker processes that are replaced when one of them dies."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

import structlog

from shopfloor.tables import worker

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """A process pool that comes back. Its processes begin with nothing of ours but what is sent to them."""

    def __init__(self, workers: int, helped: int = 1) -> None:
        """workers: processes. helped: how many think about one question at most, the worker that is asked included."""
        if workers < 1:
            raise ValueError(f"at least one process must think, not {workers}")
        self._workers = workers
        self._helped = helped
        self._lock = threading.Lock()
        self._executor: ProcessPoolExecutor | None = None

    def warm_up(self) -> None:
        """Start a process now rather than with the first question."""
        self.submit(worker.ready, self._helped)

    def submit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call in a worker. If one dies, the future fails with BrokenProcessPool, and the next call gets new ones."""
        with self._lock:
            if self._executor is None:
                self._executor = self._new()
            try:
                return self._executor.submit(function, *args, **kwargs)
            except BrokenProcessPool:
                log.error("workers_replaced", workers=self._workers)
                self._executor.shutdown(wait=False)
                self._executor = self._new()
                return self._executor.submit(function, *args, **kwargs)

    def _new(self) -> ProcessPoolExecutor:
        # spawn: a copy of a server full of threads and open sockets would be no clean start.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, mp_context=context, initializer=worker.begin)

    def pids(self) -> list[int]:
        """The processes there are now."""
        with self._lock:
            return [] if self._executor is None else list(_processes(self._executor))

    def close(self) -> None:
        """End at once; what was being thought is lost."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor is None:
            return
        processes = list(_processes(executor).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(5)


def _processes(executor: ProcessPoolExecutor) -> dict[int, multiprocessing.Process]:
    # Python offers no other way to end a worker that is busy (until 3.14's terminate_workers).
    return dict(getattr(executor, "_processes", None) or {})
