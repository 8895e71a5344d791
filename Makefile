# Interpose: everything a person does with the tree. `make help` lists it.
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
UV := .tools/bin/uv
UV_VERSION := 0.13.8
COMPOSE = $(shell docker compose version >/dev/null 2>&1 && echo docker compose || echo docker-compose)
STAMP := .venv/.installed
KEPT := .venv/.kept
SANITIZER := services/sanitizer/src/interpose_sanitizer
MANIFESTS := pyproject.toml shared/pyproject.toml $(wildcard services/*/pyproject.toml)

# Tests start hundreds of processes: where none may keep what it compiled, each takes twice as long to start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup lock run demo images test over-container faults check bench sanitizer-score sanitizer-train sanitizer-fuzz mutants clean

help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) $(KEPT) ## Make .venv from the hashed lock (needs Python >= 3.11 only)

$(UV): tools.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Interpose needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .tools
	.tools/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tools.lock

# Third-party wheels come hash-checked from the lock; our own packages are linked into the tree.
$(STAMP): $(UV) requirements.lock $(MANIFESTS)
	test -x $(BIN)/python || $(UV) venv --quiet --python $(PYTHON) .venv
	$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation $(addprefix -e ,shared $(patsubst %/pyproject.toml,%,$(wildcard services/*/pyproject.toml)))
	touch $@

# What is read off the sanitizer's rules takes seconds, and each of its processes would: it is read once.
$(KEPT): $(STAMP) $(wildcard $(SANITIZER)/*.py $(SANITIZER)/*.txt $(SANITIZER)/*/*.py $(SANITIZER)/*/*.toml)
	$(BIN)/python -m interpose_sanitizer.keeping
	touch $@

lock: $(UV) ## Resolve requirements.lock and tools.lock anew
	echo uv==$(UV_VERSION) | $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header - -o tools.lock
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  --group dev --extra embedded $(MANIFESTS) $(foreach p,interpose $(patsubst services/%/pyproject.toml,interpose-%,$(wildcard services/*/pyproject.toml)),--no-emit-package $(p)) \
	  -o requirements.lock
	echo scikit-learn | $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  --no-emit-package numpy -c requirements.lock - -o services/sanitizer/training/requirements.lock
	$(UV) pip compile --quiet --no-deps --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  services/sanitizer/training/documents.in -o services/sanitizer/training/documents.lock

run: setup ## Start everything on this machine, with the quickstart's hooks (Ctrl-C stops it; ARGS=--detach leaves it running)
	$(BIN)/interpose up --config examples/quickstart/interpose.json \
	  --with examples/quickstart/outbox.py --with examples/no-force-push/no_force_push.py $(ARGS)

demo: setup ## Six decisions on this machine, each compared with what must come of it (about a minute, leaves nothing behind)
	$(BIN)/python examples/demo $(ARGS)

images: setup ## Build every image of compose.yaml; their bases too, where none can be pulled
	deploy/build-stand-ins.sh
	$(COMPOSE) build

# Three files at a time, of which one or two wait (conftest.py); those that bound times are alone afterwards.
test: setup ## Run every test; integration tests talk to a real nats-server (ARGS='tests/docs -x' for some)
ifdef ARGS
	$(BIN)/python -m pytest $(ARGS)
else
	failed=0; $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --ignore tests/faults || failed=1; \
	  $(BIN)/python -m pytest tests/faults || failed=1; exit $$failed
endif

over-container: setup ## Run the whole integration suite over a broker in a container (make test takes eight files; needs Docker)
	INTERPOSE_OVER_CONTAINER=whole $(BIN)/python -m pytest tests/containers/test_suite_over_container.py -rP $(ARGS)

faults: setup ## Kill, freeze, fill and spoil everything under load, in five rounds (FAULTS_ROUNDS=20, FAULTS_SEED=... repeats one)
	FAULTS_ROUNDS=$${FAULTS_ROUNDS:-5} $(BIN)/python -m pytest tests/faults -rP $(ARGS)

check: setup ## Lint, types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tests/architecture/linter.py
	$(BIN)/python -m interpose.contracts.schemas --check

sanitizer-score: setup ## Score the sanitizer on its corpora (ARGS=--show prints what fails in the open half)
	PYTHONPATH=services/sanitizer/tests $(BIN)/python -m corpora $(ARGS)

# What it takes besides is for whoever trains alone: it lies in a folder of its own.
sanitizer-train: setup ## Learn the sanitizer's classifier anew, from services/sanitizer/training and the open corpora (an hour)
	$(UV) pip install --quiet --python $(BIN)/python --target .training --no-deps --require-hashes \
	  -r services/sanitizer/training/requirements.lock -r services/sanitizer/training/documents.lock
	PYTHONPATH=.training:services/sanitizer:services/sanitizer/tests $(BIN)/python -m training $(ARGS)

sanitizer-fuzz: setup ## Look for inputs that break the sanitizer, and keep what reaches something new (MINUTES=60)
	PYTHONPATH=services/sanitizer/tests nice -n 19 $(BIN)/python -m fuzz --minutes $${MINUTES:-60} $(ARGS)

mutants: setup ## Mutate the decision logic and strict parsing; every mutant must be noticed (minutes; ARGS='*planning.plan*' for some)
	$(BIN)/python tests/mutation $(ARGS)

bench: setup ## Measure speed as ratios within one run (see docs/performance.md)
	$(BIN)/python tests/bench $(ARGS)

clean: ## Remove what make made here
	rm -rf .venv .tools .training dist mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis
