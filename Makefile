# Two commands on a fresh machine: `make run` and `make test`. Each sets up .venv first, once.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
OUT ?= out
# torch and the tests share two cores fairly: one thread each
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2

.PHONY: run test test-all check format bench clean

run: $(READY)
	@mkdir -p $(OUT)
	@$(BIN)/clearhead work examples/self-attention
	@$(BIN)/clearhead work examples/self-attention --format html --out $(OUT)/self-attention.html

test: check
	@$(PYTEST)

test-all: check
	@$(PYTEST) -m ''

check: $(READY)
	@$(BIN)/ruff format --check -q . && $(BIN)/ruff check -q . && $(BIN)/mypy && $(BIN)/python -m pytest -q tests/test_architecture.py

format: $(READY)
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

$(READY): pyproject.toml tools/setup.py
	@command -v $(PYTHON) >/dev/null || { echo "clearhead set-up: there is no '$(PYTHON)' here. Install Python 3.11 or newer, or name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) tools/setup.py

clean:
	rm -rf .venv out .mypy_cache .ruff_cache .pytest_cache .hypothesis
