"""A table generator on the command line: make one, let users in, read its log."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets._util.files import put, writes
from sdcwidgets.cli._options import Parser
from sdcwidgets.cli._secret import add_secret, read_secret

#: What a rule file says besides.
SINGLE = (
    "The generator decides by [method] and [generator]; limits and stops are for tables released one by one."
)


def add_verbs(parser: Parser) -> None:
    """Add what is done to a generator."""
    init = parser.verb("init", _init)
    _add_folder(init, "a new folder, which only its owner will be able to read")
    init.add_argument(
        "--source",
        required=True,
        help="CSV or Parquet, a database by its URL and #TABLE, or hypercube: that of the study",
    )
    init.add_argument("--policy", metavar="FILE", type=Path, help="a rule file with a section [generator]")
    init.add_argument(
        "--count", metavar="COLUMN", help="the column with the people of each row; else each is one"
    )
    init.add_argument(
        "--key", metavar="COLUMN", help="the column of record keys; else they are made of the secret"
    )
    init.add_argument(
        "--identity", metavar="COLUMN", default="", help="what tells records apart, for their keys"
    )
    init.add_argument("--in-place", action="store_true", help="ask the source where it is; needs --key")
    add_secret(init)
    users = parser.verb("users", _users)
    _add_folder(users)
    users.add_argument("--add", metavar="NAME", help="let a user in; the new key is told once")
    users.add_argument("--replace", action="store_true", help="a new key for a user who has one, which ends")
    users.add_argument("--remove", metavar="NAME", help="let a user in no more")
    log = parser.verb("log", _log)
    _add_folder(log)
    log.add_argument("-o", "--output", metavar="OUT", type=Path, help="a CSV file (default: standard output)")
    patient = parser.verb("averaging", _averaging)
    _add_folder(patient)
    patient.add_argument(
        "--requests", type=int, default=100, help="answered questions of that user (default: 100)"
    )
    served = parser.verb("serve", _serve)
    _add_folder(served)
    served.add_argument("--port", type=int, default=8867, help="where to listen (default: 8867)")
    served.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (default: this machine only)"
    )
    served.add_argument("--no-key", action="store_true", help="let anyone ask who can reach the host")


def _add_folder(parser: Parser, about: str = "the folder of a generator") -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help=about)


def _init(options: argparse.Namespace) -> None:
    """Make a table generator in a folder: data, policy, secret, record keys, log and tables."""
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
    policy = generator.policy
    print(
        f"{policy.name}, {policy.kind}: {KINDS[policy.kind]}",
        policy.method.summary(),
        sep="\n",
        file=sys.stderr,
    )
    if options.policy is not None:
        print(SINGLE, file=sys.stderr)


def _users(options: argparse.Namespace) -> None:
    """Let users into a generator by keys, and out again; without a flag, list them."""
    from sdcwidgets.tableserver.generator import TableGenerator

    generator = TableGenerator(options.folder)
    if options.add is not None:
        key = generator.new_key(options.add, replace=options.replace)
        print(f"The key of {options.add} is {key}; it is not kept, so give it to them now.", file=sys.stderr)
    if options.remove is not None and not generator.store.remove_user(options.remove):
        raise InputError(f"There is no user {options.remove!r}.")
    if options.add is None and options.remove is None:
        print(*generator.store.users(), sep="\n")


def _log(options: argparse.Namespace) -> None:
    """Write the log of a generator: who asked what and when, and what the answer was."""
    from sdcwidgets._util.csv_writing import csv_text, lines_of
    from sdcwidgets._util.publication import check_internal
    from sdcwidgets.tableserver.generator import TableGenerator

    generator = TableGenerator(options.folder)
    if generator.slow:
        print(generator.slow, file=sys.stderr)
    check_internal(options.output)
    text = csv_text(lines_of(generator.to_frame(), single_lines=True), internal=True)
    with writes(options.output):
        if options.output is None:
            print(text, end="")
        else:
            put(text, options.output)


def _averaging(options: argparse.Namespace) -> None:
    """Tell how close a patient user comes who asks for everything; nothing of it is written into the log."""
    from sdcwidgets.tableserver.averaging import REQUESTS, averaged
    from sdcwidgets.tableserver.generator import TableGenerator

    if not 1 <= options.requests <= 1_000:
        raise InputError(f"--requests is {options.requests}; it must be from 1 to 1,000.")
    steps = [*(step for step in REQUESTS if step < options.requests), options.requests]
    errors = averaged(TableGenerator(options.folder).server(), steps)
    errors.columns = ["error (rmse)", "counts of 1 and 2 hit", "counts from 10 hit"]
    print(errors.round(3).to_string())


def _serve(options: argparse.Namespace) -> None:
    """Answer questions over HTTP until it is stopped; who is being answered then still is."""
    from ipaddress import ip_address

    from sdcwidgets.tableserver.generator import TableGenerator

    need("service", subject="The HTTP service")
    import uvicorn

    from sdcwidgets.tableserver.service import application

    if not 0 < options.port < 65536:
        raise InputError(f"The port is {options.port}; it must be from 1 to 65535.")
    generator = TableGenerator(options.folder)
    try:
        near = ip_address(options.host).is_loopback
    except ValueError:
        near = options.host == "localhost"
    if not (near or options.no_key or generator.store.users()):
        raise InputError(
            "Other machines could ask without a key; add a user with `sdcwidgets tables users`, or say --no-key."
        )
    generator.data  # noqa: B018  (what is wrong with it is told now)
    uvicorn.run(
        application(generator),
        host=options.host,
        port=options.port,
        server_header=False,
        timeout_graceful_shutdown=30,
        limit_concurrency=200,
    )
