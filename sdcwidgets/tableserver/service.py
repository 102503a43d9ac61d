"""HTTP service of a table generator: metadata, tables in four formats, refusals.

Requests use the same generator as the command line, Python and the dashboard. All requests use GET, so that
proxies can cache released tables. The service requires `sdcwidgets[service]`.

References: RFC 9457 (problem details), RFC 9110 (ETag), JSON-stat 2.0, SDMX-CSV 1.0.
"""

import hashlib
import re
import sqlite3
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import unquote_plus

from fastapi import Depends, FastAPI, Header, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from sdcwidgets import __version__
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import declared
from sdcwidgets.tables.io.writers.workbook import workbook
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.generator import LoggedAnswer, TableGenerator, TooManyQuestions, hashed
from sdcwidgets.tableserver.policy import KINDS
from sdcwidgets.tableserver.tabulate import levels, names, selection

#: Maximum number of serialised tables in memory.
CACHE_SIZE = 256

#: Maximum length of a parameter in characters.
LONGEST = 4_000

PROBLEM = "application/problem+json"

#: User name in the log if the access key is missing or wrong.
UNKNOWN = "unknown"

#: Reason for the rejection of a request to another host name.
OTHER_HOST = (
    "Without users, only requests to this computer are answered. Use http://127.0.0.1, or add a user."
)


class TableFormat(StrEnum):
    """File format of a table."""

    json = "json"
    csv = "csv"
    sdmx = "sdmx-csv"
    xlsx = "xlsx"


_MEDIA = {
    TableFormat.json: "application/json",
    TableFormat.csv: "text/csv; charset=utf-8",
    TableFormat.sdmx: "application/vnd.sdmx.data+csv; charset=utf-8",
    TableFormat.xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def _written(table: Release, format: TableFormat) -> bytes:
    """Return a table as a file."""
    if format is TableFormat.json:
        return table.to_json_stat().encode()
    if format is TableFormat.csv:
        return table.to_csv().encode()
    if format is TableFormat.sdmx:
        return table.to_sdmx_csv().encode()
    return workbook({"table": table.lines(), "notes": [[note] for note in table.notes]})


_TITLES = {
    400: "Invalid request",
    401: "Access key required",
    403: "Request refused by a release rule",
    404: "Not found",
    405: "HTTP method not allowed",
    421: "Wrong host",
    422: "Invalid parameter",
    429: "Too many requests",
    503: "Busy",
}


class ProblemDocument(Exception):
    """Error that is sent as a problem document."""

    def __init__(self, status: int, detail: str, **more: object) -> None:
        self.status, self.detail, self.more = status, detail, more


def is_this_computer(host: str) -> bool:
    """Return whether a Host header contains a loopback address or localhost.

    Examples
    --------
    >>> [is_this_computer(host) for host in ("127.0.0.1:8867", "[::1]", "localhost", "localhost.example.org")]
    [True, True, True, False]
    """
    parts = re.fullmatch(r"(?:\[([0-9a-f:.]+)\]|([^:\[\]]+))(?::\d{1,5})?", host.strip().lower())
    if parts is None:
        return False
    name = parts[1] or parts[2]
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def application(generator: TableGenerator, *, no_key: bool = False) -> FastAPI:
    """Return the HTTP application of a generator.

    Parameters
    ----------
    generator : TableGenerator
        Generator of the tables.
    no_key : bool
        Whether requests to every host name are answered without a key until a user is added. If False, an application
        without users answers only requests to this computer. A web page whose name resolves to this computer
        (DNS rebinding) therefore gets no answer.

    Returns
    -------
    FastAPI
        The application.
    """
    policy = generator.policy
    first = ['"{}"'.format(name.replace('"', '""')) for name in generator.data.names[:1]]
    written: OrderedDict[tuple[int, TableFormat], bytes] = OrderedDict()
    service = FastAPI(
        title=f"Tables of {generator.title}",
        version=__version__,
        description=f"{policy.name} ({policy.source}). {KINDS[policy.kind]} {policy.method.summary()}",
        docs_url=None,
        redoc_url=None,
    )

    def problems(*statuses: int) -> dict[int | str, dict[str, object]]:
        schema = {
            "type": "object",
            "required": ["type", "title", "status", "detail"],
            "properties": {
                **{name: {"type": "string"} for name in ("type", "title", "detail", "rule", "remedy")},
                "status": {"type": "integer"},
            },
        }
        content = {PROBLEM: {"schema": schema}}
        return {status: {"description": _TITLES[status], "content": content} for status in statuses}

    def user(
        request: Request,
        authorization: Annotated[
            str | None, Header(description="The word Bearer, a space, and the access key of the user")
        ] = None,
    ) -> str:
        if not generator.store.keys_required():
            request.state.user = "anyone"
            return "anyone"
        kind, _, key = (authorization or "").partition(" ")
        user = generator.store.user_of(hashed(key.strip())) if kind.lower() == "bearer" else None
        if user is None:
            raise ProblemDocument(
                401, "A valid access key is required. Send it in the header: Authorization: Bearer KEY."
            )
        request.state.user = user
        return user

    @service.middleware("http")
    async def check_host(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        hosts = request.headers.getlist("host")
        is_local = len(hosts) == 1 and is_this_computer(hosts[0])
        if is_local or no_key or await run_in_threadpool(generator.store.keys_required):
            return await answer(request)
        return await run_in_threadpool(turn_away, request, 421, OTHER_HOST)

    @service.get("/health", responses=problems(421, 503))
    def health() -> dict[str, str]:
        """Return whether the service can answer requests."""
        try:
            generator.store.setting("title")
        except Exception:
            raise ProblemDocument(503, "The store of released tables cannot be read.") from None
        return {"status": "ok", "version": __version__}

    @service.get("/policy", responses=problems(401, 421))
    def told_policy(_: Annotated[str, Depends(user)]) -> dict[str, object]:
        """Return the public policy: rules, noise and limits."""
        method = policy.method
        description = {
            "name": policy.name,
            "source": policy.source,
            "policy": policy.kind,
            "promise": KINDS[policy.kind],
            "method": method.name,
            "settings": {setting.name: getattr(method, setting.name) for setting in declared(type(method))},
            "noise": method.summary(),
            "rules": dict(vars(policy.rules)),
            "requests per minute": policy.rate,
        }
        if policy.weight:
            description["weight"] = policy.weight
            description["minimum number of people"] = policy.weighted_people
        return description

    @service.get("/variables", responses=problems(401, 421))
    def variables(_: Annotated[str, Depends(user)]) -> list[dict[str, object]]:
        """Return the variables of the data and their numbers of group levels."""
        return [{"name": name, "levels": len(policy.groups.get(name, []))} for name in generator.data.names]

    @service.get("/variables/{name}", responses=problems(400, 401, 404, 421, 422))
    def variable(
        name: Annotated[str, Path(max_length=LONGEST)], _: Annotated[str, Depends(user)]
    ) -> dict[str, object]:
        """Return the categories of a variable and its levels of groups."""
        if name not in generator.data.names:
            raise ProblemDocument(
                404, "The data have no variable of this name.", remedy="/variables lists all variables."
            )
        return {
            "name": name,
            "categories": list(generator.variable(name).labels),
            "levels": policy.groups.get(name, []),
        }

    @service.get(
        "/table",
        response_class=Response,
        responses={
            200: {
                "description": "Released table",
                "content": {kind.partition(";")[0]: {} for kind in _MEDIA.values()},
            },
            304: {"description": "The table has not changed since the last request"},
            **problems(400, 401, 403, 421, 422, 429),
        },
    )
    def table(
        name: Annotated[str, Depends(user)],
        by: Annotated[
            str,
            Query(
                max_length=LONGEST,
                description="Variables of the requested table, separated by commas: Age,Sex",
                examples=first,
            ),
        ],
        where: Annotated[
            str,
            Query(
                max_length=LONGEST,
                description="Population, as variables with categories: Region=Region 1; Age=0-4|5-9",
            ),
        ] = "",
        groups: Annotated[
            str,
            Query(
                max_length=LONGEST,
                description="Variables whose categories are grouped, each with the level of its groups: "
                "Age:1",
            ),
        ] = "",
        format: Annotated[
            TableFormat, Query(description="File format of the returned table")
        ] = TableFormat.json,
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        """Return a table, or the rule that the request violates."""
        try:
            question: tuple[Any, Any, Any] = names(by), selection(where), levels(groups)
        except InputError:
            question = by, where, groups  # the generator logs and rejects the malformed request
        answered: LoggedAnswer = generator.ask(*question, user=name, door="http", limited=True)
        if not isinstance(answered.answer, Release):
            refused = answered.answer
            remedy = {"remedy": refused.advice} if refused.advice else {}
            raise ProblemDocument(
                403, f"{refused.reason} {refused.required}".strip(), rule=refused.rule, **remedy
            )
        if (answered.id, format) not in written:
            written[answered.id, format] = _written(answered.answer, format)
            if len(written) > CACHE_SIZE:
                written.popitem(last=False)
        content = written.get((answered.id, format)) or _written(answered.answer, format)
        # The tag is a hash of the content. The number of the request would reveal that other users made
        # requests.
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        headers = {"ETag": etag, "Cache-Control": "private, max-age=3600", "Vary": "Authorization"}
        if if_none_match is not None and etag in if_none_match:
            return Response(status_code=304, headers=headers)
        headers["Content-Disposition"] = f"inline; filename=table.{format.value.replace('sdmx-', 'sdmx.')}"
        return Response(content, media_type=_MEDIA[format], headers=headers)

    def problem(status: int, detail: str, **more: object) -> Response:
        title = _TITLES.get(status, "Internal error")
        headers = {
            401: {"WWW-Authenticate": "Bearer"},
            429: {"Retry-After": "60"},
            405: {"Allow": "GET"},
        }.get(status)
        content = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
        return JSONResponse(content, status, headers, media_type=PROBLEM)

    def turn_away(request: Request, status: int, detail: str) -> Response:
        """Reject a request and log it; reject it even if the log cannot be written."""
        question = unquote_plus(f"{request.url.path}?{request.url.query}")[:LONGEST]
        with suppress(InputError, sqlite3.Error):
            generator.store.turned_away(getattr(request.state, "user", UNKNOWN), "http", question, detail)
        return problem(status, detail)

    @service.exception_handler(ProblemDocument)
    def tell(request: Request, error: ProblemDocument) -> Response:
        if error.status == 401:
            return turn_away(request, 401, error.detail)
        return problem(error.status, error.detail, **error.more)

    @service.exception_handler(InputError)
    def tell_input(request: Request, error: InputError) -> Response:
        if isinstance(error, TooManyQuestions):
            return turn_away(request, 429, str(error))
        return problem(400, str(error))

    @service.exception_handler(RequestValidationError)
    def tell_unread(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return turn_away(request, 422, f"{first['loc'][-1]}: {first['msg']}.")

    @service.exception_handler(404)
    def tell_nowhere(_: Request, error: Exception) -> Response:
        return problem(
            404, "This service has no such address. /openapi.json lists all addresses of the service."
        )

    @service.exception_handler(405)
    def tell_get(_: Request, error: Exception) -> Response:
        return problem(405, "This service is read-only. Use GET.")

    @service.exception_handler(Exception)
    def tell_nothing(_: Request, error: Exception) -> Response:
        return problem(
            500,
            "The request failed because of an error of the service. The log of the agency "
            "contains this error.",
        )

    return service
