"""At the table: the games are begun by their commands, and the evening is told afterwards."""

import csv
import io
import json
import re
import zipfile

import cv2
import pytest

from device.clock import HandClock
from device.runtime.session import Session
from device.simulator.bone_table import BonesTable
from device.storage.journal.journal import Journal
from engine import Choose, Player, Roll
from engine.core.bones import Face
from tests.support.camera_images import empty_mat, save
from vision.mat.pose import MatLayout


@pytest.fixture(scope="module")
def bare(house):
    """A recording of a mat on which nobody plays."""
    return save(house.root / "bare", empty_mat())


BONE_ACE = 'boneace play --players "Ann,Bess,Cecil" --game bone-ace --stake 1'
BONES = 'boneace play --players "Ann,Bess,Cecil" --game knucklebones --dealer 2'
SCAT = 'boneace play --players "Ann,Bess,Cecil" --game scat --preset wikipedia'


@pytest.mark.tries(
    'boneace play --players "Ann,Bess,Cecil" --game bone-ace --stake 1',
    'boneace play --players "Ann,Bess,Cecil" --game knucklebones --dealer 2',
    'boneace play --players "Ann,Bess,Cecil" --game scat --preset wikipedia',
)
def test_each_game_is_begun_by_its_command(newcomer, bare):
    newcomer.sees(bare)
    company = "Ann, Bess and Cecil sit down"
    told = newcomer.run(BONE_ACE).out
    assert told.startswith(f"Bone-Ace, the willughby rules. {company}; the stake is one token.")
    told = newcomer.run(BONES).out
    assert told.startswith(f"One-and-Twenty, the west-kingdom rules. {company}.")
    assert "Round 1. Cecil has the bank." in told
    assert newcomer.run(SCAT).out.startswith(f"Thirty-one, the wikipedia rules. {company}")


@pytest.mark.tries("boneace play", "boneace play --booth")
def test_a_table_of_its_own_and_one_that_waits(newcomer, bare):
    newcomer.sees(bare)
    assert "Going on" not in newcomer.run("boneace play --booth").out
    assert "Ann, Bess, Cecil and Doll sit down" in newcomer.run("boneace play").out
    with_sitting = newcomer.run("boneace ledger --json").out
    assert json.loads(with_sitting)


PLAY = 'boneace play --players "Ann,Bess,Cecil,Doll" --game bone-ace --stake 1'


@pytest.mark.tries(PLAY, "boneace replay")
def test_a_hand_is_dealt_before_the_camera_and_told(newcomer, house):
    newcomer.sees(house.dealt)
    told = newcomer.run(PLAY).out
    for sentence in (
        "Ann, Bess, Cecil and Doll sit down; the stake is one token.",
        "The lowest is Cecil's, who deals.",
        "Cecil has the Bone with the king of clubs! Ann, Bess and Doll pay one token each.",
    ):
        assert sentence in told
        assert sentence in newcomer.run("boneace replay").out
    # Everything is on disk: started again, it is the same hand.
    assert "Going on with hand 1 of Ann, Bess, Cecil, Doll" in newcomer.run(PLAY).out


@pytest.mark.tries(
    "boneace replay",
    "boneace ledger --csv",
    "boneace ledger --json",
    "boneace export --out evening.json",
    "boneace export > evening.json",
    "boneace replay evening.json",
    "boneace referee evening.json",
    "boneace referee --check evening.json",
    "boneace referee evening.json",
    "boneace accuracy",
    "boneace support",
    "sudo boneace support",
)
def test_what_the_evening_came_to(newcomer, house):
    newcomer.played(house.evening)
    story = newcomer.run("boneace replay").out
    rows = list(csv.DictReader(io.StringIO(newcomer.run("boneace ledger --csv").out)))
    assert {row["name"] for row in rows} == {"Ann", "Bess", "Cecil", "Doll"}
    assert sum(int(row["net"]) for row in rows) == 0
    ledger = json.loads(newcomer.run("boneace ledger --json").out)
    assert "Bess" in json.dumps(ledger)

    newcomer.run("boneace export > evening.json")
    piped = newcomer.path("evening.json").read_bytes()
    newcomer.run("boneace export --out evening.json")
    assert newcomer.path("evening.json").read_bytes() == piped
    assert newcomer.run("boneace replay evening.json").out == story
    assert newcomer.run("boneace referee evening.json").status == 0
    assert newcomer.run("boneace referee --check evening.json").status == 0
    assert newcomer.run("boneace referee evening.json").status == 0
    record = json.loads(newcomer.path("evening.json").read_text(encoding="utf-8"))
    assert record["results"]["hands"]
    assert re.match(r"cards: \d+ readings, 0 put right", newcomer.run("boneace accuracy").out)

    for command in ("boneace support", "sudo boneace support"):
        path = newcomer.run(command).out.split(": ")[0]
        with zipfile.ZipFile(path) as bundle:
            whole = b"".join(bundle.read(name) for name in bundle.namelist())
        assert b"boneace" in whole
        for name in (b"Bess", str(newcomer.state).encode()):
            assert name not in whole, "no names, no home folders"


@pytest.mark.tries("boneace rules bone-ace --preset cotton", "boneace rules scat")
def test_the_rules_are_printed(newcomer):
    cotton = newcomer.run("boneace rules bone-ace --preset cotton").out
    assert "cotton" in cotton
    assert "Cotton" in cotton
    assert cotton != newcomer.run("boneace rules bone-ace").out
    assert "knock" in newcomer.run("boneace rules scat").out


@pytest.mark.tries(
    "boneace play --game knucklebones --bones brass",
    "boneace play --bones NAME",
    "boneace bones stats",
    "boneace bones stats --set brass --picture brass.png",
    "boneace bones stats --json",
)
def test_bones_are_counted(newcomer, house, bare):
    newcomer.sees(bare)
    newcomer.keeps(house.brass)
    told = newcomer.run("boneace play --game knucklebones --bones brass").out
    assert "Doll has the bank" in told
    (newcomer.state / "journal.sqlite3").unlink()
    newcomer.sees(bare, '[game]\nname = "knucklebones"\n')
    assert "Doll has the bank" in newcomer.run("boneace play --bones NAME", NAME="brass").out
    (newcomer.state / "journal.sqlite3").unlink()

    with Journal(newcomer.state / "journal.sqlite3") as journal:
        company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess"))]
        brass = Session.begin(
            journal, HandClock(), "knucklebones", company, dealer=1, bones="brass"
        )
        for event in (Roll(0, (1, 3, 4, 6, 4)), Choose(0, 0), Roll(1, (1, 3, 4, 6, 1))):
            brass.apply(event)
    told = newcomer.run("boneace bones stats").out
    assert re.search(r"^twisted 6 +2 +20%", told, re.MULTILINE)
    assert told.startswith("All bones: 10 bones in 2 throws, ")
    newcomer.run("boneace bones stats --set brass --picture brass.png")
    assert cv2.imread(str(newcomer.path("brass.png"))) is not None
    counted = json.loads(newcomer.run("boneace bones stats --json").out)
    assert "flat" in json.dumps(counted)
    assert "brass" in json.dumps(counted)


@pytest.fixture(scope="module")
def lying():
    """What a camera sees of five bones that lie on the mat."""
    table = BonesTable(MatLayout(4, "A2"), seed=4, size=(1280, 960))
    table.throw(0, 5, faces=(Face.CONVEX, Face.CONVEX, Face.CONCAVE, Face.FLAT, Face.TWISTED))
    table.settle()
    return table.frame()


@pytest.mark.tries(
    "boneace count bones",
    "boneace count cards",
    "boneace count bones --camera throws.mp4 --headless",
    "boneace count bones --csv > throws.csv",
    "boneace count bones --json",
    "boneace bones stats --counted",
    "boneace count bones --journal groupA/journal.sqlite3",
    "boneace bones stats --counted --journal groupA/journal.sqlite3",
    "boneace bones stats --counted --csv > all.csv",
    "boneace bones stats --counted --csv --journal groupA/journal.sqlite3 > groupA.csv",
    "boneace erase --all --journal groupA/journal.sqlite3",
)
def test_bones_are_counted_without_a_game(newcomer, house, bare, lying):
    newcomer.sees(bare)
    assert newcomer.run("boneace count cards").out == "Nothing was counted.\n"
    newcomer.sees(save(house.root / "lying", [lying] * 4))
    told = newcomer.run("boneace count bones").out
    assert re.match(r"throw 1: .*: 18\n5 bones in 1 throw\.", told)
    newcomer.run("boneace count bones --csv > throws.csv")
    rows = list(csv.DictReader(io.StringIO(newcomer.path("throws.csv").read_text())))
    assert sorted(row["value"] for row in rows) == ["1", "3", "4", "4", "6"]
    assert json.loads(newcomer.run("boneace count bones --json").out)["total"] == 18
    film = cv2.VideoWriter(
        str(newcomer.at / "throws.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10, lying.shape[1::-1]
    )
    for _ in range(6):
        film.write(lying)
    film.release()
    told = newcomer.run("boneace count bones --camera throws.mp4 --headless").out
    assert "5 bones in 1 throw" in told
    told = newcomer.run("boneace bones stats --counted").out
    assert told.startswith("All bones: 20 bones in 4 throws, 4 sittings.")
    newcomer.run("boneace count bones --journal groupA/journal.sqlite3")
    told = newcomer.run("boneace bones stats --counted --journal groupA/journal.sqlite3").out
    assert told.startswith("All bones: 5 bones in 1 throw, 1 sitting.")
    newcomer.run("boneace bones stats --counted --csv > all.csv")
    of_a = "--journal groupA/journal.sqlite3"
    newcomer.run(f"boneace bones stats --counted --csv {of_a} > groupA.csv")
    lines = [newcomer.path(name).read_text().count("\n") for name in ("all.csv", "groupA.csv")]
    assert lines == [21, 6]
    assert "erased too" in newcomer.run(f"boneace erase --all {of_a}", more="--yes").out


# Copies


@pytest.mark.tries(
    "boneace backup --to /media/stick",
    "sudo boneace backup",
    "sudo boneace name",
    "sudo boneace name red-otter",
    "sudo boneace restore",
    "sudo boneace restore newest",
    "boneace restore",
)
def test_a_copy_is_made_and_gone_back_to(newcomer, house):
    newcomer.played(house.evening)
    newcomer.run("boneace backup --to /media/stick")
    (on_stick,) = newcomer.stick.glob("boneace-*.zip")
    newcomer.run("sudo boneace backup")
    assert newcomer.run("sudo boneace name").out.strip() in on_stick.name
    ledger = newcomer.run("boneace ledger --csv").out

    journal = newcomer.state / "journal.sqlite3"
    journal.write_bytes(b"not a journal any more")
    newcomer.run("boneace ledger --csv", status=1)
    assert "sound" in newcomer.run("sudo boneace restore").out
    newcomer.run("boneace restore")
    newcomer.run("sudo boneace restore newest", status=1)  # nobody is there to be asked
    newcomer.run("sudo boneace restore newest --yes")
    assert newcomer.run("boneace ledger --csv").out == ledger
    journal.unlink()
    newcomer.run("sudo boneace name red-otter")
    newcomer.run(f"boneace restore {on_stick} --yes")
    assert newcomer.run("boneace ledger --csv").out == ledger


@pytest.mark.tries(
    'sudo boneace erase --player "Ann Lee"',
    "sudo boneace erase --before 2026-11-01",
    "sudo boneace erase --all",
    "boneace erase",
)
def test_guests_are_erased(newcomer, house):
    newcomer.played(house.evening)
    before = newcomer.run("boneace ledger --csv").out.count("\n")
    newcomer.run('sudo boneace erase --player "Ann Lee" --yes')
    newcomer.run("sudo boneace erase --before 1990-01-01 --yes")
    assert newcomer.run("boneace ledger --csv").out.count("\n") == before
    for words in ('--player "Ann Lee"', "--before 2026-11-01", "--all"):
        newcomer.run(f"sudo boneace erase {words}", status=1)  # nobody is there to be asked
    newcomer.run("boneace erase", status=2)
    newcomer.run("sudo boneace erase --all --yes")
    assert newcomer.run("boneace ledger --csv").out.count("\n") == 1


@pytest.mark.tries(
    "sudo systemctl stop boneace",
    "sudo systemctl start boneace",
    "sudo systemctl restart boneace",
    "sudo systemctl start boneace-backup",
    "sudo systemctl edit boneace-backup",
    "sudo systemctl edit boneace",
    "systemctl edit boneace",
    "systemctl status boneace",
    "journalctl -u boneace -f",
    "journalctl -u boneace -p warning",
)
def test_the_machines_own_programs_are_asked_about_units_that_there_are(newcomer, request):
    """The machine is not ours: it is only asked for what systemd/ holds; make appliance does it."""
    from tests.support.doc_pages import ROOT

    for command in request.node.get_closest_marker("tries").args:
        newcomer.run(command)
    for line in newcomer.called():
        unit = re.search(r"\bboneace[\w-]*", line)[0]
        assert (ROOT / "systemd" / f"{unit}.service").is_file(), line
