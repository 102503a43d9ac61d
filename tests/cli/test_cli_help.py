"""Help of each command: purpose, two examples, at most 14 main options, groups; lists of names; completion."""

import inspect
import json
import shlex

import jsonschema
import pytest

from sdcwidgets import __version__, attacks, examples, measures, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets.assessment import verdict
from sdcwidgets.assessment.verdict import ReleaseLimits
from sdcwidgets.cli import _parser, main
from sdcwidgets.cli._json import VERSIONS, schema
from sdcwidgets.cli._options import READING_HELP
from sdcwidgets.cli._parser import GROUPS, MAIN, Parser
from sdcwidgets.tables.io.sources import ReadOptions
from sdcwidgets.tables.magnitude import RULES
from sdcwidgets.tableserver import policy

#: First words of the purposes: verbs in the imperative.
VERBS = {
    "Add", "Assess", "Attack", "Check", "Compare", "Copy", "Estimate", "List", "Make", "Print", "Protect", "Repeat",
    "Request", "Serve", "Simulate", "Suppress", "Swap", "Write",
}  # fmt: skip


def tree(parser, path=()):
    """Yield each command below a parser: its words, its parser."""
    for name, command in parser.commands().items():
        yield (*path, name), command
        yield from tree(command, (*path, name))


COMMANDS = dict(tree(_parser()))


def sections(text):
    """Return the options of each section of a help."""
    titles, title = {}, None
    for line in text.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            title = line[:-1]
            titles[title] = []
        elif line.startswith("  -") and title:
            titles[title].append(line.split()[0].rstrip(","))
        elif line.startswith("  sdcwidgets ") and title == "Examples":
            titles[title].append(line.strip())
    return titles


def test_there_are_at_most_twelve_commands():
    assert len(_parser().commands()) <= 12
    assert {
        "serve",
        "lessons",
        "assess",
        "attack",
        "protect",
        "microdata",
        "suppress",
        "compare",
        "list",
    } <= {*_parser().commands()}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_begins_with_purpose_and_examples(words, capsys):
    with pytest.raises(SystemExit) as end:
        main([*words, "--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert text.split()[0].rstrip(",") in VERBS
    found = sections(text)
    assert next(iter(found)) == "Examples"
    assert len(found["Examples"]) >= (1 if words == ("course", "list") else 2) or words == ("lessons",)
    assert 1 <= len(found[MAIN]) <= 14
    order = [GROUPS.index(title) for title in found if title in GROUPS]
    assert order == sorted(order)
    assert text.index("Usage:") < text.index(f"{MAIN}:")


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_examples_of_the_help_are_parsed(words):
    for example in COMMANDS[words].examples:
        call = shlex.split(example.partition(" > ")[0])
        if call[0] == "sdcwidgets":
            assert tuple(call[1 : 1 + len(words)]) == words
            _parser().parse_args(call[1:])


def test_each_option_has_a_help():
    for words, parser in COMMANDS.items():
        for action in parser.arguments:
            assert action.help or not action.option_strings, (words, action.dest)


def test_each_option_with_a_value_has_a_default_in_its_help():
    for words, parser in COMMANDS.items():
        text = " ".join(parser.format_help().split())
        for action in parser.arguments:
            if action.option_strings and action.nargs != 0 and not action.required:
                own = text.partition(" ".join(action.help.replace("%%", "%").split()))[2]
                assert "default" in action.help or own.startswith(" (default: none)"), (words, action.dest)


def test_the_defaults_of_sensitivity_rules_are_those_of_the_functions():
    named = {
        name: item.default
        for function in RULES.values()
        for name, item in inspect.signature(function).parameters.items()
        if item.default is not inspect.Parameter.empty
    }
    helps = {action.dest: action.help for action in COMMANDS["suppress",].arguments}
    for name, default in named.items():
        assert f"default: {default})" in helps[name]


def test_list_shows_one_entry_with_its_settings_or_limits(capsys):
    assert main(["list", "methods", "random-rounding"]) == 0
    text = capsys.readouterr().out
    assert "(default: 3)" in text
    assert "method random-rounding" in text
    assert main(["list", "rules", "minimum-frequency"]) == 0
    text = capsys.readouterr().out
    for limit in declared(ReleaseLimits):
        if limit.name != "source":
            assert f"  {limit.name.replace('_', '-')} " in text
    for kind, names in NAMES.items():
        if kind == "schemas":  # a schema is printed as it is
            continue
        for name in [*names()][:3]:
            assert main(["list", kind, name, "--json"]) == 0
            listed = json.loads(capsys.readouterr().out)
            jsonschema.Draft202012Validator(schema("list")).validate(listed)
            assert [item["name"] for item in listed["items"]] == [name]


@pytest.mark.parametrize("name", verdict.available())
def test_list_prints_rules_that_can_be_changed(name, tmp_path, capsys):
    assert main(["list", "rules", name, "--toml"]) == 0
    path = tmp_path / "rules.toml"
    path.write_text(capsys.readouterr().out, "utf-8")
    copy, rule = verdict.load(path), verdict.load(name)
    assert (copy.name, copy.limits, copy.method) == (rule.name, rule.limits, rule.method)
    assert main(["list", "rules", name, "--json"]) == 0
    for limit in json.loads(capsys.readouterr().out)["items"][0]["limits"]:
        assert limit["name"] in path.read_text("utf-8").split(f"[{limit['section']}]")[1].split("\n\n")[0]


@pytest.mark.parametrize("name", methods.available())
def test_list_names_the_options_of_each_method(name, capsys):
    assert main(["list", "methods", name, "--json"]) == 0
    options = [setting["option"] for setting in json.loads(capsys.readouterr().out)["items"][0]["settings"]]
    with pytest.raises(SystemExit):
        main(["protect", "--method", name, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert [option for option in options if f"{option} " not in text] == []
    assert main(["list", "methods", name]) == 0
    assert "((" not in capsys.readouterr().out


def test_each_way_of_reading_has_a_help():
    parameters = [parameter for parameter in declared(ReadOptions) if parameter.name != "doubts"]  # --yes
    assert {*READING_HELP} == {parameter.name for parameter in parameters}
    for parameter in parameters:
        # Without an answer the command stops with an error; nobody types this value.
        for value in parameter.choices.keys() - {"ask", ""}:
            assert value in READING_HELP[parameter.name][1]


@pytest.mark.parametrize(
    "words", [["help"], ["help", "protect"], ["help", "microdata", "swap"]], ids=" ".join
)
def test_help_is_also_a_word(words, capsys):
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 0
    asked = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([*words[1:], "--help"])
    assert capsys.readouterr().out == asked


def test_without_arguments_the_help_is_printed(capsys):
    assert main([]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in _parser().commands())


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_version(flag, capsys):
    with pytest.raises(SystemExit) as end:
        main([flag])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"sdcwidgets {__version__}\n"


NAMES = {
    "methods": methods.available,
    "measures": measures.available,
    # No option states the published means of the attack "means".
    "attacks": lambda: [name for name in attacks.available() if name != "means"],
    "examples": examples.available,
    "rules": verdict.available,
    "policy": lambda: [key.name for key in policy.policy_keys()],
    "schemas": lambda: [*VERSIONS, "layout"],
}


@pytest.mark.parametrize("kind", NAMES)
def test_list_names_everything_of_a_kind(kind, capsys):
    assert main(["list", kind]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [*NAMES[kind]()]
    assert main(["list", kind, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema("list")).validate(listed)
    assert (listed["kind"], listed["version"]) == (kind, __version__)
    assert [item["name"] for item in listed["items"]] == [*NAMES[kind]()]
    assert all(item["title"] and item["description"] for item in listed["items"])


def test_list_names_the_settings_of_each_method(capsys):
    assert main(["list", "methods", "--json"]) == 0
    for item in json.loads(capsys.readouterr().out)["items"]:
        names = [setting["name"] for setting in item["settings"]]
        assert names == [parameter.name for parameter in declared(methods.get(item["name"]))]


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        (["swap"], "microdata swap"),
        (["keys"], "microdata keys"),
        (["protet"], "protect"),
        (["protect", "x.csv", "--metod", "y"], "--method"),
        (
            [
                "microdata",
                "swap",
                "x.csv",
                "--hierarchy",
                "a",
                "--risk",
                "b",
                "-o",
                "c",
                "--internal-reprot",
                "d",
            ],
            "--internal-report",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_the_nearest_name_is_suggested(typed, nearest, capsys):
    with pytest.raises(SystemExit) as end:
        main(typed)
    assert end.value.code == 2
    assert nearest in capsys.readouterr().err


def test_a_group_of_options_is_made_once():
    parser = Parser(prog="x")
    assert parser.group("A") is parser.group("A")
