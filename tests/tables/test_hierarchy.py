"""Hierarchies: read and written as tau-ARGUS does, and refused where they do not hold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.hierarchy import axes_of, from_hrc, labels_of, parents_of, tree_of


@st.composite
def hierarchies(draw):
    """An axis, and the parent of each label and sub-total."""
    size = draw(st.integers(1, 6))
    parents: dict[str, str] = {}
    below = [f"l{i}" for i in range(size)]
    axis = Axis("Area", tuple(below))
    for level in range(draw(st.integers(1, 3))):
        names = [f"s{level}{i}" for i in range(draw(st.integers(1, len(below))))]
        above = {label: draw(st.sampled_from([*names, ""])) for label in below}
        parents |= above
        below = [name for name in names if name in above.values()]
        if not below:
            break
    parents |= dict.fromkeys(below, "")
    return axis, parents


def written(axis, parents):
    """Return the hierarchy of an axis as tau-ARGUS writes it."""
    tree, labels = tree_of(axis, parents), labels_of(axis, parents)
    below = {
        node: [one for one, parent in enumerate(tree.parents) if parent == node]
        for node in range(len(labels))
    }

    def first(node):
        return min(map(first, below[node]), default=node)

    def lines(node, level):
        return f"{'@' * level}{labels[node]}\n" + "".join(lines(one, level + 1) for one in below[node])

    return "".join(lines(node, 0) for node in sorted(below[len(labels) - 1], key=first))


@given(hierarchies())
@settings(max_examples=50, deadline=None)
def test_what_is_written_is_read_as_the_same_sums(found):
    axis, parents = found
    back = from_hrc(written(axis, parents))
    trees = [tree_of(axis, one) for one in (parents, back)]
    names = [labels_of(axis, one) for one in (parents, back)]

    def sums(tree, labels):
        return {(labels[total], frozenset(labels[one] for one in parts)) for total, parts in tree.groups}

    if labels_of(axis, parents)[-1] == "Total":  # a total that a file names itself is not written
        assert sums(trees[0], names[0]) == sums(trees[1], names[1])
    assert len(set(names[0])) == len(trees[0].parents)


def test_a_total_that_the_file_names_is_the_total():
    parents = {"a": "north", "b": "south", "north": "All", "south": "All"}
    axis = Axis("Area", ("a", "b"))
    assert labels_of(axis, parents) == ("a", "b", "north", "south", "All")
    assert tree_of(axis, parents).groups == ((2, (0,)), (3, (1,)), (4, (2, 3)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n@@b\n", 'Line 2 of "The hierarchy": "b" is 2 levels below the line before'),
        ("@a\n", "2 levels below the line before"),
        ("a\n@b\nb\n", '"b" occurs twice'),
    ],
)
def test_a_file_that_is_none_is_told(text, said):
    with pytest.raises(InputError) as error:
        from_hrc(text)
    assert said in str(error.value)


def test_a_label_has_one_parent_and_is_no_sub_total():
    with pytest.raises(InputError, match="a label must have one parent"):
        parents_of([(1, "a", "x"), (2, "a", "y")], "areas.csv")
    with pytest.raises(InputError, match="sub-total of"):
        tree_of(Axis("Area", ("a", "b")), {"a": "b", "b": ""})


def test_one_linked_table_has_its_own_axes():
    names = ["A", "B", "C"]
    assert axes_of([("B",)], names) == [[1]]
    assert axes_of([("C", "A")], names) == [[2, 0]]
    assert axes_of([], names) == axes_of(None, names) == [[0, 1, 2]]
