# make help lists what there is. Every target does its own set-up in .venv; only Python 3.11+ and make are needed.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?=
TRACK ?=
NAME ?=
ONLY ?=
SOURCES := pyproject.toml hatch_build.py $(wildcard frontend/*.json frontend/*.mjs frontend/src/* frontend/src/*/*)

.PHONY: help explore lesson test check audit bench build clean

help: ## what there is to make
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

explore: $(VENV)/.explore ## serve the dashboard and open the browser (PORT=8866 TRACK=my.gpx)
	$(BIN)/lmdk explore $(if $(PORT),--port $(PORT)) $(if $(TRACK),"$(TRACK)")

lesson: $(VENV)/.explore ## open a lesson as a page (NAME=quilts, PORT=8866)
	$(BIN)/lmdk lesson $(NAME) $(if $(PORT),--port $(PORT))

test: $(VENV)/.test ## all tests, in a real browser too
	$(BIN)/python tests/get_browser.py
	$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder

check: $(VENV)/.check ## lint, types, doctests and unit tests, under a minute
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python frontend/npm.py ci --no-audit --no-fund --loglevel=error
	$(BIN)/python frontend/npm.py run --silent check
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not browser and not slow"

audit: $(VENV)/.test ## put one small mistake at a time into a copy and see a test fail (ONLY=leakage)
	$(BIN)/python tests/mutants/audit.py $(ONLY)

bench: $(VENV)/.bench ## measure the speed and write the figures into benchmarks/FIGURES.md
	$(BIN)/python tests/get_browser.py
	$(BIN)/python -m benchmarks

build: $(VENV)/.explore ## bundle the page's JavaScript again

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) frontend/node_modules lmdk_widgets/static dist build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip

$(VENV)/.explore: $(BIN)/python $(SOURCES)
	@echo "Setting up: two minutes or three the first time."
	$(BIN)/python -m pip install -q -e .
	$(BIN)/python -m lmdk_widgets.geoind.simplex.build
	@touch $@

$(VENV)/.test: $(VENV)/.explore
	$(BIN)/python -m pip install -q -e ".[test]"
	@touch $@

$(VENV)/.check: $(VENV)/.test
	$(BIN)/python -m pip install -q -e ".[test,check]"
	@touch $@

$(VENV)/.bench: $(VENV)/.explore
	$(BIN)/python -m pip install -q -e ".[bench]"
	@touch $@
