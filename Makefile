# `make serve` shows the dashboards, `make test` runs the everyday tests, and `make check` runs everything else. All need
# only Python 3.11 or newer.
.PHONY: serve test check install install-dev chromium npm java lint javascript types contracts unit texts slow spark lowest notebooks \
	lessons pages browser hosts snapshots docs wheel outside lock steps image sbom newest addresses licences dist pictures binder release clean

VENV := .venv
LOWEST := .venv-lowest
NEWEST := .venv-newest
LOCKED := .venv-locked
OUTSIDE := .venv-outside
HOSTS := .venv-hosts
BIN := $(VENV)/bin
PORT ?= 8866
# Python compiles what it imports, and keeps it; pip would compile all of every package, most of which nobody needs.
INSTALL = -m pip install --quiet --disable-pip-version-check --no-compile
unexport PYTHONDONTWRITEBYTECODE
DEBIAN := $(shell command -v apt-get 2>/dev/null)
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

# Installs packages of Debian or Ubuntu; one such program may run at a time.
apt = [ -n "$(DEBIAN)" ] && $(SUDO) flock /tmp/sdcwidgets-apt.lock sh -c \
	'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq '"$(1)"' </dev/null'

# The first Python that is new enough, whatever it is called here.
PYTHON ?= $(shell for python in python3 python3.15 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$python; break; }; done)

serve: $(VENV)/installed
	$(BIN)/sdcwidgets serve --port $(PORT)

# What waits for downloads, or takes one core, goes two at a time; all others take both.
PAIRS := $(MAKE) --no-print-directory -j2 --output-sync=target
test:
	@$(PAIRS) $(VENV)/installed-dev node_modules/installed chromium
	@$(MAKE) --no-print-directory unit notebooks pages

check:
	@$(PAIRS) $(VENV)/installed-spark $(HOSTS)/installed node_modules/installed chromium java oldest
	@$(PAIRS) lint javascript types contracts spark steps
	@$(MAKE) --no-print-directory slow lowest lessons browser

install: $(VENV)/installed
install-dev: $(VENV)/installed-dev

$(BIN)/python:
	@[ -n "$(PYTHON)" ] || { echo "sdcwidgets needs Python 3.11 or newer, and found none; install it and try again."; exit 1; }
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { rm -rf $(VENV); $(MAKE) --no-print-directory venv-package; }

# Debian and Ubuntu keep venv in a package of its own.
.PHONY: venv-package
venv-package:
	@package=python$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv; \
	echo "Python's venv is missing; installing $$package ..."; \
	{ $(call apt,$$package) && $(PYTHON) -m venv $(VENV); } \
	|| { rm -rf $(VENV); echo "Python's venv is missing and could not be installed; run 'apt-get install $$package' as root and try again."; exit 1; }

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python $(INSTALL) --upgrade "pip>=25.1"
	$(BIN)/python $(INSTALL) --editable ".[serve,tables,microdata]"
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python $(INSTALL) --editable ".[all]" --group dev
	@touch $@

# Chromium without windows, which needs a fifth less processor time for these tests; Debian has it as a package of its
# own. Any other Chromium does as well.
chromium:
	@[ -n "$$CHROMIUM" ] || command -v chromium-headless-shell >/dev/null 2>&1 || { \
	echo "Chromium for tests is missing; installing it ..."; \
	$(call apt,chromium chromium-headless-shell); } \
	|| command -v chromium chromium-browser google-chrome >/dev/null 2>&1 || { $(call apt,chromium); } \
	|| { echo "The browser tests need Chromium, which could not be installed; install it and try again."; exit 1; }

# Spark runs in Java.
java:
	@command -v java >/dev/null 2>&1 || { \
	echo "Java is missing; installing it ..."; \
	$(call apt,default-jre-headless); } \
	|| { echo "The tests with Spark need Java, which could not be installed; install Java 17 or newer and try again."; exit 1; }

# npm brings what bundles and checks the browser side. Debian's npm comes with nodejs.
npm:
	@command -v npm >/dev/null 2>&1 || { \
	echo "npm is missing; installing it ..."; \
	$(call apt,nodejs npm); } \
	|| { echo "The browser side is built and checked with tools from npm, which could not be installed; install nodejs and npm and try again."; exit 1; }

node_modules/installed: package.json package-lock.json | npm
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

lint: $(VENV)/installed-dev node_modules/installed
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/python docs/site/docstring_sections.py
	@ranks=$$($(BIN)/radon cc --min D --show-complexity sdcwidgets) && [ -z "$$ranks" ] || \
	{ echo "$$ranks"; echo "A function of rank D or worse does several things; take it apart."; exit 1; }
	npm run --silent lint

# The bundles in sdcwidgets/static are committed, so that an installation needs only Python. They must be what their
# sources make.
javascript: node_modules/installed
	npm run --silent build -- --check
	npm run --silent test

types: $(VENV)/installed-dev
	$(BIN)/mypy

contracts: $(VENV)/installed-dev
	$(BIN)/lint-imports

# The tests start servers and kernels by name, so the environment's programs come first.
unit texts slow spark notebooks lessons pages browser snapshots steps image: export PATH := $(CURDIR)/$(BIN):$(PATH)

# The tests that took longest, to see where the time goes.
LONGEST := --durations 15 --durations-min 5

# The everyday tests, as plain `pytest` runs them. Three workers on two cores, since tests of servers and kernels wait.
unit: $(VENV)/installed-dev
	$(BIN)/pytest -q -n 3 $(LONGEST)

# Links, spelling, examples and pictures of README and documents. `slow` builds the site and checks its links and pictures.
texts: $(VENV)/installed-dev
	$(BIN)/pytest -q tests/test_docs.py tests/test_readme.py tests/release

slow: $(VENV)/installed-dev
	$(BIN)/pytest -q -n 3 $(LONGEST) -m "slow and not spark and not browser" --ignore=tests/image --ignore=tests/binder

# Tables come from Spark as they come from DuckDB.
spark: $(VENV)/installed-spark java
	$(BIN)/pytest -q -m spark --require-programs tests/tableserver/test_tabulate.py

$(VENV)/installed-spark: $(VENV)/installed-dev
	$(BIN)/python $(INSTALL) --editable ".[all,spark]"
	@touch $@

# The same with the oldest versions that pyproject.toml allows, which are older than Python 3.13. What may break with
# them is how other packages are called: pandas and readers of files, widgets and servers, solvers and plots. So the tests
# of those are asked, each once, with the first of its parameters; random examples of laws, and what is computed with numpy
# alone, say nothing more of that. What newer packages say of their old ones is no defect of ours.
OLDEST := $(addprefix tests/,core measures methods microdata plots server tables tableserver widgets \
	$(addprefix cli/test_,cli.py cli_microdata.py cli_tables.py recorded_output.py) \
	test_notebook_display.py test_recorded_numbers.py) $(wildcard tests/dashboards/test_*.py) \
	$(addprefix --ignore=tests/,methods/test_suppressing.py microdata/test_totter.py tableserver/test_comparison.py \
	$(addprefix core/suppression/test_,insiders.py minimality.py patterns.py) \
	$(addprefix server/test_,hostile.py kernels.py killed.py strangers.py visitors.py) \
	$(addprefix tables/io/test_,growing.py killed_reading.py))
lowest: $(BIN)/python
	@if $(OLD); then $(MAKE) --no-print-directory lowest-unit; \
	else echo "The oldest versions allowed are not tested: they are not made for this Python."; fi

# Prints what the base and the extras that the everyday tests use require, one requirement per line.
REQUIREMENTS = 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	extras = project["optional-dependencies"]; \
	print(*project["dependencies"], *extras["serve"], *extras["tables"], sep="\n")'

OLD = $(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 13))'
oldest: $(BIN)/python
	@! $(OLD) || $(MAKE) --no-print-directory $(LOWEST)/installed

.PHONY: oldest lowest-unit
lowest-unit: $(LOWEST)/installed
	PATH="$(CURDIR)/$(LOWEST)/bin:$$PATH" $(LOWEST)/bin/pytest -q -n 3 $(LONGEST) --once -W ignore::DeprecationWarning -m "not slow and not spark and not hypothesis and not browser" $(OLDEST)

$(LOWEST)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python $(INSTALL) --upgrade "pip>=25.1"
	$(LOWEST)/bin/python -c $(REQUIREMENTS) | sed 's/\[.*\]//; s/>=/==/' > $(LOWEST)/oldest.txt
	$(LOWEST)/bin/python $(INSTALL) --constraint $(LOWEST)/oldest.txt --editable ".[all]" --group unit
	@touch $@

# A notebook's cells share a kernel, so each notebook goes to one worker as a whole. The dashboards and two lessons are
# run every day, the other lessons by `make check`.
EVERYDAY_LESSONS := $(wildcard tutorials/02-*.ipynb tutorials/08-*.ipynb)
NBVAL = $(BIN)/pytest -q -n 2 --dist loadfile --nbval
notebooks: $(VENV)/installed-dev
	$(NBVAL) notebooks $(EVERYDAY_LESSONS)

lessons: $(VENV)/installed-dev
	$(NBVAL) $(filter-out $(EVERYDAY_LESSONS),$(wildcard tutorials/*.ipynb))

# The tests of a module share a page, so each module goes to one worker as a whole; three workers, since each waits now
# and then for what must happen within seconds.
BROWSER = $(BIN)/pytest -q -m browser --require-programs $(LONGEST)
EVERYDAY_PAGES := tests/browser/test_pages_open.py
pages: $(VENV)/installed-dev node_modules/installed chromium
	$(BROWSER) -n 2 $(EVERYDAY_PAGES)

browser: $(VENV)/installed-dev $(HOSTS)/installed node_modules/installed chromium
	$(BROWSER) -n 3 --dist loadfile tests/browser --ignore=$(EVERYDAY_PAGES)

# Panel, Solara and marimo, which the browser tests start. Their extensions would change what JupyterLab and Voila load,
# so they are in an environment of their own.
hosts: $(HOSTS)/installed

$(HOSTS)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m venv --clear $(HOSTS)
	$(HOSTS)/bin/python $(INSTALL) --upgrade "pip>=25.1"
	$(HOSTS)/bin/python $(INSTALL) --editable . --group hosts
	@touch $@

# Snapshots of all pages, which a server shows until a session is ready. They are committed, so that an installation needs
# no browser; the same test compares them with the pages.
snapshots: $(VENV)/installed-dev node_modules/installed chromium
	$(BROWSER) -n 2 --renew-snapshots tests/browser/test_every_page.py -k what_its_page_shows

# What a server gets: the versions that its image and its unit install, with hashes. Tested with what is pinned here.
LOCK := deploy/requirements.lock
lock: $(VENV)/installed-supply
	$(BIN)/uv pip compile --quiet --no-config --universal --generate-hashes --upgrade --python-version 3.11 \
	--extra serve --extra tables --extra microdata --custom-compile-command "make lock" pyproject.toml --output-file $(LOCK)

$(VENV)/installed-supply: $(VENV)/installed
	$(BIN)/python $(INSTALL) --group supply
	@touch $@

# The documentation; the server shows it under /docs, and a wheel that is made afterwards has it. Each warning is an error,
# for example a link or picture that leads nowhere. With --quiet, mkdocs would count no warnings.
docs: $(VENV)/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --clean --config-file docs/site/mkdocs.yml

# The pictures of pages and lessons in the documentation, taken again; they are committed.
pictures: $(VENV)/installed-dev chromium
	$(BIN)/python docs/site/pictures.py

$(VENV)/installed-docs: $(VENV)/installed
	$(BIN)/python $(INSTALL) --group docs
	@touch $@

wheel: $(VENV)/installed
	@rm -f dist/*.whl
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# The addresses of repository.toml, in every file that contains them.
addresses: $(BIN)/python
	$(BIN)/python release/addresses.py

# The licences of all dependencies, of the bundled scripts, and of the packages that tests alone use.
licences: $(VENV)/installed-dev
	@mkdir -p dist
	$(BIN)/python release/licences.py dist/licences.csv

# The source distribution and the wheel that is made from it, with the documentation inside; their files are checked.
dist: $(VENV)/installed-supply docs
	@rm -f dist/*.whl dist/*.tar.gz
	$(BIN)/uv build --quiet --no-config --out-dir dist .
	$(BIN)/python release/release_steps.py contents dist

# A release: `python release/release_steps.py prepare VERSION` writes version and date, a person commits, and `make release` checks
# everything, builds dist/, and sets the tag. `make release REHEARSAL=--rehearsal` does the same, but prints the tag instead of
# setting it; CHECKS= then leaves out the tests, which take most of the time. Nothing is uploaded.
REHEARSAL ?=
CHECKS ?= test check
release:
	@$(MAKE) --no-print-directory $(VENV)/installed-supply
	$(BIN)/python release/release_steps.py check $(REHEARSAL)
	@$(MAKE) --no-print-directory $(if $(REHEARSAL),$(or $(strip $(CHECKS)),$(VENV)/installed-dev),test check)
	@$(MAKE) --no-print-directory dist outside binder licences sbom
	@$(BIN)/python release/release_steps.py notes > dist/NOTES.md
	@$(BIN)/python release/release_steps.py tag $(REHEARSAL)

# The wheel that is made from the source distribution, as strangers have it: in empty environments of the oldest and the newest
# Python, with the base, [serve] and [all]; used and typed.
PYTHONS ?= 3.11 3.14
outside: dist
	$(BIN)/python release/bare_environments.py dist/*.whl $(PYTHONS) $(REHEARSAL)

# The image, built and run by a tool for containers: `make image CONTAINER=docker BUILD="..." RUN="..."`; and its steps one
# by one, where there is no such tool.
export BUILD RUN
image: export CONTAINER ?= $(firstword $(shell command -v podman docker))
image steps: $(VENV)/installed-dev
	$(BIN)/pytest -q -m slow tests/image

# An environment from binder/, as Binder makes it, and Explore in it; what it installs is downloaded.
binder: export PATH := $(CURDIR)/$(BIN):$(PATH)
binder: $(VENV)/installed-dev chromium
	$(BIN)/pytest -q -m slow --require-programs tests/binder

# What is in the image, as CycloneDX.
sbom: $(VENV)/installed-supply
	@mkdir -p dist
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOCKED)
	$(BIN)/uv pip sync --quiet --no-config --python $(LOCKED)/bin/python --require-hashes $(LOCK)
	$(BIN)/python deploy/sbom.py $(LOCKED)/bin/python dist/sbom.cdx.json

# The newest versions of all, whatever upper bound they have here: what a year brings is known before it comes.
# Only DuckDB keeps its upper bound, because Ibis calls what DuckDB 2 has removed.
newest: $(BIN)/python $(HOSTS)/installed node_modules/installed chromium
	$(BIN)/python -m venv --clear $(NEWEST)
	$(NEWEST)/bin/python $(INSTALL) --upgrade "pip>=25.1" uv
	$(NEWEST)/bin/python -c $(REQUIREMENTS) | sed '/^duckdb/!s/,<.*//' > $(NEWEST)/newest.txt
	$(NEWEST)/bin/uv pip install --no-config --python $(NEWEST)/bin/python --override $(NEWEST)/newest.txt --editable ".[all]" --group dev
	PATH="$(CURDIR)/$(NEWEST)/bin:$$PATH"; $(NEWEST)/bin/pytest -q -n 2 -m "not browser and not spark" tests/server tests/widgets tests/cli/test_cli.py; status=$$?; \
	$(NEWEST)/bin/pytest -q -n 3 -m browser --require-programs --dist loadfile tests/browser && exit $$status

clean:
	rm -rf $(VENV) $(LOWEST) $(NEWEST) $(LOCKED) $(OUTSIDE) $(HOSTS) node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .schemathesis test-results
