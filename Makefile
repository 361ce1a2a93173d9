# Everything from a bare Python 3.11+: `make demo`, `make test`, `make test-quick`. They work offline once set up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Pinned for the tests, where a known version matters more than the newest.
TORCH ?= torch==2.13.0

# The frameworks of `probative.integrations`, which pin packages that the tests need newer.
FRAMEWORKS := .venv-frameworks

.PHONY: demo test test-changed test-frameworks test-quick coverage lock changelog golden lint size bench results docs format clean
.DELETE_ON_ERROR:

demo: export PROBATIVE_MODEL = embedded
demo: export PROBATIVE_VERDICT = embedded
demo: .make/core .make/weights
	$(BIN)/probative prove "The lighthouse, lit in 1871, has a lens designed by an engineer who had been a student in Paris." \
		--context examples/lighthouse.txt
	$(BIN)/probative ask "In which town was the engineer born who designed the Grey Heron?" \
		--passages examples/sound.jsonl
	$(BIN)/probative ask "When was the bridge opened that took the passengers of the Sund Line?" \
		--passages examples/sound.jsonl
	$(BIN)/probative reason "Does willow bark ease a headache?" --graph examples/apothecary.tsv \
		--draw apothecary.svg
	$(BIN)/probative index examples/corpus
	$(BIN)/probative ask "How much does the supplier of the ropes pay for each full day of delay?" --corpus examples/corpus
	$(BIN)/probative show "contracts/rope-supply-contract.pdf#page=2&char=1323,1407" --corpus examples/corpus
	$(BIN)/probative verify examples/briefing.md --corpus examples/corpus --html briefing.html

# Two processes: most tests use one core. Each process loads the models once.
JOBS ?= 2
# `make test ORDER=random` runs the tests in a random order; `SEED=N` repeats one.
RANDOM_ORDER := $(if $(filter random,$(ORDER)),-p randomly $(if $(SEED),--randomly-seed=$(SEED)))
test: .make/dev .make/weights-all .make/frameworks
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(RANDOM_ORDER)
	$(MAKE) test-frameworks

# The integrations against the real packages. Their pytest plugins are not loaded: DeepEval has one.
test-frameworks: .make/frameworks .make/weights-all
	PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(FRAMEWORKS)/bin/python -m pytest -p pytest_timeout tests/integrations \
		src/probative/integrations

# The tests to run after each change: those marked `slow` are left to `make test`.
test-quick: .make/dev .make/weights-all
	$(BIN)/python -m pytest -m "not slow" -n $(JOBS) --dist worksteal

# The tests that a change concerns, compared with BASE.
BASE ?= main
test-changed: .make/dev .make/weights-all
	$(BIN)/python docs/tools/changed_tests.py $(BASE) | xargs --no-run-if-empty $(BIN)/python -m pytest -m "not slow"

# Which lines the quick tests reach, and by which test (htmlcov/).
coverage: .make/dev .make/weights-all
	$(BIN)/python -m pip install --quiet 'pytest-cov>=7.0'
	$(BIN)/python -m pytest -m "not slow" -n $(JOBS) --dist worksteal --cov=probative --cov-context=test \
		--cov-report=term --cov-report=html

# The exact versions that the tests ran with: a known good set for `pip install --constraint`.
lock: .make/dev
	$(BIN)/python -m pip freeze --exclude-editable | sed "s|+cpu$$||" > requirements-dev.lock

# The files of changes/ as a section of CHANGELOG.md: `make changelog VERSION=0.2.0`.
changelog: $(BIN)/python
	$(BIN)/python docs/tools/changelog.py $(VERSION)

# All golden cases, of the embedded models and of every surface: about five minutes.
golden: .make/dev .make/weights-all
	GOLDEN=all $(BIN)/python -m pytest tests/golden

lint: .make/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --no-warn-unused-ignores benchmarks

# Lines, files and imports of each package, circles of folders, long functions, and the places to change for one
# more argument, verb, study, format or baseline.
size: .make/core
	$(BIN)/python benchmarks/size.py

format: .make/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The quick set, in under 15 minutes on two cores: what needs no data set, or `make bench DATA=DIR` with a case of
# each experiment on its data.
bench: .make/dev .make/weights-all
	$(BIN)/python benchmarks/quick.py $(if $(DATA),--data $(DATA))

# docs/results.md from the kept reports (docs/bench) and docs/tools/results.md.in.
results: .make/dev
	$(BIN)/python docs/tools/results.py

# The documentation site, in site/. A broken link or anchor fails the build.
docs: .make/docs
	$(BIN)/zensical build --clean --strict

clean:
	rm -rf $(VENV) $(FRAMEWORKS) .make site .cache

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Probative needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

.make/core: pyproject.toml | $(BIN)/python
	@mkdir -p .make
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.make/dev: pyproject.toml | $(BIN)/python
	@mkdir -p .make
	$(BIN)/python -m pip install --quiet '$(TORCH)'
	$(BIN)/python -m pip install --quiet --editable '.[hf,dev]'
	@touch $@ .make/core

.make/frameworks: pyproject.toml
	@mkdir -p .make
	test -x $(FRAMEWORKS)/bin/python || $(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip install --quiet --editable '.[langchain,llamaindex,haystack,dspy,deepeval]' \
		'pytest>=8.3' 'pytest-timeout>=2.3'
	@touch $@

.make/docs: pyproject.toml | $(BIN)/python
	@mkdir -p .make
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@ .make/core

# The marker says that a pull was made here; the weights themselves are checked at each load.
WEIGHTS := $(addprefix src/probative/,models/embedded/catalog.py models/embedded/convert.py \
	weights/small/adapter.safetensors weights/policy/model.safetensors)
.make/weights: $(WEIGHTS) | .make/core
	$(BIN)/probative models pull
	@touch $@

# For the tests, the plain language model too.
.make/weights-all: $(WEIGHTS) | .make/core
	$(BIN)/probative models pull --plain
	@touch $@ .make/weights
