"""Work spread over processes, with the results as they come."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import TypeVar

Job = TypeVar("Job")
Done = TypeVar("Done")


def spread(work: Callable[[Job], Done], jobs: Sequence[Job], processes: int) -> Generator[tuple[Job, Done], None, None]:
    """Each job with its result, in the order in which they are done; in this process if there is one process.

    `work` must be a function of a module, so that other processes can find it. Raises ValueError for no process;
    what `work` raises comes out here and ends the rest.
    """
    if processes < 1:
        raise ValueError(f"at least 1 process is needed, not {processes}")
    if processes == 1 or len(jobs) < 2:
        for job in jobs:
            yield job, work(job)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(processes, len(jobs)), mp_context=context)
    try:
        # A few jobs ahead are enough, so that an interruption leaves little to wait for.
        waiting = iter(jobs)
        running: dict[Future[Done], Job] = {}
        for job in waiting:
            running[pool.submit(work, job)] = job
            if len(running) >= 2 * processes:
                break
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                finished = running.pop(future)
                following = next(waiting, None)
                if following is not None:
                    running[pool.submit(work, following)] = following
                yield finished, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
