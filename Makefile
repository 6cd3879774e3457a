# Two commands on a fresh machine: `make run` and `make test`. Each sets up .venv first, once.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
OUT ?= out
PYODIDE = tools/site/node_modules/pyodide
# torch and the tests share two cores fairly: one thread each
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -rs -n 2

.PHONY: run test test-all check format bench site clean

run: $(READY)
	@mkdir -p $(OUT)
	@$(BIN)/clearhead work examples/self-attention
	@$(BIN)/clearhead work examples/self-attention --out $(OUT)/self-attention.html --picture $(OUT)/self-attention.svg
	@$(BIN)/clearhead birthplaces run --minutes 3 --control --out $(OUT)/world $(if $(wildcard $(OUT)/world/recipe.toml),--resume)

test: check
	@$(PYTEST)

test-all: check
	@HYPOTHESIS_PROFILE=explore $(PYTEST) -m ''

check: $(READY)
	@$(BIN)/ruff format --check . || { echo "Some files are not formatted; this does it: make format" >&2; exit 1; }
	@$(BIN)/ruff check -q .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/test_architecture.py

format: $(READY)
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

# Every benchmark in turn, on a quiet machine; each writes its result beside itself.
bench: $(READY)
	@for script in benchmarks/*.py; do echo "$$script"; $(BIN)/python $$script || exit 1; done

# The pages as a static folder; Pyodide comes from npm, as the lock file says.
site: $(READY) $(PYODIDE)
	@$(BIN)/clearhead site --out $(if $(filter command line,$(origin OUT)),$(OUT),$(OUT)/site) --pyodide $(PYODIDE)

$(PYODIDE): tools/site/package-lock.json
	@command -v npm >/dev/null || { echo "clearhead site: there is no npm here. Install Node.js, or name an unpacked Pyodide: clearhead site --out DIR --pyodide DIR" >&2; exit 2; }
	@npm ci --prefix tools/site --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null && touch $(PYODIDE)

$(READY): pyproject.toml tools/setup.py
	@command -v $(PYTHON) >/dev/null || { echo "clearhead set-up: there is no '$(PYTHON)' here. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 $(or $(MAKECMDGOALS),run)" >&2; exit 2; }
	@$(PYTHON) tools/setup.py

clean:
	rm -rf .venv out .mypy_cache .ruff_cache .pytest_cache .hypothesis
