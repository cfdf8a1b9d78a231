# `make help` lists the targets. Every target does its own set-up in .venv; only Python 3.11+ and make are needed.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?=
TRACK ?=
NAME ?=
ONLY ?=
ONE_IN ?=
comma := ,
# test workers: more than there are processors, as browser tests mostly wait
WORKERS = $(shell $(BIN)/python -c "import os; print((os.cpu_count() or 2) + 2)")
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
INSTALLING := Installing the package and the libraries it uses, and building its pages, once: the longest step.
SOURCES := pyproject.toml hatch_build.py $(wildcard frontend/*.json frontend/*.mjs frontend/src/* frontend/src/*/*)

unexport PYTHONDONTWRITEBYTECODE # keep compiled Python files: hundreds of test processes start from them

.PHONY: help explore lesson serve class docs pictures test nightly check lint audit mutants bench build clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

explore: $(VENV)/.explore ## serve the dashboard and open the browser (PORT=8866 TRACK=my.gpx)
	$(BIN)/lmdk explore $(if $(PORT),--port $(PORT)) $(if $(TRACK),"$(TRACK)")

lesson: $(VENV)/.explore ## open a lesson in the browser (NAME=places, PORT=8866)
	$(BIN)/lmdk lesson $(NAME) $(if $(PORT),--port $(PORT))

serve: $(VENV)/.explore ## serve the pages to a room, with a QR code and an overview page (PORT=8866 TRACK=my.gpx)
	$(BIN)/lmdk serve $(if $(PORT),--port $(PORT)) $(if $(TRACK),"$(TRACK)")

class: $(VENV)/.explore ## serve the pages to a class that answers on its phones (PORT=8866)
	$(BIN)/lmdk class $(if $(PORT),--port $(PORT))

docs: $(VENV)/.docs ## build the documentation site in build/site, and run the lessons for it
	$(BIN)/sphinx-build -q -E -W --keep-going -c docs -d build/doctrees . build/site
	@echo "The site is at build/site/index.html"

pictures: $(VENV)/.test ## retake the screenshots of the pages in docs/ (ONLY=table)
	$(BIN)/python tests/get_browser.py
	$(BIN)/python docs/pictures.py $(ONLY)

test: $(VENV)/.test ## run all but the longest tests, some in a real browser
	$(BIN)/python tests/get_browser.py
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not nightly"

nightly: $(VENV)/.test ## run every test, random sweeps at full size, and the mutants
	$(BIN)/python tests/get_browser.py
	LMDK_FULL=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder
	$(BIN)/python tests/mutants/audit.py

check: lint ## run lint, type checks, doctests and unit tests: about 5 minutes on two cores
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not browser and not slow and not long and not nightly"

lint: $(VENV)/.check ## run lint, type checks and the checks and tests of the scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python frontend/npm.py ci --no-audit --no-fund --loglevel=error
	$(BIN)/python frontend/npm.py run --silent check

audit: $(VENV)/.test ## look for evidence that a mechanism gives away more than it claims (ONLY=scheme)
	$(BIN)/lmdk audit $(if $(ONLY),--only "$(ONLY)")

mutants: $(VENV)/.test ## put one small mistake at a time into a copy; a test must fail on each (ONLY=leakage ONE_IN=10)
	$(BIN)/python tests/mutants/audit.py $(if $(ONE_IN),--one-in $(ONE_IN)) $(ONLY)

bench: $(VENV)/.bench ## measure the speed and write the figures to benchmarks/FIGURES.md
	$(BIN)/python tests/get_browser.py
	$(BIN)/python -m benchmarks

build: $(VENV)/.explore ## rebuild the pages' JavaScript bundles

clean: ## remove the environment and all build results
	rm -rf $(VENV) frontend/node_modules lmdk_widgets/static dist build

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	@echo "Creating an environment in $(VENV), once."
	@$(PYTHON) -m venv $(VENV)

# one installation with all that a target needs: a second one on top of the first would rebuild the package
# $(1): what to install
define installed
@echo "$(INSTALLING)"
@$(PIP) -e $(1)
endef

# for tests, documents and benchmarks, which run what users run after a minute; a server has this done in the background
# $(1): a command to run at the same time
define compiled
@echo "Translating the solver into machine code, once: half a minute to two minutes."
@$(BIN)/python -m lmdk_widgets.geoind.simplex.engine $(if $(1),& $(1); wait $$!)
endef

# for a first start: the pages are built while libraries are installed, and bytecode is left to the first import
$(VENV)/.explore: $(BIN)/python $(SOURCES)
	@echo "$(INSTALLING)"
	@$(BIN)/python release/requirements.py dashboard formats > $(VENV)/requirements.txt
	@$(PIP) --no-compile --no-deps -e . & built=$$!; $(PIP) --no-compile -r $(VENV)/requirements.txt && wait $$built
	@touch $@

$(VENV)/.test: $(BIN)/python $(SOURCES)
	$(call installed,".[test]")
	$(call compiled,$(BIN)/python tests/get_browser.py)
	@touch $(VENV)/.explore $@

$(VENV)/.check: $(BIN)/python $(SOURCES)
	$(call installed,".[test$(comma)check]")
	$(call compiled)
	@touch $(VENV)/.explore $(VENV)/.test $@

$(VENV)/.docs: $(VENV)/.explore
	$(call installed,".[docs]")
	$(call compiled)
	@touch $@

$(VENV)/.bench: $(VENV)/.explore
	$(call installed,".[bench]")
	$(call compiled)
	@touch $@
