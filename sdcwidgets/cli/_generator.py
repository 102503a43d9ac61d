"""Nested commands of `tables`: make a generator, manage its users, log, simulated attack, service."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets._util.files import put, writes
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._output import add_output, check_outputs, print_dry_run, print_written
from sdcwidgets.cli._parser import Parser
from sdcwidgets.cli._secret import add_secret, read_secret

#: Remark after `init` with a policy file.
SECTIONS = (
    "The generator uses the sections [method] and [generator] of the policy. The sections [limits] and [stops] apply "
    "to single releases."
)


def add_generator_commands(parser: Parser) -> None:
    """Add the nested commands for a generator."""
    init = parser.add_command(
        "init",
        _init,
        (
            "sdcwidgets tables init census --source people.parquet --policy policy.toml",
            "sdcwidgets tables init example --source hypercube",
        ),
    )
    _add_folder(init, "new folder of the generator, which only its owner can read")
    init.add_argument(
        "--source",
        required=True,
        metavar="SOURCE",
        help="microdata: CSV, Parquet, URL#TABLE of a database, or hypercube (synthetic example)",
    )
    init.add_argument(
        "--policy",
        metavar="FILE",
        type=Path,
        help="TOML file of rules with a section [generator]; `sdcwidgets list policy` lists its keys",
    )
    init.add_argument(
        "--count",
        metavar="COLUMN",
        help="column with the number of people in each row (default: each row is one person)",
    )
    init.add_argument(
        "--key",
        metavar="COLUMN",
        help="column of record keys (default: record keys computed from the secret of the generator)",
    )
    init.add_argument(
        "--identity",
        metavar="COLUMN",
        default="",
        help="column that identifies a record; the record key is computed from this column "
        "(default: all columns)",
    )
    init.add_argument(
        "--in-place",
        action="store_true",
        help="read the data source at each request instead of copying the data; requires --key",
    )
    add_secret(init)
    users = parser.add_command(
        "users", _users, ("sdcwidgets tables users census", "sdcwidgets tables users census --add ann")
    )
    _add_folder(users)
    users.add_argument("--add", metavar="NAME", help="add a user, and print the new access key once")
    users.add_argument(
        "--replace", action="store_true", help="with --add: replace the access key of an existing user"
    )
    users.add_argument("--remove", metavar="NAME", help="remove a user")
    log = parser.add_command(
        "log", _log, ("sdcwidgets tables log census", "sdcwidgets tables log census -o internal-log.csv")
    )
    _add_folder(log)
    add_output(
        log,
        'output file (.csv) of the internal log; its name must contain "internal" (default: standard output)',
    )
    averaging = parser.add_command(
        "averaging",
        _averaging,
        ("sdcwidgets tables averaging census", "sdcwidgets tables averaging census --requests 300"),
    )
    _add_folder(averaging)
    averaging.add_argument(
        "--requests",
        metavar="N",
        type=int,
        default=100,
        help="number of answered requests that are averaged (default: 100)",
    )
    serve = parser.add_command(
        "serve",
        _serve,
        ("sdcwidgets tables serve census", "sdcwidgets tables serve census --host 0.0.0.0 --port 8867"),
    )
    _add_folder(serve)
    serve.set_defaults(has_own_progress=True)
    serve.add_argument("--port", metavar="N", type=int, default=8867, help="port (default: 8867)")
    serve.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="network address on which the server listens (default: this computer only)",
    )
    serve.add_argument(
        "--no-key",
        action="store_true",
        help="give access without an access key to anyone who can reach the host, until a user is added",
    )


def _add_folder(parser: Parser, about: str = "folder of a generator") -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help=about)


def _init(options: argparse.Namespace) -> None:
    """Make a table generator in a new folder."""
    from sdcwidgets.tableserver.generator import TableGenerator
    from sdcwidgets.tableserver.policy import KINDS

    secret = read_secret(options)
    generator = TableGenerator.init(
        options.folder,
        options.source,
        options.policy,
        count=options.count,
        key=options.key,
        identity=options.identity,
        in_place=options.in_place,
        secret=secret.seed,
    )
    secret.save()
    policy = generator.policy
    print(
        f"{policy.name}, {policy.kind}: {KINDS[policy.kind]}",
        policy.method.summary(),
        sep="\n",
        file=sys.stderr,
    )
    if options.policy is not None:
        print(SECTIONS, file=sys.stderr)


def _users(options: argparse.Namespace) -> None:
    """List, add or remove the users of a generator."""
    from sdcwidgets.tableserver.generator import TableGenerator

    generator = TableGenerator(options.folder)
    if options.add is not None:
        key = generator.new_key(options.add, replace=options.replace)
        print(
            f"The access key of {options.add} is {key}. It is not stored, so pass it to the user now.",
            file=sys.stderr,
        )
    if options.remove is not None and not generator.store.remove_user(options.remove):
        known = ", ".join(generator.store.users()) or "none"
        raise InputError(f"--remove: there is no user {quoted(options.remove)}; users are: {known}.")
    if options.add is None and options.remove is None:
        print(*generator.store.users(), sep="\n")


def _log(options: argparse.Namespace) -> None:
    """Print or write the log of a generator: time, user, request and answer."""
    from sdcwidgets._util.csv_writing import csv_text, lines_of
    from sdcwidgets._util.publication import check_internal
    from sdcwidgets.tableserver.generator import TableGenerator

    generator = TableGenerator(options.folder)
    if generator.slow:
        print(generator.slow, file=sys.stderr)
    check_internal(options.output)
    check_outputs([options.output], [], force=options.force)
    if options.dry_run:
        print_dry_run(
            [], [options.output], "Without --dry-run, the command would print the log on the standard output."
        )
        return
    text = csv_text(lines_of(generator.to_frame(), single_lines=True), internal=True)
    with writes(options.output):
        if options.output is None:
            print(text, end="")
        else:
            put(text, options.output)
    print_written(options.output)


def _averaging(options: argparse.Namespace) -> None:
    """Simulate an averaging attack, and report how accurately it estimates the counts (not logged)."""
    from sdcwidgets.tableserver.averaging import REQUESTS, averaged
    from sdcwidgets.tableserver.generator import TableGenerator

    if not 1 <= options.requests <= 1_000:
        raise InputError(f"--requests is {options.requests}; it must be from 1 to 1,000.")
    steps = [*(step for step in REQUESTS if step < options.requests), options.requests]
    errors = averaged(TableGenerator(options.folder).server(), steps)
    errors.columns = [
        "root mean square error",
        "share of counts 1 and 2 that are estimated exactly",
        "share of counts from 10 that are estimated exactly",
    ]
    print(errors.round(3).to_string())


def _serve(options: argparse.Namespace) -> None:
    """Serve table requests over HTTP; running requests are completed at shutdown."""
    from ipaddress import ip_address

    from sdcwidgets.tableserver.generator import TableGenerator

    need("service", subject="The HTTP service")
    import uvicorn

    from sdcwidgets.tableserver.service import application

    if not 0 < options.port < 65536:
        raise InputError(f"--port is {options.port}; it must be from 1 to 65535.")
    generator = TableGenerator(options.folder)
    try:
        is_local = ip_address(options.host).is_loopback
    except ValueError:
        is_local = options.host == "localhost"
    if not (is_local or options.no_key or generator.store.keys_required()):
        raise InputError(
            "The generator has no users, so other computers would need no key; add a user with `sdcwidgets tables "
            "users`, or allow this with --no-key."
        )
    generator.data  # noqa: B018  (raises an error before the server starts)
    uvicorn.run(
        application(generator, no_key=options.no_key),
        host=options.host,
        port=options.port,
        server_header=False,
        timeout_graceful_shutdown=30,
        limit_concurrency=200,
    )
