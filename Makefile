# make run   set up everything, then serve the whole product
# make test  set up everything, then pass every test

# The Python on the path; the system's own, if that one was built without optimisations and so is up to a quarter slower.
PYTHON ?= $(shell \
  python3 -c 'import sys, sysconfig; sys.exit("--enable-opt" not in str(sysconfig.get_config_var("CONFIG_ARGS")))' 2>/dev/null && echo python3 || \
  { /usr/bin/python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo /usr/bin/python3; } || \
  echo python3)
BIN := .venv/bin
COMPILED := PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR)

.PHONY: run test check bench bench-seats bench-load bench-growth bench-peers bench-rules compiled playouts pageload screenshots pins clean chromium compiler

run: .venv/run web-client/node_modules/.done
	@exec $(BIN)/cheeseboard run

test: check-tools chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@{ $(MAKE) -s compiler && $(MAKE) -s build/compiled/.done; } & $(BIN)/python -m pytest; passed=$$?; wait; exit $$passed
	@if $(MAKE) -s compiler; then $(MAKE) -s compiled; else echo "The compiled build was not tested."; fi

check: check-tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --ignore tests/browser -m "not slow"

.PHONY: check-tools
check-tools: .venv/dev web-client/node_modules/.done

.venv/run: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Cheeseboard needs Python 3.11 or later")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing what the server needs ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev: .venv/run requirements-dev.txt
	@echo "Installing what the tests need ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

web-client/node_modules/.done: web-client/package-lock.json
	@command -v npm >/dev/null || { echo "Cheeseboard needs Node 20 or later with npm"; exit 1; }
	@echo "Installing the client's packages ..."
	@cd web-client && npm ci --silent --no-audit --no-fund
	@touch $@

# A browser for the tests: the system's own, or Debian's where we may install it.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing Chromium ..." && \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } || \
	  { echo "The browser tests need Chromium: install it with your system's packages"; exit 1; }

# Decisions per second of each game's rules, and what a move costs inside a node.
bench: .venv/dev
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.inside
	@[ ! -e build/compiled/.done ] || { $(MAKE) -s build/compiled/.done && echo "Compiled:" && $(COMPILED) $(BIN)/python -m bench.inside; }

# 200 bot seats at once over the wire, until all tables are finished.
bench-seats: .venv/dev
	$(BIN)/python -m bench.seats

# Real games at 500 tables: people who think, then no think time with one node and two (6 minutes; ARGS=--quick).
bench-load: build/compiled/.done
	$(BIN)/python -m bench.load $(ARGS)

# How costs grow: tables, spectators, connections, the length of a log (docs/images/growth.svg; some 6 minutes; ARGS="--most 100").
bench-growth: build/compiled/.done bench/peers/.venv/.done
	$(BIN)/python -m bench.growth $(ARGS)

# The same rules beside RLCard and OpenSpiel.
bench-rules: bench/peers/.rules/.done
	bench/peers/.rules/bin/python -m bench.rules --peers

# The service as the image has it: the rules and what a move passes through, compiled to build/compiled, and tested so.
compiled: build/compiled/.done
	$(COMPILED) $(BIN)/python -m pytest -q --import-mode=append \
	  tests/games $(patsubst %,tests/server/test_%.py,clock crowd frames nodes requests sockets store tables twins)

build/compiled/.done: .venv/dev $(wildcard games/*.py games/*/*.py protocol/*.py server/*.py)
	@$(MAKE) -s compiler
	@echo "Compiling ..."
	@$(BIN)/python -m server.compiled
	@touch $@

# A C compiler and the headers of our Python, which come with it unless it is Debian's.
CAN_COMPILE = command -v cc >/dev/null && \
  $(BIN)/python -c 'import pathlib, sysconfig as s; (pathlib.Path(s.get_path("include")) / "Python.h").stat()' 2>/dev/null
compiler: .venv/dev
	@{ $(CAN_COMPILE); } || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing a C compiler ..." && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq gcc libc6-dev python3-dev >/dev/null && { $(CAN_COMPILE); }; } || \
	  { echo "To compile the service, install a C compiler and Python's headers with your system's packages"; exit 1; }

bench/peers/.rules/.done:
	@echo "Installing RLCard and OpenSpiel ..."
	@$(PYTHON) -m venv bench/peers/.rules
	@bench/peers/.rules/bin/python -m pip install --quiet --disable-pip-version-check msgspec rlcard open_spiel setuptools
	@touch $@

# The service beside its peers on one workload (some 18 minutes; docs/performance.md). `make bench-peers ARGS=--quick` is shorter.
bench-peers: build/compiled/.done bench/peers/.venv/.done
	$(BIN)/python -m bench.peers.run $(ARGS)

bench/peers/.venv/.done: bench/peers/package-lock.json bench/peers/requirements.txt
	@echo "Installing the peers ..."
	@cd bench/peers && npm install --silent --no-audit --no-fund
	@$(PYTHON) -m venv bench/peers/.venv
	@bench/peers/.venv/bin/python -m pip install --quiet --disable-pip-version-check -r bench/peers/requirements.txt
	@touch $@

# 2,000 random games for every number of seats and at least 10,000 of each game (about a quarter of an hour of CPU).
playouts: .venv/dev
	$(BIN)/python -m tests.playout --games 2000 --of-each 10000

# What loading the lobby and a running table costs: requests, bytes, time to the first offer.
pageload: check-tools chromium
	$(BIN)/python -m bench.pageload

# The pictures in docs/images, taken in play.
screenshots: check-tools chromium
	SHOTS=docs/images $(BIN)/python -m pytest -q tests/browser/test_access.py

clean:
	rm -rf .venv web-client/node_modules bench/peers/node_modules bench/peers/.venv bench/peers/.rules build *.egg-info .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Pin the newest versions of everything, with hashes.
PIN := --quiet --upgrade --generate-hashes --no-header --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host
pins: .venv/dev
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile $(PIN) --extra build -o requirements.txt pyproject.toml
	$(BIN)/pip-compile $(PIN) --extra build --extra dev --extra zoo -c requirements.txt -o requirements-dev.txt pyproject.toml
