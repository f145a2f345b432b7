# make run   set up everything, then serve the whole product
# make test  set up everything, then run every test

# python3 on the path, or /usr/bin/python3 if that one was built without optimisations, which makes it up to a quarter slower.
PYTHON ?= $(shell \
  python3 -c 'import sys, sysconfig; sys.exit("--enable-opt" not in str(sysconfig.get_config_var("CONFIG_ARGS")))' 2>/dev/null && echo python3 || \
  { /usr/bin/python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo /usr/bin/python3; } || \
  echo python3)
BIN := .venv/bin
# Many tests wait rather than compute, so three workers keep two cores busy.
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal
USE_COMPILED := PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR)
COMPILED := CHEESEBOARD_COMPILED=1 $(USE_COMPILED)

# Tests of the modules that are compiled. `make test` runs these with the compiled build, `make compiled` runs all.
OF_COMPILED := tests/games tests/protocol tests/bots/test_positions.py tests/tools/test_compile.py tests/tools/test_lookups.py \
  tests/server/test_metrics.py tests/server/process/test_service.py \
  $(addprefix tests/server/,delivery requests store tables) $(addprefix tests/server/web/test_,handover.py turns.py websocket.py) \
  --deselect tests/server/requests/test_evening.py

.PHONY: run setup test check bench bench-seats bench-load bench-growth bench-peers bench-rules compiled playouts pageload layout screenshots pins newest clean chromium compiler

# Where there is a C compiler, the first start also compiles the service in the background, and the next start uses the result.
run: setup
	@if $(MAKE) -s -q build/compiled/.done; then exec env $(USE_COMPILED) $(BIN)/cheeseboard run; fi; \
	mkdir -p build; \
	if $(CAN_COMPILE); then echo "The next start will be faster: the service is compiled in the background, which takes a few minutes (build/compile.log)."; \
	  nice -n 19 $(MAKE) -s build/compiled/.done > build/compile.log 2>&1 & fi; \
	exec $(BIN)/cheeseboard run

# Everything that the service needs, without starting it.
setup: .venv/run web-client/node_modules/.done

test: check-tools chromium
	@$(MAKE) -s jdk || echo "The SDK for Java will not be tested."
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@{ $(BIN)/mypy && { ! $(MAKE) -s compiler || $(MAKE) -s build/compiled/.done; }; } & checks=$$!; \
	$(PYTEST) -q; passed=$$?; wait $$checks && exit $$passed
	@if $(MAKE) -s compiler; then $(MAKE) -s compiled TESTS="$(OF_COMPILED)"; else echo "The compiled build was not tested."; fi

check: check-tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) -q --ignore tests/browser -m "not slow"

.PHONY: check-tools
check-tools: .venv/dev web-client/node_modules/.done

.venv/run: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Cheeseboard needs Python 3.11 or later")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing what the server needs ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/compile: .venv/run requirements-compile.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-compile.txt
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

# The packages for authors of bots, in build/sdk: a wheel, an npm package and a jar (docs/bots.md).
.PHONY: sdk jdk
sdk: .venv/dev jdk
	@$(BIN)/python -m tools.sdk

# A Java compiler: the one of the system, or Debian's package if we may install it.
jdk:
	@command -v javac >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing a JDK ..." && \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq default-jdk-headless >/dev/null; } || \
	  { echo "The SDK for Java needs a JDK 17 or later: install it with your system's packages"; exit 1; }

# A browser for the tests: the one of the system, or Debian's package if we may install it.
chromium:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing Chromium ..." && \
	    apt-get update -qq && export DEBIAN_FRONTEND=noninteractive && \
	    { apt-get install -y -qq chromium-headless-shell || apt-get install -y -qq chromium; } >/dev/null; } || \
	  { echo "The browser tests need Chromium: install it with your system's packages"; exit 1; }

# Decisions per second of each game's rules, and the CPU time of a move inside a node.
bench: .venv/dev
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.inside
	@[ ! -e build/compiled/.done ] || { $(MAKE) -s build/compiled/.done && echo "Compiled:" && $(COMPILED) $(BIN)/python -m bench.inside; }

# The masters against the bots that they have to beat: 500 duplicate games of each kind, with seeds and intervals (some
# hours; ARGS="--games 100 do_my_bidding --only old" is shorter).
.PHONY: bench-masters
bench-masters: build/compiled/.done
	$(USE_COMPILED) $(BIN)/python -m bench.masters $(ARGS)

# What house bots cost: tables of a person and three rookies on a real service, without masters and with some.
.PHONY: bench-house
bench-house: build/compiled/.done
	$(USE_COMPILED) $(BIN)/python -m bench.house $(ARGS)

# 200 bots with a connection each play until all tables are finished.
bench-seats: .venv/dev
	$(BIN)/python -m bench.seats

# Real games at 500 tables: with think time, then without it on one node and on two (6 minutes; ARGS=--quick is shorter).
bench-load: build/compiled/.done
	$(BIN)/python -m bench.load $(ARGS)

# How costs grow with tables, spectators, connections and the length of a log (docs/images/growth.svg; 6 minutes;
# ARGS="--most 100" is shorter).
bench-growth: build/compiled/.done bench/peers/.venv/.done
	$(BIN)/python -m bench.growth $(ARGS)

# 5,000 spectators of one table on two nodes, and what they cost its players (some minutes on an idle machine; ARGS="--before FOLDER" compares
# with another checkout).
.PHONY: bench-crowd
bench-crowd: .venv/dev
	$(BIN)/python -m bench.crowd $(ARGS)

# What the analysis of a finished game costs live games, and how long it takes (4 minutes).
.PHONY: bench-analysis
bench-analysis: .venv/dev
	$(BIN)/python -m bench.analysis $(ARGS)

# What one move, update, idle connection and table cost; docs/scale.md calculates with these figures (2 minutes).
.PHONY: bench-units
bench-units: .venv/dev
	$(BIN)/python -m bench.units $(ARGS)

# The speed of the rules beside that of RLCard and OpenSpiel.
bench-rules: bench/peers/.rules/.done
	bench/peers/.rules/bin/python -m bench.rules --peers

# Compile the service as the image has it, and run all tests with that build. `make test` runs those of the compiled modules.
compiled: build/compiled/.done
	$(COMPILED) $(PYTEST) -q --import-mode=append $(TESTS)

build/compiled/.done: .venv/compile tools/compile.py tools/lookups.h $(shell find games protocol server bots -type f -not -path '*/__pycache__/*')
	@$(MAKE) -s compiler
	@echo "Compiling ..."
	@mkdir -p build && touch build/compiling-since
	@$(BIN)/python -m tools.compile
	@touch -r build/compiling-since $@ # so that what was changed meanwhile is newer

# A C compiler and the headers of Python. Debian has the headers in a package of their own.
CAN_COMPILE = command -v cc >/dev/null && \
  $(BIN)/python -c 'import pathlib, sysconfig as s; (pathlib.Path(s.get_path("include")) / "Python.h").stat()' 2>/dev/null
compiler: .venv/run
	@{ $(CAN_COMPILE); } || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing a C compiler ..." && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq gcc libc6-dev python3-dev >/dev/null && { $(CAN_COMPILE); }; } || \
	  { echo "To compile the service, install a C compiler and Python's headers with your system's packages"; exit 1; }

bench/peers/.rules/.done:
	@echo "Installing RLCard and OpenSpiel ..."
	@$(PYTHON) -m venv bench/peers/.rules
	@bench/peers/.rules/bin/python -m pip install --quiet --disable-pip-version-check msgspec rlcard open_spiel setuptools
	@touch $@

# The service beside other servers on one workload (18 minutes; docs/performance.md; ARGS=--quick is shorter).
bench-peers: build/compiled/.done bench/peers/.venv/.done
	$(BIN)/python -m bench.peers.run $(ARGS)

bench/peers/.venv/.done: bench/peers/package-lock.json bench/peers/requirements.txt
	@echo "Installing the peers ..."
	@cd bench/peers && npm install --silent --no-audit --no-fund
	@$(PYTHON) -m venv bench/peers/.venv
	@bench/peers/.venv/bin/python -m pip install --quiet --disable-pip-version-check -r bench/peers/requirements.txt
	@touch $@

# Every known attack on a running service, with its figures and bounds (12 minutes; docs/security.md). ARGS="--only pings,chat"
# runs some, ARGS=--list names them.
.PHONY: attack fuzz
attack: .venv/dev
	$(BIN)/python -m bench.attack $(ARGS)

# Random frames, with every answer accounted for: 7 minutes and at least 5 million frames. SECONDS=60 is shorter, SEED=... repeats a run.
SECONDS ?= 420
fuzz: .venv/dev
	$(BIN)/python -m bench.attack.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# Every fault of nodes, store and network on a running service, with a check of what all clients saw and were promised
# (docs/operations.md). ARGS="--minutes 15", ARGS='--only "node kill,failover"', ARGS=--list names them, ARGS="--seed ..." repeats.
.PHONY: faults
faults: .venv/dev
	$(BIN)/python -m bench.faults $(ARGS)

# 1,000 replays of each game verify, and do not with one byte or one field changed; a browser checks the deals of 100 of each.
.PHONY: verify-replays
verify-replays: .venv/dev
	REPLAYS_CHECKED=1000 $(BIN)/python -m pytest -q -p no:cacheprovider --timeout=3600 tests/server/tables/test_tampered_replays.py -k changed_byte
	REPLAYS_CHECKED=100 $(BIN)/python -m pytest -q -p no:cacheprovider --timeout=3600 tests/browser/test_replay.py -k draws_everything

# 2,000 random games for every number of seats and at least 10,000 of each game (about a quarter of an hour of CPU).
playouts: .venv/dev
	$(BIN)/python -m tests.playout --games 2000 --of-each 10000

# When the lobby and a running table are usable on emulated slow 3G, with requests and bytes (2 minutes).
pageload: check-tools chromium
	$(BIN)/python -m bench.pageload

# Measure that nothing moves or is cut off at any entry of whole games, at six sizes of the window.
layout: check-tools chromium
	EVERY=1 $(BIN)/python -m pytest -q tests/browser/test_layout.py

# Play every game to its end by keyboard alone, and one by what the accessibility tree says; press a hundred times on the
# button that takes a seat (10 minutes).
.PHONY: keyboard
keyboard: check-tools chromium
	EVERY=1 $(BIN)/python -m pytest -q tests/browser/test_keyboard.py tests/browser/test_joining.py

# The pictures of the games at the opening, a climax and the end, from recorded games: all of them in build/screenshots, on
# phone, laptop and desktop, light and dark, and those of the README in docs/images (20 minutes; ARGS=cheesedog takes one game).
screenshots: check-tools chromium
	$(BIN)/python -m tools.screenshots --all $(ARGS)
	SHOTS=build/screenshots $(BIN)/python -m pytest -q tests/browser/test_access.py -k lobby

# The PNG icons of the installed page, drawn from web-client/icon.svg.
.PHONY: icons
icons: check-tools chromium
	$(BIN)/python -m tools.icons

# The pieces of the games on preview cards, drawn by the page's own components.
.PHONY: pieces
pieces: check-tools chromium
	$(BIN)/python -m tools.pieces

# Run the tests with the newest releases of all dependencies, in a throw-away copy (build/newest); ARGS are pytest's.
newest: chromium
	$(PYTHON) -m tools.newest $(ARGS)

# Pin the container images by digest, in .env (docs/operations.md, "Docker").
.PHONY: image-digests
image-digests:
	$(PYTHON) -m tools.image_digests

clean:
	rm -rf .venv web-client/node_modules bench/peers/node_modules bench/peers/.venv bench/peers/.rules build *.egg-info .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Pin the newest versions of everything, with hashes.
PIN := --quiet --upgrade --generate-hashes --no-header --strip-extras --allow-unsafe \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host
pins: .venv/dev
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile $(PIN) --extra build -o requirements.txt pyproject.toml
	$(BIN)/pip-compile $(PIN) --extra build --extra dev --extra zoo --extra arena -c requirements.txt -o requirements-dev.txt pyproject.toml
	$(BIN)/pip-compile $(PIN) --extra build --extra compile -c requirements-dev.txt -o requirements-compile.txt pyproject.toml
