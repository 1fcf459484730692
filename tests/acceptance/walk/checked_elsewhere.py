"""Commands of the pages that are not run in this folder, and the check that runs each of them."""

from __future__ import annotations

INSTALL = "tests/acceptance/systemd/test_install.py"

WEB = "tests/unit/device/commands/test_web.py"
RIGHTS = "tests/acceptance/hall/test_rights.py"
UNIT = "tests/acceptance/systemd/test_unit.py"

EXTEND = ("tests/support/plugin_package.py", "laid out as `pip install` would")

OLD_JOURNAL = (
    "tests/unit/device/storage/test_journal_migrations.py",
    "def test_the_older_boneace_finds_its_own_beside_it",
)

CHECKED = {
    "make check": ("Makefile", "\ncheck: $(STAMP) lint\n"),
    "make test": (".ci/run", "\nmake test\n"),
    "make lint": (".ci/run", "\nmake lint\n"),
    "sudo ./systemd/install.sh": (INSTALL, '            "install.sh",\n'),
    "sudo ./systemd/install.sh --console": (INSTALL, 'machine.install("--console")'),
    "sudo ./systemd/install.sh --offline wheels --no-start": (
        "tests/acceptance/appliance/disk.sh",
        "/systemd/install.sh --offline /tmp/wheels --no-start",
    ),
    "git pull && sudo ./systemd/install.sh": (
        INSTALL,
        "def test_an_upgrade_keeps_config_and_state_and_brings_the_new_program",
    ),
    "ls /opt/boneace.d": (INSTALL, '== "boneace.d/b"'),
    "sudo ln -sfn boneace.d/0.1 /opt/boneace": (INSTALL, '"ln", "-sfn", "boneace.d/0.1"'),
    "sudo mv /var/lib/boneace/journal.sqlite3 /var/lib/boneace/journal.sqlite3.newer": OLD_JOURNAL,
    "sudo cp -p /var/lib/boneace/journal.sqlite3.version-2 /var/lib/boneace/journal.sqlite3": (
        OLD_JOURNAL
    ),
    "sudo ./systemd/uninstall.sh": (INSTALL, 'machine.run("uninstall.sh")'),
    "sudo ./systemd/uninstall.sh --purge": (INSTALL, 'machine.run("uninstall.sh", "--purge")'),
    "python tests/acceptance/faults/table.py": (
        "tests/acceptance/faults/test_page.py",
        "table.page()",
    ),
    "python -m tests.acceptance.evening.replay FOLDER START": (
        "tests/acceptance/evening/test_evening_short.py",
        "replay.main([str(tmp_path), str(start)",
    ),
    "make presses": ("tests/acceptance/booth/test_presses.py", "def test_five_thousand_sequences"),
    "make blind": ("tests/acceptance/blind/test_blind.py", "def test_who_only_hears"),
    "python -m tests.acceptance.blind.blind --hands 100 --voice": (
        "tests/acceptance/blind/test_blind.py",
        'main(["--hands", "1", "--game", "knucklebones"])',
    ),
    "python benchmarks/caller.py --log": (
        "tests/unit/device/narration/test_calls.py",
        '"bone-ace", "--hands", "1", "--log"',
    ),
    "python -m tests.acceptance.people.eyes --hands 100 --minutes 6": (
        "tests/acceptance/people/test_eyes.py",
        "eyes.main(words)",
    ),
    "python -m tests.acceptance.people.eyes --game scat --mix careful --seed 9 --hands 5": (
        "tests/acceptance/people/test_eyes.py",
        "eyes.main(words)",
    ),
    "boneace demo --people mixed": (
        "tests/unit/device/simulator/test_film_demo.py",
        '"--people", "mixed"',
    ),
    "boneace watch --format json --camera": (
        "tests/acceptance/release/test_stays_offline.py",
        '"watch": Line("watch --camera out/film"',
    ),
    "boneace watch --camera /dev/video0": (
        "tests/acceptance/release/test_stays_offline.py",
        '"watch": Line("watch --camera out/film"',
    ),
    "cat table.jpg | boneace read --format json -": (
        "tests/unit/vision/test_read_command.py",
        "def test_a_picture_may_come_by_the_standard_input",
    ),
    "boneace check deck": (
        "tests/acceptance/table/test_deck_check.py",
        'words = ["check", "deck"',
    ),
    "boneace doctor taught": (
        "tests/unit/device/diagnostics/test_doctor.py",
        'run(capsys, "taught")',
    ),
    "sudo boneace doctor hall": (
        "tests/unit/device/diagnostics/test_doctor.py",
        'run(capsys, "hall")',
    ),
    "make messages": (
        "tests/unit/display/test_languages.py",
        "def test_the_template_is_up_to_date",
    ),
    "make reference": (
        "tests/unit/project/test_reference_pages.py",
        "run: make reference",
    ),
    "python -m engine.records.schema > docs/reference/record.schema.json": (
        "tests/unit/engine/records/test_record.py",
        "write it again: python -m engine.records.schema",
    ),
    "make lock": (
        "tests/acceptance/systemd/test_lock.py",
        "def test_the_first_line_is_the_command_that_made_it",
    ),
    "make odds": (
        "tests/unit/engine/worth/test_worth.py",
        "def test_fresh_hands_agree_with_the_table",
    ),
    "boneace odds knucklebones": (
        "tests/unit/device/commands/test_odds.py",
        "def test_the_first_throw_stands_beside_the_source",
    ),
    "boneace odds bone-ace --preset cotton --players 5": (
        "tests/unit/device/commands/test_odds.py",
        "def test_what_no_table_has_is_played_and_can_be_repeated",
    ),
    "make upgrades": ("tests/acceptance/systemd/test_install.py", "def test_an_upgrade_"),
    "make bitflips": (
        "tests/acceptance/faults/test_bitflips.py",
        "def test_no_turned_bit_is_silently_wrong",
    ),
    "make kills": (
        "tests/acceptance/faults/test_kills.py",
        "def test_a_kill_at_a_writing_call_loses_nothing",
    ),
    "python -m tests.acceptance.people.people --game scat --mix mixed --hands 500 --seed 120000 "
    "--workers 1 --player tests.support.readings_player:play": (
        "tests/acceptance/people/test_judge.py",
        'people.main(["--game", "knucklebones"',
    ),
    "python -m tests.acceptance.people.slips --workers 2": (
        "tests/acceptance/people/test_slips.py",
        "slips.outcome(slipped)",
    ),
    "python -m tests.acceptance.people.check_mutants": (
        "tests/acceptance/people/test_check_mutants.py",
        "check_mutants.main([])",
    ),
    "make people": (
        "tests/acceptance/people/test_judge.py",
        'people.main(["--game", "knucklebones"',
    ),
    "boneace correct 3 --card 9H 7H": ("tests/unit/device/commands/test_correct.py", '"--card"'),
    "boneace correct 3 --void": ("tests/unit/device/commands/test_correct.py", '"--void"'),
    'boneace correct --entry Ann Bess 2 --reason "Bess paid Ann 2 by mistake"': (
        "tests/unit/device/commands/test_correct.py",
        '"--entry"',
    ),
    "boneace demo --open": ("tests/unit/device/simulator/test_demo.py", '["demo", "--open", '),
    "boneace ledger --settle": (
        "tests/unit/device/commands/test_play_for_money.py",
        '"--settle"',
    ),
    "boneace play --readings table.jsonl": (
        "tests/unit/device/commands/test_play_readings.py",
        'play(journal, "--readings", log',
    ),
    "make mutants SEED=2": ("tests/acceptance/mutants/test_mutants.py", "def test_"),
    "boneace erase --before DATE": ("tests/unit/device/storage/test_erase.py", '"--before"'),
    "boneace export --repairs": (
        "tests/unit/device/storage/test_record_files.py",
        'run("export", "--repairs"',
    ),
    "boneace restore newest": (
        "tests/unit/device/storage/test_restore.py",
        'main(["restore", "newest", "--yes"])',
    ),
    "boneace rules --ids": (
        "tests/unit/project/test_reference_pages.py",
        "def test_",
    ),
    "python tests/unit/engine/odds/plain_counts.py": (
        "tests/unit/engine/odds/test_odds.py",
        "plain_counts",
    ),
    "python tests/support/goldens.py": (
        "tests/unit/display/test_goldens.py",
        "from tests.support.goldens import",
    ),
    ".venv/bin/pip install ./my-table": EXTEND,
    "sudo /opt/boneace/bin/pip install ./my-table": EXTEND,
    "pip install --editable": EXTEND,
    "pip uninstall my-table": EXTEND,
    'boneace play --no-camera --players "Ann,Bess,Cecil" --game bone-ace': (
        "tests/unit/device/commands/test_play_by_hand.py",
        "def test_a_hand_of_bone_ace",
    ),
    'boneace play --players "Ann,Bess,Cecil,Doll" --game scat --no-camera': (
        "tests/unit/device/commands/test_play_by_hand.py",
        "def test_a_hand_of_thirty_one",
    ),
    "boneace play --booth --no-camera": (
        "tests/unit/device/commands/test_play_by_hand.py",
        '"--booth", "--no-camera"',
    ),
    "boneace count bones --no-camera": (
        "tests/unit/device/commands/test_count.py",
        '("count", "bones", "--no-camera", ',
    ),
    "boneace mat --seats 4 --paper ANSI-C --tile Letter -o mat.pdf": (
        "tests/unit/device/printing/test_mat_pdf.py",
        '(4, "ANSI-C", "Letter")',
    ),
    "boneace play --camera phone:http://192.168.1.20:8080/shot.jpg": (
        "tests/acceptance/extend/test_camera_and_box.py",
        "def test_a_hand_is_played_through_them_to_its_winner",
    ),
    "boneace config --explain web": (
        "tests/unit/device/config/test_config.py",
        'main(["config", "--explain", "game"])',
    ),
    "boneace hall": ("tests/acceptance/hall/test_processes.py", '"boneace hall"'),
    "boneace hall --csv": ("tests/acceptance/hall/test_processes.py", '"hall", "--csv"])'),
    "boneace hall --csv --evening 2026-11-25": (
        "tests/acceptance/hall/test_processes.py",
        '"hall", "--csv", "--evening", ',
    ),
    "boneace publish": ("tests/acceptance/hall/test_processes.py", '"boneace publish"'),
    "sudo boneace name red-otter-2": (
        "tests/acceptance/walk/test_at_the_table.py",
        'newcomer.run("sudo boneace name',
    ),
    "boneace web": (WEB, "def test_pages_are_served_by_the_command"),
    "boneace web --qr": (WEB, 'main([*config(), "web", "--qr"])'),
    "boneace web --qr seats.svg": (WEB, 'main([*config(), "web", "--qr", str(picture)])'),
    "sudo boneace web --qr": (WEB, 'main([*config(), "web", "--qr"])'),
    "make hall": ("tests/acceptance/hall/test_storm_short.py", "from tests.acceptance.hall"),
    "make fair": (
        "tests/acceptance/fair/test_fair_short.py",
        "def test_a_table_of_the_fair_plays_on",
    ),
    "make storm": ("tests/acceptance/hall/test_storm_short.py", "from tests.acceptance.hall"),
    "python -m tests.acceptance.web.test_phones_only 2": (
        "tests/acceptance/web/test_phones_only.py",
        "def test_phones_play_a_hand_in_a_browser",
    ),
    "python -m tests.acceptance.web.hidden_cards --seed 2027": (
        "tests/unit/device/web/test_hidden_cards.py",
        "def test_hands_that_differ_in_hidden_cards_alone_are_sent_alike",
    ),
    "python -m tests.acceptance.web.test_torn_down 100": (
        "tests/acceptance/web/test_torn_down.py",
        "def test_nobody_misses_anything_when_the_service_is_killed",
    ),
    "sudo cp systemd/mosquitto/acl /etc/mosquitto/boneace.acl": (RIGHTS, '"acl_file"'),
    "sudo cp systemd/mosquitto/boneace.conf /etc/mosquitto/conf.d/": (RIGHTS, '"boneace.conf"'),
    "sudo mosquitto_passwd -c /etc/mosquitto/boneace.passwd hall": (RIGHTS, "[passwd, "),
    "sudo mosquitto_passwd /etc/mosquitto/boneace.passwd red-otter": (RIGHTS, "[passwd, "),
    "sudo chown mosquitto /etc/mosquitto/boneace.passwd /etc/mosquitto/boneace.acl": (
        RIGHTS,
        '"password_file"',
    ),
    "sudo systemctl start boneace-hall": (UNIT, "boneace-hall.service"),
    "sudo systemctl disable --now boneace": (UNIT, "boneace.service"),
    "sudo systemctl disable --now boneace-web": (UNIT, "boneace-web.service"),
    "sudo install -m 640 -g boneace-feed /dev/null /etc/boneace/broker-password": (
        "tests/acceptance/systemd/test_install.py",
        "boneace-feed",
    ),
    "sudo /opt/boneace/bin/boneace --config /etc/boneace/hall.toml erase --player NAME": (
        "tests/unit/device/hall/test_store.py",
        "def test_boneace_erase_reaches_the_hall",
    ),
    "sudo systemctl restart mosquitto": (RIGHTS, "mosquitto"),
    "sudo systemctl restart boneace boneace-publish": (UNIT, "boneace-publish.service"),
    "sudo systemctl restart boneace boneace-web": (UNIT, "boneace-web.service"),
}
"""A command, the file that checks it (below the root), and words that stand in that file."""

PACKAGES = (
    "sudo apt install",
    "apt-get download",
)
"""What begins a command that fetches packages of the system: their names are looked up."""

NETWORK = {
    "pip download --require-hashes --dest wheels -r systemd/requirements.lock": (
        "make appliance fetches them"
    ),
    "pip install onnxruntime": "fetches from a registry; systemd/install.sh has it from the lock",
}
"""Commands that only fetch, and why they are not run."""
