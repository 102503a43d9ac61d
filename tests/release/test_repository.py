"""The files that a forge, a package index and a reference manager read, and the programs that prepare a release."""

import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from importlib import import_module
from importlib.util import find_spec
from typing import ClassVar
from urllib.parse import quote, urlsplit

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import addresses
import release_steps
import sdcwidgets
from pins import ROOT

DESCRIBED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, SYSTEM = DESCRIBED["project"], DESCRIBED["build-system"]
FORGE = ROOT / ".github"
WORKFLOWS = sorted((FORGE / "workflows").glob("*.yml"))
TEMPLATES = sorted((FORGE / "ISSUE_TEMPLATE").glob("*.yml"))
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


def jobs():
    (workflow,) = (read(path) for path in WORKFLOWS if path.stem == "ci")
    return workflow["jobs"]


def commands(job):
    return [step["run"] for step in job["steps"] if "run" in step]


@pytest.fixture
def copy(tmp_path):
    """A copy of the files that a release changes."""
    for name in {*addresses.FILES, *release_steps.VERSIONS, "repository.toml", "CHANGELOG.md", "README.md"}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


class TestWorkflow:
    def test_linux_runs_the_everyday_tests_with_each_python(self):
        job = jobs()["test"]
        assert job["strategy"]["matrix"]["python"] == PYTHONS
        assert job["runs-on"].startswith("ubuntu")
        assert "make test" in commands(job)

    def test_all_other_checks_run_where_the_oldest_versions_can_be_installed(self):
        job = jobs()["check"]
        assert "make check" in commands(job)
        (python,) = [
            step["with"]["python-version"] for step in job["steps"] if "setup-python" in step.get("uses", "")
        ]
        assert tuple(map(int, python.split("."))) < (3, 13)

    def test_other_systems_run_folders_of_tests_that_exist(self):
        job = jobs()["library"]
        assert job["strategy"]["matrix"]["os"] == ["macos-latest", "windows-latest"]
        (line,) = (line for line in commands(job) if "pytest" in line)
        folders = re.findall(r"tests/\w+", line)
        assert {"tests/core", "tests/methods", "tests/widgets"} <= set(folders)
        assert [name for name in folders if not (ROOT / name).is_dir()] == []

    @pytest.mark.parametrize("name", jobs())
    def test_each_target_of_make_exists(self, name):
        makefile = (ROOT / "Makefile").read_text("utf-8")
        for line in commands(jobs()[name]):
            for target in re.findall(r"\bmake (\w+)", line):
                assert re.search(rf"^(\w+ )*{target}( \w+)*:", makefile, re.MULTILINE), target

    @pytest.mark.parametrize("name", jobs())
    def test_each_job_ends_and_reads_only(self, name):
        (workflow,) = (read(path) for path in WORKFLOWS if path.stem == "ci")
        assert workflow["permissions"] == {"contents": "read"}
        assert jobs()[name]["timeout-minutes"] <= 60
        assert all("@v" in step["uses"] for step in jobs()[name]["steps"] if "uses" in step)


def test_dependencies_are_updated_in_each_place_that_has_some():
    updates = {
        (entry["package-ecosystem"], entry["directory"])
        for entry in read(FORGE / "dependabot.yml")["updates"]
    }
    assert updates == {("pip", "/"), ("npm", "/"), ("github-actions", "/"), ("docker", "/deploy")}


@pytest.mark.parametrize(
    "path", [one for one in TEMPLATES if one.stem != "config"], ids=lambda path: path.stem
)
def test_each_form_has_a_question_that_must_be_answered(path):
    form = read(path)
    assert {"name", "description", "body"} <= form.keys()
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields) >= 3
    assert any(field.get("validations", {}).get("required") for field in fields)


class TestMetadata:
    def test_the_version_is_the_same_everywhere(self):
        assert set(release_steps.versions().values()) == {sdcwidgets.__version__}
        assert re.fullmatch(r"\d+\.\d+\.\d+", sdcwidgets.__version__)

    def test_each_python_of_the_workflow_is_a_classifier(self):
        marks = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"] if "Python :: 3." in line]
        assert marks == PYTHONS
        assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
        assert "Typing :: Typed" in PROJECT["classifiers"]

    def test_the_citation_has_what_a_reference_needs(self):
        citation = read(ROOT / "CITATION.cff")
        assert {
            "cff-version",
            "title",
            "version",
            "date-released",
            "license",
            "authors",
            "repository-code",
        } <= set(citation)
        assert citation["license"] == PROJECT["license"].partition(" AND ")[0]

    def test_the_addresses_of_the_index_are_complete_and_absolute(self):
        links = addresses.project_urls()
        assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} == links.keys()
        assert {urlsplit(link).scheme for link in links.values()} == {"https"}


class TestAddresses:
    def test_each_file_has_the_address_of_the_repository(self):
        assert addresses.written() == addresses.addresses()
        for name in addresses.FILES:
            text = (ROOT / name).read_text("utf-8")
            known = addresses.addresses().values()
            assert any(address in text or quote(address, safe="") in text for address in known), name

    def test_no_other_file_has_the_placeholder(self):
        host = f"{addresses.PLACEHOLDER}/sdcwidgets"
        listing = subprocess.run(
            ["git", "grep", "--files-with-matches", "--fixed-strings", host],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert listing.returncode in (0, 1), listing.stderr
        assert set(listing.stdout.split()) <= {*addresses.FILES, "repository.toml"}

    def test_one_file_changes_all_others_and_back(self, copy):
        before = {name: (copy / name).read_bytes() for name in addresses.FILES}
        toml = (copy / "repository.toml").read_text("utf-8")
        (copy / "repository.toml").write_text(
            'repository = "https://forge.test/a/b"\ndocumentation = "https://docs.test"\n', "utf-8"
        )
        assert set(addresses.write(copy)) == set(addresses.FILES)
        assert addresses.PLACEHOLDER not in "".join(
            (copy / name).read_text("utf-8") for name in addresses.FILES
        )
        (copy / "repository.toml").write_text(toml, "utf-8")
        addresses.write(copy)
        assert {name: (copy / name).read_bytes() for name in addresses.FILES} == before

    def test_links_of_the_description_are_absolute(self):
        text = "![A](a.png) [b](docs/b.md#c) [d](https://e.test) [f](#g)"
        repository = addresses.addresses()["repository"]
        assert addresses.absolute_links(text) == (
            f"![A]({repository}/raw/HEAD/a.png) [b]({repository}/blob/HEAD/docs/b.md#c) [d](https://e.test) [f](#g)"
        )


class TestRelease:
    def test_a_prepared_release_has_one_problem_the_placeholder(self, copy):
        release_steps.prepare("9.8.7", "2030-01-02", copy)
        assert set(release_steps.versions(copy).values()) == {"9.8.7"}
        assert release_steps.released_on(copy) == "2030-01-02"
        day, notes = release_steps.section("9.8.7", copy)
        assert (day, bool(notes)) == ("2030-01-02", True)
        assert release_steps.section("Unreleased", copy)[1] == ""
        (problem,) = release_steps.problems(copy)
        assert "repository.toml" in problem

    def test_each_difference_is_a_problem(self, copy):
        release_steps.prepare("9.8.7", "2030-01-02", copy)
        known = len(release_steps.problems(copy))
        for name, old, new in [
            ("CITATION.cff", "version: 9.8.7", "version: 9.8.6"),
            ("CITATION.cff", "2030-01-02", "2030-01-03"),
            ("CHANGELOG.md", "## 9.8.7 - 2030-01-02", "## 9.8.6 - 2030-01-02"),
            ("repository.toml", "sdcwidgets/docs", "sdcwidgets/book"),
        ]:
            text = (copy / name).read_text("utf-8")
            (copy / name).write_text(text.replace(old, new), "utf-8")
            assert len(release_steps.problems(copy)) == known + 1, (name, new)
            (copy / name).write_text(text, "utf-8")

    def test_a_release_without_changes_is_refused(self, copy):
        release_steps.prepare("9.8.7", "2030-01-02", copy)
        with pytest.raises(SystemExit, match="Unreleased"):
            release_steps.prepare("9.8.8", "2030-01-03", copy)

    def test_the_tag_keeps_the_headings_of_the_changelog(self, copy):
        release_steps.prepare("9.8.7", "2030-01-02", copy)
        name, address = ["config", "user.name", "a"], ["config", "user.email", "a@b.test"]
        for words in (
            ["init", "-q"],
            name,
            address,
            ["add", "."],
            ["commit", "-q", "--no-verify", "-m", "a"],
        ):
            subprocess.run(["git", *words], cwd=copy, check=True)
        release_steps.tag("9.8.7", copy)
        message = subprocess.run(
            ["git", "tag", "--list", "--format=%(contents)", "v9.8.7"],
            cwd=copy,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert message.strip() == release_steps.section("9.8.7", copy)[1]
        assert "### Added" in message.splitlines()
        assert "The tag v9.8.7 exists." in release_steps.git_problems("9.8.7", copy)

    def test_a_rehearsal_shows_the_tag_and_sets_none(self, capsys):
        version = release_steps.versions()["pyproject.toml"]
        before = release_steps.git_problems(version)
        assert release_steps.main(["tag", "--rehearsal"]) == 0
        assert f"v{version}" in capsys.readouterr().out
        assert release_steps.git_problems(version) == before

    @pytest.mark.parametrize(
        ("variables", "tested"),
        [
            ([], True),
            (["CHECKS="], True),
            (["REHEARSAL=--rehearsal"], True),
            (["REHEARSAL=--rehearsal", "CHECKS="], False),
        ],
    )
    def test_only_a_rehearsal_can_leave_out_the_tests(self, variables, tested):
        # The settings of a `make` that runs this test are not passed on.
        outer = ("MAKEFLAGS", "MAKELEVEL", "REHEARSAL", "CHECKS")
        environment = {name: value for name, value in os.environ.items() if name not in outer}
        command = ["make", "--dry-run", "release", *variables]
        listing = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert bool(re.search(r"\btest check$", listing.stdout, re.MULTILINE)) is tested
        (tagging,) = re.findall(r"release_steps.py tag(.*)$", listing.stdout, re.MULTILINE)
        assert ("--rehearsal" in tagging) is ("REHEARSAL=--rehearsal" in variables)

    def test_missing_files_and_relative_links_are_found(self, tmp_path):
        assert len(release_steps.missing_files(tmp_path)) == 1
        with zipfile.ZipFile(tmp_path / "sdcwidgets-1.0.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(
                "sdcwidgets-1.0.0.dist-info/METADATA", "Name: sdcwidgets\nVersion: 1.0.0\n\n[a](docs/a.md)\n"
            )
        tarfile.open(tmp_path / "sdcwidgets-1.0.0.tar.gz", "w:gz").close()
        missing = release_steps.missing_files(tmp_path)
        assert len(missing) == len(release_steps.IN_WHEEL) + len(release_steps.IN_SDIST) + 1


class TestRecipe:
    """The recipe of conda-forge has the requirements, licences and commands of pyproject.toml."""

    RECIPE = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text("utf-8"))

    #: Packages that have another name on conda-forge.
    NAMES: ClassVar = {"nbconvert-core": "nbconvert"}

    def requirements(self, number):
        lines = [line.split(" ", 1) for line in self.RECIPE["outputs"][number]["requirements"]["run"]]
        return {
            (canonicalize_name(self.NAMES.get(name, name)), str(SpecifierSet(bounds)))
            for name, bounds in lines
            if name not in ("python", "${{")
        }

    def test_the_outputs_are_the_base_and_the_server(self):
        assert [output["package"]["name"] for output in self.RECIPE["outputs"]] == [
            "sdcwidgets",
            "sdcwidgets-serve",
        ]
        assert self.RECIPE["outputs"][0]["build"]["noarch"] == "python"
        assert "pin_subpackage" in self.RECIPE["outputs"][1]["requirements"]["run"][0]

    @pytest.mark.parametrize("number", [0, 1])
    def test_an_output_requires_what_the_project_requires(self, number):
        lines = [PROJECT["dependencies"], PROJECT["optional-dependencies"]["serve"]][number]
        needed = map(Requirement, lines)
        assert self.requirements(number) == {
            (canonicalize_name(one.name), str(one.specifier)) for one in needed
        }

    @pytest.fixture
    def rendered(self, missing):
        """The outputs, as the builder of conda-forge reads them."""
        if find_spec("rattler_build") is None:
            missing("py-rattler-build is missing.")
        builder = import_module("rattler_build")
        recipe = builder.Stage0Recipe.from_file(ROOT / "recipe" / "recipe.yaml")
        return [variant.recipe for variant in recipe.render(builder.VariantConfig(), builder.RenderConfig())]

    def test_the_builder_of_conda_forge_reads_both_outputs(self, rendered):
        assert [(output.package.name, str(output.build.noarch)) for output in rendered] == [
            ("sdcwidgets", "python"),
            ("sdcwidgets-serve", "generic"),
        ]
        assert {str(output.package.version) for output in rendered} == {sdcwidgets.__version__}
        base, serve = ([str(line) for line in output.requirements.run] for output in rendered)
        assert f"python >={PYTHONS[0]}" in base
        assert "pin_subpackage" in serve[0]
        assert len(base) == len(PROJECT["dependencies"]) + 1
        assert len(serve) == len(PROJECT["optional-dependencies"]["serve"]) + 1

    def test_the_build_script_of_the_recipe_needs_the_build_requirements_of_the_project_only(self):
        output = self.RECIPE["outputs"][0]
        host = [line.split(" ", 1) for line in output["requirements"]["host"]]
        (backend,) = map(Requirement, SYSTEM["requires"])
        assert [backend.name, str(backend.specifier)] in host
        assert {line[0] for line in host} == {"python", "pip", backend.name}
        assert {"--no-deps", "--no-build-isolation"} <= set(output["build"]["script"].split())

    def test_licences_and_entry_points_are_the_same(self):
        about = self.RECIPE["about"]
        assert about["license"] == PROJECT["license"]
        assert about["license_file"] == PROJECT["license-files"]
        (entry,) = self.RECIPE["outputs"][0]["build"]["python"]["entry_points"]
        assert entry == f"sdcwidgets = {PROJECT['scripts']['sdcwidgets']}"
        assert self.RECIPE["context"]["python_min"] == PYTHONS[0]


def test_the_paper_has_its_sections_and_cites_what_the_bibliography_has():
    paper = (ROOT / "paper" / "paper.md").read_text("utf-8")
    head = yaml.safe_load(paper.split("---\n")[1])
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= head.keys()
    assert {"# Summary", "# Statement of need", "# State of the field"} <= set(paper.splitlines())
    known = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text("utf-8"), re.MULTILINE)
    cited = re.findall(r"@(\w+)", paper.split("---\n", 2)[2])
    assert set(cited) == set(known)
    assert 250 <= len(paper.split()) <= 1000


@pytest.mark.parametrize(
    "name", ["SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "README.md", "docs/versions.md"]
)
def test_every_link_to_a_file_leads_to_it(name):
    page = ROOT / name
    generated = {"changelog.md", "commands.md", "api/index.md"}
    for link in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8")):
        assert urlsplit(link).scheme or link in generated or (page.parent / link).exists(), link
