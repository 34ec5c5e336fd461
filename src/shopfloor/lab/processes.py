"""Work spread over processes, on this machine or on Ray's, with the results as they come."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing
from types import TracebackType
from typing import Any, TypeVar

Job = TypeVar("Job")
Done = TypeVar("Done")

MISSING = "Ray is not installed: pip install 'shopfloor[ray]'"


class NoRay(Exception):
    """Ray was asked for, and cannot be had; the message says why."""


class Crew:
    """Processes that stay for several rounds of work: `with Crew(2) as crew: crew.spread(work, jobs)`.

    processes: how many work at the same time. With one, and without Ray, all is done in this process.
    """

    def __init__(self, processes: int, ray: bool = False) -> None:
        """ray: work on Ray: on the cluster that RAY_ADDRESS names, or one that is started here.

        Raises ValueError for no process, NoRay if it is not installed or cannot be reached.
        """
        if processes < 1:
            raise ValueError(f"at least 1 process is needed, not {processes}")
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._ray: Any = _ray(processes) if ray else None

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        if self._ray is not None:
            self._ray.shutdown()

    def spread(self, work: Callable[[Job], Done], jobs: Sequence[Job]) -> Generator[tuple[Job, Done], None, None]:
        """Each job with its result, in the order in which they are done.

        `work` must be a function of a module, so that other processes can find it. What it raises comes out here, and
        then no further jobs are begun.
        """
        if self._ray is not None:
            yield from self._on_ray(work, jobs)
            return
        if self.processes == 1 or (len(jobs) < 2 and self._pool is None):
            for job in jobs:
                yield job, work(job)
            return
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.processes, mp_context=multiprocessing.get_context("spawn"))
        # A few jobs ahead are enough, so that an interruption leaves little to wait for.
        waiting = iter(jobs)
        running: dict[Future[Done], Job] = {}
        try:
            for job in waiting:
                running[self._pool.submit(work, job)] = job
                if len(running) >= 2 * self.processes:
                    break
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    finished = running.pop(future)
                    following = next(waiting, None)
                    if following is not None:
                        running[self._pool.submit(work, following)] = following
                    yield finished, future.result()
        finally:
            for future in running:
                future.cancel()

    def _on_ray(self, work: Callable[[Job], Done], jobs: Sequence[Job]) -> Generator[tuple[Job, Done], None, None]:
        remote = self._ray.remote(_done)
        waiting = iter(jobs)
        running: dict[Any, Job] = {}
        try:
            for job in waiting:
                running[remote.remote(work, job)] = job
                if len(running) >= 2 * self.processes:
                    break
            while running:
                done, _ = self._ray.wait(list(running), num_returns=1)
                for found in done:
                    finished = running.pop(found)
                    following = next(waiting, None)
                    if following is not None:
                        running[remote.remote(work, following)] = following
                    yield finished, self._ray.get(found)
        finally:
            for found in running:
                self._ray.cancel(found)


def _done(work: Callable[[Job], Done], job: Job) -> Done:
    # Ray takes only functions that are written in Python; what is compiled is none.
    return work(job)


def _ray(processes: int) -> Any:
    try:
        import ray
    except ImportError:
        raise NoRay(MISSING) from None
    try:
        if os.environ.get("RAY_ADDRESS"):
            ray.init(logging_level="warning")
        else:
            ray.init(num_cpus=processes, include_dashboard=False, logging_level="warning", log_to_driver=False)
    except Exception as error:  # whatever it says, it is about the cluster
        raise NoRay(f"Ray cannot be reached or started: {error}") from None
    return ray


def spread(
    work: Callable[[Job], Done], jobs: Sequence[Job], processes: int, ray: bool = False
) -> Generator[tuple[Job, Done], None, None]:
    """Each job with its result, in the order in which they are done; in this process if there is one process.

    `work` must be a function of a module, so that other processes can find it. ray: on Ray instead (see `Crew`).
    Raises ValueError for no process, NoRay; what `work` raises comes out here and ends the rest.
    """
    with Crew(min(processes, max(1, len(jobs))), ray) as crew, closing(crew.spread(work, jobs)) as results:
        yield from results
