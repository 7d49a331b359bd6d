# Two commands do all the set-up: `make demo` and `make test`. `make help` lists the rest.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet install --require-hashes --use-pep517
export DEVELOPMENT ?= 1
unexport PYTHONDONTWRITEBYTECODE  # some images set it; each of the many processes would compile all of us again

.PHONY: help demo serve test prove check bench chaos fuzz intents ladder mutate format messages lock clean

help:            ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

demo: $(VENV)/run.stamp $(VENV)/messages.stamp ## two players play two games by mail; ONCE=1 ends then, ARGS='--door HOST:PORT ...'
	@$(BIN)/python manage.py demo $(if $(ONCE),--once) $(ARGS)

serve: $(VENV)/run.stamp $(VENV)/messages.stamp ## the whole service in one process
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py serve $(ARGS)

PYTEST := $(BIN)/python -m pytest --dist worksteal
test: $(VENV)/dev.stamp $(VENV)/messages.stamp ## the quick tests; ARGS='-k zertz' for any others
	@$(if $(ARGS),$(BIN)/python -m pytest $(ARGS),$(PYTEST) -n 3 -m "not prove" --hypothesis-profile quick)

prove: $(VENV)/dev.stamp $(VENV)/messages.stamp ## the long ones: processes, servers, browsers, a season, every example
	@$(PYTEST) -n 5 -m "prove or hypothesis"

check: $(VENV)/dev.stamp $(VENV)/messages.stamp ## format, lint, types, imports, dependencies, migrations, settings
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache > $(VENV)/imports.log || { cat $(VENV)/imports.log; false; }
	@$(BIN)/python -m tests.dependencies
	@$(BIN)/pip --disable-pip-version-check check > $(VENV)/pip.log || { cat $(VENV)/pip.log; false; }
	@DATABASE_URL=sqlite://:memory: $(BIN)/python manage.py makemigrations --check --dry-run --verbosity 0
	@$(BIN)/python manage.py check --fail-level WARNING > /dev/null

bench: $(VENV)/dev.stamp $(VENV)/messages.stamp ## every figure beside its peer or ceiling
	@$(BIN)/python -m tests.bench $(ARGS)

fuzz: $(VENV)/dev.stamp ## letters that nobody wrote, led by the code they reach, and by the time they take; SECONDS=60
	@$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),20)
	@$(BIN)/python -m tests.fuzz.costly --seconds $(or $(SECONDS),20)

ladder: $(VENV)/dev.stamp ## each level of the robots against the one below; goes on where it stopped; ARGS='loa zertz --seconds 500'
	@$(BIN)/python -m tests.ladder $(ARGS)

chaos: $(VENV)/dev.stamp $(VENV)/messages.stamp ## the real service under letters and kills; N=10000 KILLS=100 SEED=1 FAULTS=all
	@$(BIN)/python -m tests.chaos --letters $(or $(N),300) --kills $(or $(KILLS),18) --seed $(or $(SEED),1) --faults "$(FAULTS)"

intents: $(VENV)/dev.stamp ## learn from tests/pbem/intents/examples what people mean (needs scikit-learn); ARGS=--held-out
	@$(BIN)/python -m tests.intents $(ARGS)

mutate: $(VENV)/mutmut.stamp $(VENV)/messages.stamp ## faults in a module that none of its tests finds; ARGS=pbem/inbox/consent.py
	@$(MUTMUT)/bin/python -m tests.mutation $(ARGS)

format: $(VENV)/dev.stamp ## make the code look alike
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --fix --quiet .

messages: $(VENV)/dev.stamp ## collect the sentences to translate into pbem/locale
	@$(BIN)/python manage.py collect_messages

lock: $(VENV)/dev.stamp ## choose newer versions of everything (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header -q pyproject.toml -o requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header -q pyproject.toml --group dev -o requirements-dev.txt

clean:           ## forget the virtual environment and everything that was played
	rm -rf $(VENV) var

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "PBeM needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python has no venv here; on Debian: apt install python3-venv"; exit 1; }

$(VENV)/run.stamp: requirements.txt | $(BIN)/pip
	@echo "installing what PBeM runs with ..."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt | $(BIN)/pip
	@echo "installing what PBeM is tested with ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@ $(VENV)/run.stamp

MUTMUT := $(VENV)/mutmut
PURELIB := -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
$(VENV)/mutmut.stamp: $(VENV)/dev.stamp
	@echo "installing mutmut beside it ..."
	@$(BIN)/python -m venv --clear $(MUTMUT)
	@$(BIN)/python $(PURELIB) > "$$($(MUTMUT)/bin/python $(PURELIB))/ours.pth"  # what it is tested with, too
	@$(MUTMUT)/bin/pip --disable-pip-version-check --quiet install mutmut==3.8.1
	@touch $@

$(VENV)/messages.stamp: $(wildcard pbem/locale/*/LC_MESSAGES/django.po) | $(VENV)/run.stamp
	@$(BIN)/pybabel --quiet compile --domain django --directory pbem/locale
	@touch $@
