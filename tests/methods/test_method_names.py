"""A method may call its settings what it likes: no command and no setting of the house takes the name away."""

import dataclasses
import json
from typing import Annotated

import pytest

from sdcwidgets import methods
from sdcwidgets._util.parameters import Label, Range, declared
from sdcwidgets.assessment.assessment import Settings
from sdcwidgets.cli import _parser, main
from sdcwidgets.methods import Method, base
from sdcwidgets.tables.io.sources import ReadOptions

COMMANDS = ("assess", "protect", "attack")


def parsers(parser):
    """Yield a parser of a command, and those of its verbs."""
    yield parser
    for verb in parser.nested.values():
        yield from parsers(verb)


def names_of_commands():
    """Return the name of everything that a command, the settings or the way of reading call their own."""
    commands = _parser().commands().values()
    actions = [action for command in commands for one in parsers(command) for action in one.arguments]
    taken = {action.dest for action in actions}
    taken |= {flag.lstrip("-").replace("-", "_") for action in actions for flag in action.option_strings}
    taken |= {field.name for field in dataclasses.fields(Settings)} | {
        one.name for one in declared(ReadOptions)
    }
    return sorted(name for name in taken if not hasattr(Method, name))


NAMES = names_of_commands()


@pytest.fixture
def with_every_name(monkeypatch):
    """Make a method known that is another one with a setting of every name that is taken elsewhere."""

    def give(name):
        cls = methods.get(name)
        free = [one for one in NAMES if not hasattr(cls, one)]
        kind = Annotated[int, Range(0, 9), Label("Something of its own")]
        made = dataclasses.make_dataclass(
            "EveryName",
            [(one, kind, dataclasses.field(default=1)) for one in free],
            bases=(cls,),
            frozen=True,
            namespace={"name": "every-name"},
        )
        monkeypatch.setitem(base._METHODS._things, "every-name", made)
        return made, free

    return give


def test_the_names_are_those_that_got_in_the_way():
    assert {"epsilon", "seed", "format", "file", "method", "output", "by"} <= set(NAMES)
    assert {"rules", "weight", "quiet", "flags", "replace", "leave_out", "of_measures"} <= set(NAMES)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", methods.available())
def test_a_setting_may_have_any_name(name, command, with_every_name, monkeypatch, tmp_path, capsys):
    made, free = with_every_name(name)
    seen = []
    make = made.__post_init__

    def keep(self):
        make(self)
        seen.append(self)

    monkeypatch.setattr(made, "__post_init__", keep)
    table = tmp_path / "table.csv"
    table.write_text("Age,a,b\nyoung,20,10\nold,10,40\n")
    parser = _parser().commands()[command]
    with pytest.raises(SystemExit):
        parser.parse_args(["--method", "every-name", "--help"])
    told = capsys.readouterr().out
    flags = []
    for index, one in enumerate(free):
        plain = one.replace("_", "-")
        flag = f"--method-{plain}" if f"--method-{plain} " in told else f"--{plain}"
        assert f"{flag} N" in told
        flags += [flag, str(2 + index % 8)]
    tail = ["--format", "json"] if command != "protect" else []
    main([command, str(table), "--method", "every-name", *flags, *tail])
    assert any(all(getattr(one, name) == 2 + index % 8 for index, name in enumerate(free)) for one in seen)
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    if command == "assess":
        assert json.loads(told.out)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_lists_the_flags_of_the_method_that_is_named_and_of_no_other(command, capsys):
    lengths = {}
    for name in (None, *methods.available()):
        with pytest.raises(SystemExit):
            main([command, *(["--method", name] if name else []), "--help"])
        told = capsys.readouterr().out
        lengths[name] = len(told)
        settings = told.partition("Settings of ")[2]
        assert bool(settings) == (name is not None and bool(declared(methods.get(name))))
        for one in declared(methods.get(name)) if name else ():
            assert f"{one.flag.removeprefix('--')} " in settings
    assert lengths[None] == min(lengths.values())
