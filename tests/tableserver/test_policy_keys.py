"""Keys of a policy: the list, the documentation and the reader agree."""

import re
from pathlib import Path

import pytest

from sdcwidgets import InputError
from sdcwidgets.tableserver.policy import Policy, policy_keys

DOCUMENT = Path(__file__).parents[2] / "docs" / "generator.md"


def test_the_documentation_lists_all_keys():
    table = DOCUMENT.read_text("utf-8").partition("| key in `[generator]` |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == [key.name for key in policy_keys()]


BOUNDED = [key for key in policy_keys() if re.search(r"\bfrom [\d,]+ to [\d,]+", key.allowed)]


@pytest.mark.parametrize("key", BOUNDED, ids=lambda key: key.name)
def test_the_stated_bounds_of_a_number_are_its_bounds(key, tmp_path):
    path = tmp_path / "policy.toml"
    found = re.search(r"\bfrom ([\d,]+) to ([\d,]+)", key.allowed)
    least, most = (int(number.replace(",", "")) for number in found.groups())
    start = '[rule]\nname = "x"\nsource = "y"\n[generator]\npolicy = "public"\n'
    for value in (least, most):
        path.write_text(f"{start}{key.name} = {value}\n")
        Policy.load(path, lambda name: ["a", "b"])
    for value in (least - 1, most + 1):
        path.write_text(f"{start}{key.name} = {value}\n")
        with pytest.raises(InputError, match=key.name):
            Policy.load(path, lambda name: ["a", "b"])


def test_each_key_is_read_and_others_are_rejected(tmp_path):
    path = tmp_path / "policy.toml"

    def loaded(line):
        path.write_text(
            f'[rule]\nname = "x"\nsource = "y"\n[generator]\n{"" if line.startswith("policy") else "policy = "}'
            f"{'' if line.startswith('policy') else chr(34) + 'public' + chr(34) + chr(10)}{line}\n"
        )
        return Policy.load(path, lambda name: ["a", "b"])

    for key in policy_keys():
        if key.name == "policy":
            assert loaded('policy = "public"') == Policy(name="x", source="y")
        elif key.name == "groups":
            loaded("groups = {}")
        else:
            text = str(key.default).lower() if isinstance(key.default, bool) else repr(key.default)
            assert loaded(f"{key.name} = {text}") == Policy(name="x", source="y")
    with pytest.raises(InputError, match="dimensions"):
        loaded("dimension = 3")
