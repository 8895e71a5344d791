# Interpose: everything a person does with the tree. `make help` lists it.
SHELL := /bin/sh
PYTHON ?= python3
BIN := .venv/bin
UV := .tools/bin/uv
UV_VERSION := 0.13.8
STAMP := .venv/.installed
MANIFESTS := pyproject.toml shared/pyproject.toml $(wildcard services/*/pyproject.toml)

.DEFAULT_GOAL := help
.PHONY: help setup lock run test check bench mutants clean

help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv from the hashed lock (needs Python >= 3.11 only)

$(UV):
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Interpose needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .tools
	.tools/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

# Third-party wheels come hash-checked from the lock; our own packages are linked into the tree.
$(STAMP): $(UV) requirements.lock $(MANIFESTS)
	test -x $(BIN)/python || $(UV) venv --quiet --python $(PYTHON) .venv
	$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation $(addprefix -e ,shared $(patsubst %/pyproject.toml,%,$(wildcard services/*/pyproject.toml)))
	touch $@

lock: $(UV) ## Resolve requirements.lock anew
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	  --group dev --extra embedded $(MANIFESTS) $(foreach p,interpose $(patsubst services/%/pyproject.toml,interpose-%,$(wildcard services/*/pyproject.toml)),--no-emit-package $(p)) \
	  -o requirements.lock
