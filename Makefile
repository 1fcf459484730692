# Everything here makes the virtual environment it needs; a second run finds it made.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo demos check test lint bench bench-share deckcheck count pictures odds soak fuzz recover upgrades bitflips kills mutants appliance arm64 release booth presses blind evening fair hall storm people messages reference lock clean

# One hand, with no more installed than it needs.
DEMO := $(VENV)/.demo
demo: $(if $(wildcard $(STAMP)),$(STAMP),$(DEMO))
	@$(BIN)/boneace demo --hands 1 --out out/demo

# While editing: the fast unit tests and all static checks, under two minutes on two cores.
check: $(STAMP) lint
	$(BIN)/pytest -n 2 -m "not slow" tests/unit

# Everything, under ten minutes on two cores.
test: $(STAMP)
	$(BIN)/pytest -n 2

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check device display engine vision tests benchmarks examples
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python benchmarks/table.py
	$(BIN)/python benchmarks/chain.py
	$(BIN)/python benchmarks/bones.py
	$(BIN)/python benchmarks/rules.py
	$(BIN)/python benchmarks/screens.py

# One line on how fast this machine is, to send in: three minutes.
bench-share: $(STAMP)
	$(BIN)/python benchmarks/share.py

# Decks dealt past the camera on drawn tables, and what is missing or too many named: some half an hour.
deckcheck: $(STAMP)
	$(BIN)/python benchmarks/deck_check.py

# Throws counted without a game, on a drawn table: a quarter of an hour on one core.
count: $(STAMP)
	$(BIN)/python benchmarks/counting.py

# The pictures of the pages, drawn anew by the commands that stand beside them.
pictures: $(STAMP)
	$(BIN)/python tests/acceptance/walk/draw_pictures.py
	$(BIN)/python -m tests.acceptance.walk.draw_film
	$(BIN)/python benchmarks/hard_scenes.py

# A hand of every preset with twenty seeds, by two players up to the most, and one with each other
# choice of every option: each must end by itself. Some forty minutes on two cores.
demos: $(STAMP)
	$(BIN)/python tests/acceptance/demos/demos.py

# What a seat is worth in every preset, for boneace odds: half an hour on one core, an hour where others
# work too; it goes on where it was stopped, and more time makes the intervals narrower.
odds: $(STAMP)
	$(BIN)/python benchmarks/seats.py

# 100,000 random events at every game and preset: half an hour on two cores; then 52,000 cards on
# drawn tables: three quarters of an hour on one, and it goes on where it was stopped.
soak: $(STAMP)
	$(BIN)/python benchmarks/soak/soak.py
	$(BIN)/python benchmarks/soak/matchups.py
	$(BIN)/python benchmarks/soak/cards.py

# Strangers' files made up for ten minutes; what comes past a clear error is kept in tests/acceptance/faults/cases.
fuzz: $(STAMP)
	$(BIN)/python tests/acceptance/faults/fuzz.py
	$(BIN)/python tests/acceptance/faults/table.py

# Three hours with six clumsy people, in fast time: some twenty minutes on one core. docs/why/evening.md.
evening: $(STAMP)
	$(BIN)/python tests/acceptance/evening/evening.py --page --out out/evening

# Three tables through four hours with the real reader, phones, somebody who only hears, a power cut and an
# upgrade, and a hall that listens: an hour on two cores. Needs mosquitto.
fair: $(STAMP)
	$(BIN)/python -m tests.acceptance.fair.fair --out out/fair

# Every bit of a small journal turned, one at a time, and the journal read: some twenty minutes.
bitflips: $(STAMP)
	$(BIN)/python tests/acceptance/faults/bitflips.py

# The program killed at every call that writes: play, backup, restore, erase. Needs strace.
kills: $(STAMP)
	$(BIN)/python tests/acceptance/faults/kills.py
	$(BIN)/python tests/acceptance/faults/killed_copies.py

# The program changed in 100 places that a seed draws, one at a time, and the closest tests run: what
# no test notices is written to out/mutants. Some hours on one core; it goes on where it was stopped.
SEED ?= 1
mutants: $(STAMP)
	$(BIN)/python tests/acceptance/mutants/mutants.py --seed $(SEED)

# How long the table takes to go on by itself; docs/why/reliability.md says so.
recover: $(STAMP)
	$(BIN)/python tests/acceptance/faults/recover.py
	$(BIN)/python tests/acceptance/faults/table.py

# A broker, four tables with people of software, a hall and a browser, on this machine, until Ctrl-C. Needs
# mosquitto.
hall: $(STAMP)
	$(BIN)/python -m tests.acceptance.hall.demo

# Sixteen tables at a broker and a hall, all of them killed again and again, and every token counted:
# some four minutes on two cores. Needs mosquitto.
storm: $(STAMP)
	$(BIN)/python -m tests.acceptance.hall.storm

# Forty visitors who know nothing, one after the other, with the real reader on drawn tables: what each
# needed, and that the welcome screen was back. Some minutes.
booth: $(STAMP)
	$(BIN)/python tests/acceptance/booth/visitors.py --visitors 40

# Every sequence of up to four presses, from every phase of every game: none may lose a game. Some two
# hours on one core.
presses: $(STAMP)
	$(BIN)/python -m tests.acceptance.booth.presses

# A hundred hands of each game decided twice: by who sees, and by who only hears and has two keys. Some
# ten minutes on one core.
blind: $(STAMP)
	$(BIN)/python -m tests.acceptance.blind.blind

# The table in an emulated machine: installed, played at, killed, frozen, its plug pulled twenty
# times, its budgets reached, brought back on another machine, and its upgrade cut off. Needs root,
# x86-64 Debian and a network; half an hour, an hour where others work too.
APPLIANCE := tests/acceptance/appliance
appliance: $(STAMP)
	$(BIN)/python $(APPLIANCE)/build.py
	$(BIN)/pytest $(addprefix $(APPLIANCE)/check_,appliance.py restore.py budgets.py upgrade.py) -v -s -p no:cacheprovider

# An upgrade that is cut off before each of its commands, and one whose network goes at each thing
# that it fetches, below a folder. Needs root, and iproute2 for the network; fifty minutes.
upgrades: $(STAMP)
	$(BIN)/python -m tests.acceptance.systemd.cut_network
	$(BIN)/python -m tests.acceptance.systemd.cut_upgrade

# The wheels that a Raspberry Pi gets, under user emulation: imported, and a table read with them.
arm64: $(STAMP)
	$(BIN)/python tests/acceptance/appliance/build.py qemu-user-static mmdebstrap
	$(BIN)/pytest tests/acceptance/appliance/check_arm64.py -v -s -p no:cacheprovider

# Wheel and source archive, used in empty environments of each Python that is here: some minutes each.
release: $(STAMP)
	$(BIN)/python tests/acceptance/release/try_wheel.py

# Writes docs/reference from the program: commands, settings, the bank, rules, the schema of the web.
reference: $(STAMP)
	$(BIN)/python -m tests.support.reference_pages

# Ten thousand hands of each game by people of software, as readings without pixels, through the player
# under test: PLAYER=module:function; without one the rules are compared with the oracle's. Then a hundred
# rounds with each combination of the customs of the bank.
people: $(STAMP)
	$(BIN)/python -m tests.acceptance.people.people --hands 5000 --workers 2 $(if $(PLAYER),--player $(PLAYER))
	$(BIN)/python -m tests.acceptance.people.people --game knucklebones --customs --hands 100 --sitting 3 \
		--workers 2 $(if $(PLAYER),--player $(PLAYER))

# Gathers the sentences of the program into display/i18n/locales, and compiles the catalogues that it
# reads; tells how many are translated.
LOCALES := display/i18n/locales
messages: $(STAMP)
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --add-location file --width 96 \
		--project boneace --version 0 --header-comment "# Sentences of boneace." \
		--output-file $(LOCALES)/boneace.pot display device engine
	sed -i '/^"POT-Creation-Date/d' $(LOCALES)/boneace.pot
	$(BIN)/pybabel --quiet update --domain boneace --input-file $(LOCALES)/boneace.pot \
		--output-dir $(LOCALES) --width 96 --ignore-obsolete --ignore-pot-creation-date
	$(BIN)/pybabel compile --domain boneace --directory $(LOCALES) --statistics

# The Python packages that systemd/install.sh may install, as root: versions and hashes, the newest
# that pyproject.toml allows. Needs a network.
LOCK := systemd/requirements.lock
COMPILE := uv pip compile --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--no-header --extra fast --extra gpio --extra hall --extra mat --group installer pyproject.toml
lock: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	echo "# Made by: make lock, which runs $(COMPILE)" >$(LOCK).new
	$(BIN)/$(COMPILE) >>$(LOCK).new
	mv $(LOCK).new $(LOCK)
	$(BIN)/python tests/acceptance/systemd/check_lock.py

# The three packages that the demo needs, of the versions that pyproject.toml names, and pip for more. A
# pip that is there already fetches them: to install Python's own takes longer than all of them.
$(DEMO): SHELL := /bin/bash
$(DEMO): .SHELLFLAGS := -o pipefail -c
$(DEMO): pyproject.toml
	@echo "Making $(VENV) with what the demo needs; some 90 MB are fetched:"
	@pip="$(PYTHON) -m pip --python $(BIN)/python"; \
	{ $(PYTHON) -m venv --without-pip $(VENV) && \
	{ $$pip --version >/dev/null 2>&1 || { $(PYTHON) -m venv $(VENV) && pip="$(BIN)/python -m pip"; }; }; } || \
	{ echo "make: Python cannot make an environment here; run: sudo apt install python3-venv" >&2; exit 1; }; \
	wanted=$$(sed -n 's/^ *"\(\(numpy\|opencv\|pygame\)[^"]*\)".*/\1/p' pyproject.toml) && \
	$$pip install --disable-pip-version-check --no-compile --no-deps --progress-bar off pip $$wanted --editable . | sed -un \
		-e 's/^ *\(Downloading\|Using cached\) \([A-Za-z0-9_]*\)-.* (\(.*\))$$/  \2, \3/p' \
		-e 's/^Installing collected.*/  unpacking/p'
	@echo "$$(du -sm $(VENV) | cut -f1) MB in $(VENV). Left out: onnxruntime, which reads twice as fast, and all that the demo"
	@echo "does without. For a table: $(BIN)/python -m pip install --editable '.[mat,fast]'"
	@touch $@

clean:
	rm -rf $(VENV) out build dist

# pip before 25.1 knows no dependency groups: they are installed by a pip that does.
$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV) || { echo "make: Python cannot make an environment here; run: sudo apt install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[mat,fast,hall]" --group test --group lint
	touch $@
