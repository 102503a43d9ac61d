"""A generator over HTTP, asked as a client asks it: the server is a real one."""

import contextlib
import hashlib
import http.client
import io
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from integer_attack import Published, known_small, of_p_table
from openpyxl import load_workbook
from service_client import Client

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets.cli import main
from sdcwidgets.tableserver import Rules
from sdcwidgets.tableserver.generator import TableGenerator, TooManyQuestions
from sdcwidgets.tableserver.policy import Policy
from sdcwidgets.tableserver.tabulate import Query

LABELS = {"Area": ("E", "N", "S"), "Job, now": ("a", "b", "c"), "Sex": ("f", "m")}
POLICY = Policy(
    "public",
    Rules(people=20, mean=0, small=1, after=1, utility=0, apart=(("Area", "Job, now", "Sex"),)),
    groups={"Area": [{"NE": ("E", "N")}]},
    rate=0,
)

POLICY_OF_HOSTILE = Policy("public", Rules(people=1, mean=0, small=1, after=1, utility=0), rate=0)


def people(seed=1, size=120):
    rng = np.random.default_rng(seed)
    chosen = {"Area": [0.3, 0.6, 0.1], "Job, now": [0.6, 0.35, 0.05], "Sex": [0.5, 0.5]}
    return pd.DataFrame({name: rng.choice(LABELS[name], size, p=shares) for name, shares in chosen.items()})


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service") / "made"
    made = Client(TableGenerator.init(folder, people(), POLICY, secret=1))
    yield made
    made.stop()


def test_it_tells_what_there_is(client):
    status, _, body = client.get("/health")
    assert (status, json.loads(body)["status"]) == (200, "ok")
    assert [one["name"] for one in json.loads(client.get("/variables")[2])] == ["Area", "Job, now", "Sex"]
    one = json.loads(client.get(f"/variables/{quote('Job, now')}")[2])
    assert one["categories"] == ["a", "b", "c"]
    assert json.loads(client.get("/variables/Area")[2])["levels"] == [{"NE": ["E", "N"]}]
    told = json.loads(client.get("/policy")[2])
    assert (told["policy"], told["settings"]["D"], told["rules"]["people"]) == ("public", 10, 20)
    assert client.get("/variables/Income")[0] == 404


def test_every_format_has_the_numbers_of_python(client):
    release = client.generator.ask(["Area", "Sex"], {"Sex": ["f"]}).answer
    asked = {"by": "Area,Sex", "where": "Sex=f"}
    status, headers, body = client.table(**asked)
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body)["value"] == json.loads(release.to_json_stat())["value"]
    text = client.table(**asked, format="csv")[2].decode()
    assert text == release.to_csv()
    text = client.table(**asked, format="sdmx-csv")[2].decode()
    assert text == release.to_sdmx_csv()
    book = load_workbook(io.BytesIO(client.table(**asked, format="xlsx")[2]))
    assert book["table"]["B2"].value == release.cells[0, 0]
    assert json.loads(client.table(by="Area", groups="Area:1")[2])["size"] == [3]


def test_a_table_that_one_has_is_not_sent_again_and_is_in_the_log_all_the_same(client):
    _, headers, body = client.table(by="Sex")
    before = len(client.generator.store.log())
    # Neither name nor tag numbers the tables: that would tell what others asked.
    assert headers["content-disposition"] == "inline; filename=table.json"
    assert headers["etag"] == f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    status, again, nothing = client.table({"If-None-Match": headers["etag"]}, by="Sex")
    assert (status, nothing, again["etag"]) == (304, b"", headers["etag"])
    assert client.table({"If-None-Match": '"other"'}, by="Sex")[2] == body
    assert len(client.generator.store.log()) == before + 2
    assert client.generator.store.log()[0]["door"] == "http"


@pytest.mark.parametrize(
    ("asked", "status", "says"),
    [
        ({"by": "Sex", "where": '"Job, now"=c'}, 403, "Too few"),
        ({"by": 'Area,"Job, now",Sex'}, 403, "be combined"),
        ({"by": "Income"}, 400, "no variable"),
        ({"by": ""}, 400, "different variables"),
        ({"by": "Sex", "where": "Area=x' OR 1=1; DROP TABLE log"}, 400, "wrong form"),
        ({"by": "Sex", "where": "nonsense"}, 400, "wrong form"),
        ({"by": "Area", "groups": "Area:9"}, 400, "no level 9"),
        ({"by": "Sex", "format": "exe"}, 422, "format"),
        ({"by": "x" * 5000}, 422, "by"),
        ({}, 422, "by"),
    ],
)
def test_what_is_not_answered_is_a_problem_document(client, asked, status, says):
    before = len(client.generator.store.log())
    found, headers, body = client.table(**asked)
    problem = json.loads(body)
    assert (found, headers["content-type"], problem["status"]) == (status, "application/problem+json", status)
    assert says in problem["detail"]
    assert set(problem) <= {"type", "title", "status", "detail", "rule", "remedy"}
    if status == 403:
        assert problem["rule"] in ("people", "apart")
        assert problem["remedy"]
    line = client.generator.store.log()[0]
    assert len(client.generator.store.log()) == before + 1
    assert line["answer"].startswith("error: turned away: " if status == 422 else ("refused: ", "error: "))


def test_other_doors_are_shut(client):
    assert client.get("/table?by=Sex", method="POST")[0] == 405
    assert json.loads(client.get("/nowhere")[2])["title"] == "Not found"
    assert client.get("/docs")[0] == 404


def test_keys_and_rates(tmp_path):
    policy = Policy("public", POLICY.rules, rate=3)
    generator = TableGenerator.init(tmp_path / "made", people(), policy)
    client = Client(generator)
    try:
        assert client.get("/variables")[0] == 200
        key = generator.new_key("ann")
        status, headers, _ = client.table(by="Sex")
        assert (status, headers["www-authenticate"]) == (401, "Bearer")
        client.key = "wrong"
        assert client.table(by="Sex")[0] == 401
        client.key = key
        assert [client.table(by=by)[0] for by in ("Sex", "Area", "Sex", "Sex")] == [200, 200, 200, 429]
        lines = [(line["user"], line["answer"]) for line in generator.store.log()]
        assert lines[0][0] == "ann"
        assert lines[0][1].startswith("error: turned away: The limit of 3")
        assert [user for user, _ in lines] == ["ann"] * 4 + ["unknown"] * 2
        assert "Authorization: Bearer KEY" in lines[-1][1]
        assert "/table?by=Sex" in generator.store.log()[-1]["table"]
        assert "wrong" not in str(generator.store.log())
        client.key = generator.new_key("bob")
        assert client.table(by="Sex")[0] == 200
        # What was turned away counts for no rate, and a flood of it fills no disk.
        client.key = ""
        assert {client.table(by="Sex")[0] for _ in range(70)} == {401}
        last = [line["answer"] for line in generator.store.log() if line["user"] == "unknown"]
        assert len(last) == 60
        assert "this minute" in last[0]
    finally:
        client.stop()


def test_twenty_at_once_get_the_same_numbers_and_nothing_is_lost(client):
    before, found = len(client.generator.store.log()), []
    questions = ["Sex", "Area", '"Job, now"', "Area,Sex", 'Sex,"Job, now"']

    def ask(seed):
        for by in random.Random(seed).sample(questions, 5):
            found.append((by, client.table(by=by)))

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(20)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert {status for _, (status, _, _) in found} == {200}
    assert len({(by, body) for by, (_, _, body) in found}) == 5
    assert len(client.generator.store.log()) == before + 100


def test_what_is_published_over_http_tells_of_nobody(client):
    tables = []
    for by in (["Area", "Sex"], ["Area", "Job, now"], ["Job, now", "Sex"], ["Area"], ["Sex"]):
        for where in ("", "Sex=f", "Area=N", "Area=S", '"Job, now"=b'):
            text = ",".join(f'"{name}"' for name in by)
            status, _, body = client.table(by=text, where=where)
            if status == 200:
                found = json.loads(body)
                labels = [list(found["dimension"][name]["category"]["index"]) for name in found["id"]]
                numbers = {}
                for place, value in zip(np.ndindex(*found["size"]), found["value"], strict=True):
                    at = [
                        (name, labels[k][i])
                        for k, (name, i) in enumerate(zip(found["id"], place, strict=True))
                    ]
                    if value is not None:
                        numbers[tuple((n, frozenset([x])) for n, x in at if x != "Total")] = value
                name, _, label = where.replace('"', "").partition("=")
                tables.append(Published({name: frozenset([label])} if where else {}, numbers))
    assert len(tables) > 10
    assert list(known_small(LABELS, tables, of_p_table(POLICY.method.noise_table()), 2)) == []


def test_hostile_questions_get_a_sentence_and_change_nothing(client):
    rng = random.Random(1)
    pieces = [
        "Sex",
        "Area",
        '"',
        "'",
        ";",
        "=",
        "|",
        ",",
        "--",
        "\x00",
        "é",
        "%",
        "../",
        "NULL",
        ":1",
        ":99",
        "{}",
        "\n",
    ]
    statuses = set()
    for _ in range(150):
        asked = {
            name: "".join(rng.choices(pieces, k=rng.randint(0, 5)))
            for name in rng.sample(["by", "where", "groups", "format"], rng.randint(1, 4))
        }
        status, headers, body = client.table(**asked)
        statuses.add(status)
        assert status in (200, 400, 403, 422), (asked, body)
        if status != 200:
            assert headers["content-type"] == "application/problem+json"
            assert json.loads(body)["detail"]
    assert {400, 422} <= statuses
    assert client.table(by="Sex")[0] == 200


HOSTILE = [
    "x'; DROP TABLE log; --",
    '"',
    "a|b;c=d,e:1",
    "=1+1",
    "<script>alert(1)</script>",
    "two\nlines",
    "\u202eleft",
    "%00",
    "Total",
    "{name}",
    "é" * 300,
]


def test_hostile_categories_are_labels_at_every_door(tmp_path, capsys):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({'Sex"; --': rng.choice(HOSTILE, 900), "Area": rng.choice(["N", "S"], 900)})
    client = Client(TableGenerator.init(tmp_path / "made", frame, POLICY_OF_HOSTILE))
    try:
        for label in HOSTILE:
            where = '"Sex""; --"="{}"'.format(label.replace('"', '""'))
            mine = client.generator.ask(["Area"], {'Sex"; --': [label]}).answer
            assert mine
            status, _, body = client.table(by="Area", where=where, format="csv")
            assert (status, body.decode()) == (200, mine.to_csv())
            assert main(["tables", str(tmp_path / "made"), "--by", "Area", "--where", where]) == 0
            assert capsys.readouterr().out == csv_text(mine.lines())
        whole = client.generator.ask(['Sex"; --']).answer
        assert set(whole.axes[0].labels) == set(HOSTILE)
        book = load_workbook(io.BytesIO(client.table(by='"Sex""; --"', format="xlsx")[2]))
        assert "f" not in {cell.data_type for row in book["table"] for cell in row}
        assert len(client.generator.store.log()) == 3 * len(HOSTILE) + 2
    finally:
        client.stop()


def test_openapi_tells_of_every_answer(client):
    told = json.loads(client.get("/openapi.json")[2])
    assert set(told["paths"]) == {"/health", "/policy", "/variables", "/variables/{name}", "/table"}
    asked = told["paths"]["/table"]["get"]
    assert set(asked["responses"]) == {"200", "304", "400", "401", "403", "421", "422", "429"}
    assert {one["name"] for one in asked["parameters"]} >= {"by", "where", "groups", "format"}
    assert "application/problem+json" in asked["responses"]["403"]["content"]


@pytest.mark.slow
def test_every_answer_is_as_openapi_says(client):
    """Schemathesis asks what the description allows, and what it does not."""
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis.checks import load_all_checks, not_a_server_error
    from schemathesis.specs.openapi import checks

    load_all_checks()
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{client.port}/openapi.json")
    asked = set()
    conform = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):

            @settings(
                max_examples=4,
                derandomize=True,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def ask(case):
                asked.add((case.path, case.call_and_validate(checks=conform).status_code))

            with contextlib.suppress(Unsatisfiable):  # nothing can be wrong where nothing is asked for
                ask()
    assert {path for path, _ in asked} == set(schema)
    assert {status for _, status in asked} >= {200, 400, 404, 422}


@pytest.mark.slow
def test_the_command_serves_and_stops_when_it_is_asked_to(tmp_path):
    folder = tmp_path / "made"
    TableGenerator.init(folder, people(), POLICY)
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    command = [sys.executable, "-m", "sdcwidgets.cli", "tables", "serve", str(folder), "--port", str(port)]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=os.environ | {"LANG": "C"}
    )
    try:
        for _ in range(300):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                connection.request("GET", "/table?by=Sex")
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        assert connection.getresponse().status == 200
        connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)
    finally:
        process.kill()
        process.communicate()
    assert Query(("Sex",)).words == TableGenerator(folder).store.log()[0]["table"]


def test_removing_the_last_user_opens_no_service(tmp_path):
    """The table of users is empty then, as before the first one, but nobody said that all may ask."""
    generator = TableGenerator.init(tmp_path / "made", people(), POLICY)
    client = Client(generator)
    again = None
    try:
        assert client.table(by="Sex")[0] == 200
        client.key = generator.new_key("ann")
        assert client.table(by="Sex")[0] == 200
        assert TableGenerator(tmp_path / "made").store.remove_user("ann")  # another process
        for key in (client.key, "", "wrong"):
            client.key = key
            for path in ("/table?by=Sex", "/variables", "/variables/Sex", "/policy"):
                assert client.get(path)[0] == 401
        # Nor is it open when it is started again.
        again = Client(TableGenerator(tmp_path / "made"))
        assert again.table(by="Sex")[0] == 401
        again.key = again.generator.new_key("bob")
        assert again.table(by="Sex")[0] == 200
    finally:
        client.stop()
        if again is not None:
            again.stop()


def test_a_folder_whose_only_user_was_added_by_an_earlier_version_stays_closed(tmp_path):
    generator = TableGenerator.init(tmp_path / "made", people(), POLICY)
    generator.new_key("ann")
    generator.store._connection.execute("DELETE FROM setting WHERE name = 'keys needed'")
    assert generator.store.remove_user("ann")
    client = Client(generator)
    try:
        assert client.get("/variables")[0] == 401
    finally:
        client.stop()


NEAR = ["127.0.0.1", "127.0.0.1:8867", "localhost:8867", "LOCALHOST", "[::1]:8867", "127.8.9.1"]

FAR = [
    "attacker.example",
    "attacker.example:8867",
    "localhost.attacker.example",
    "127.0.0.1.attacker.example",
    "127.0.0.1@attacker.example",
    "attacker.example#127.0.0.1",
    "0.0.0.0:8867",
    "192.168.1.7:8867",
    "[::1].attacker.example",
    "[::1",
    "",
]


def test_without_users_only_this_machine_is_answered(tmp_path):
    """A web page elsewhere that lets its name point here sends its own name as Host (DNS rebinding)."""
    generator = TableGenerator.init(tmp_path / "made", people(), POLICY)
    client = Client(generator)
    try:
        assert {client.table({"Host": host}, by="Sex")[0] for host in NEAR} == {200}
        assert client.table({"Host": FAR[0]}, by="Area")[0] == 421
        assert generator.store.log()[0]["answer"].startswith("error: turned away: ")
        for path in ("/table?by=Sex", "/policy", "/variables", "/openapi.json", "/health", "/nowhere"):
            for host in FAR:
                status, _, body = client.get(path, {"Host": host})
                assert status in (400, 421), (path, host, status)
                assert b"Area" not in body
        # With a key the name by which the service is reached does not matter.
        client.key = generator.new_key("ann")
        assert client.table({"Host": "tables.office.example"}, by="Sex")[0] == 200
        assert client.get("/health", {"Host": "tables.office.example"})[0] == 200
    finally:
        client.stop()


def test_who_says_that_anyone_may_ask_is_answered_under_every_name(tmp_path):
    generator = TableGenerator.init(tmp_path / "made", people(), POLICY)
    client = Client(generator, no_key=True)
    try:
        assert client.table({"Host": "tables.office.example"}, by="Sex")[0] == 200
        generator.new_key("ann")
        assert client.table({"Host": "tables.office.example"}, by="Sex")[0] == 401
    finally:
        client.stop()


@pytest.mark.parametrize("kind", ["public", "study"])
def test_parallel_questions_do_not_get_past_the_rate(tmp_path, kind):
    policy = replace(POLICY, kind=kind, rate=20)
    generator = TableGenerator.init(tmp_path / "made", people(), policy)
    client = Client(generator)
    client.key = generator.new_key("ann")
    bob, found, ready = generator.new_key("bob"), [], threading.Barrier(60)

    def ask(number):
        ready.wait()
        found.append(client.table(by=["Sex", "Area", "Income", '"Job, now"'][number % 4])[0])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(60)]
    try:
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        # Questions that cannot be answered count, too.
        assert found.count(429) == 40
        assert {*found} <= {200, 400, 403, 429}
        client.key = bob
        assert client.table(by="Sex")[0] != 429
    finally:
        client.stop()


def test_two_sessions_of_one_folder_share_the_rate(tmp_path):
    generator = TableGenerator.init(tmp_path / "made", people(), replace(POLICY, rate=5))
    sessions = [TableGenerator(tmp_path / "made") for _ in range(4)]
    answered, ready = [], threading.Barrier(4)

    def ask(session):
        ready.wait()
        for _ in range(10):
            with contextlib.suppress(TooManyQuestions):
                answered.append(session.ask(["Sex"], user="ann", limited=True))

    threads = [threading.Thread(target=ask, args=(session,)) for session in sessions]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(answered) == 5
    # The agency itself has no rate.
    assert len([generator.ask(["Sex"]) for _ in range(10)]) == 10
