"""Requests to worker processes, and execution of the workers' store requests."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

from workbench.web.sessions import RequestDenied
from workbench.web.storage.table_errors import LimitReached, NotStored, WriteConflict
from workbench.web.store import Store
from workbench.web.thread_pools import ThreadPool
from workbench.web.worker_pool.base_table import RemoteTable
from workbench.web.worker_pool.pool import WorkerPool
from workbench.web.worker_pool.remote_store import (
    ADD,
    error_data,
    lines_from_rows,
    rows_from_lines,
    table_from_data,
    table_to_data,
)


class WorkerRequests:
    """Requests to the workers of a server, which run untrusted rules.

    `pool` is None in a worker process itself. `make_room` is called before a table is
    stored, `on_change` after a table changes, and `on_answer` after each answer for a
    table.
    """

    def __init__(
        self,
        pool: WorkerPool | None,
        store: Store,
        threads: ThreadPool,
        make_room: Callable[[], None],
        on_change: Callable[[RemoteTable], None],
        on_answer: Callable[[RemoteTable], None],
    ) -> None:
        self.pool = pool
        self.store = store
        self.threads = threads
        self.make_room = make_room
        self.on_change = on_change
        self.on_answer = on_answer

    def stop_worker(self, key: Hashable) -> None:
        """Stop the worker with this key, if there is one."""
        if self.pool is not None:
            self.pool.stop_worker(key)

    def turn(self, client: str) -> AbstractAsyncContextManager[None]:
        """Return a context manager that waits for a client's turn to use a worker.

        Entering it may raise `RequestDenied`.
        """
        assert self.pool is not None
        return self.pool.turn(client)

    async def ask(
        self,
        table: RemoteTable,
        message: Mapping[str, Any],
        client: str,
        on_store: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a message to the worker of a table; return the answer.

        The caller holds the table's lock. `on_store` is called with the name of each
        store request of the worker. May raise `RequestDenied`.
        """
        request = {**message, "table": table.id}
        request["lines"] = rows_from_lines(table.unsent_lines)
        sent_count = len(table.unsent_lines)
        table.charged_client = client or table.charged_client
        answer = await self.exchange(
            table.id, request, client, table, on_store=on_store
        )
        del table.unsent_lines[:sent_count]
        table.set_bot_due(due=bool(answer.get("due")))
        self.on_answer(table)
        return answer

    async def exchange(
        self,
        key: Hashable,
        message: Mapping[str, Any],
        client: str,
        table: RemoteTable | None = None,
        preamble: Mapping[str, Any] | None = None,
        on_store: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Send a message to a worker; serve its store requests until it answers.

        A new worker also receives the `preamble`. May raise `RequestDenied`.
        """
        assert self.pool is not None
        version = 0 if table is None else table.version

        async def serve(request: Mapping[str, Any]) -> dict[str, Any]:
            if on_store is not None:
                on_store(ADD if request.get("begins") else str(request["store"]))
            try:
                value = await self.threads.run(self._serve_store, table, request)
            except (WriteConflict, LimitReached, NotStored) as error:
                return error_data(error)
            return {"value": value}

        try:
            answer = await self.pool.ask(
                key, message, client, on_store=serve, preamble=preamble
            )
        finally:
            if table is not None and table.version != version:
                self.on_change(table)
        refusal = answer.get("refused")
        if refusal is not None:
            raise RequestDenied(
                int(refusal["status"]), str(refusal["key"]), **refusal["gaps"]
            )
        return answer

    def _serve_store(
        self, table: RemoteTable | None, request: Mapping[str, Any]
    ) -> Any:
        """Execute a worker's store request, for its own table or a new one."""
        own_id = None if table is None else table.id
        match request["store"]:
            case "read" if request["id"] == own_id:
                stored = self.store.read(request["id"])
                return None if stored is None else table_to_data(stored)
            case "read":
                return None
            case "texts" if (
                table is not None and request["digest"] == table.state.rules
            ):
                return self.store.texts(request["digest"])
            case "append" if table is not None and request["id"] == own_id:
                new_data = request["begins"]
                new = None if new_data is None else table_from_data(new_data)
                if new is not None:
                    self.make_room()
                table.append(
                    lines_from_rows(request["lines"]),
                    is_over=request["over"],
                    new_table=new,
                )
                return None
            case "add":
                self.make_room()
                self.store.add(table_from_data(request["kept"]))
                return None
        raise RequestDenied(400, "not_understood")

    async def close(self) -> None:
        """Stop all workers."""
        if self.pool is not None:
            await self.pool.close()
