"""The first hour with the table: tried without hardware, wired, looked over, taught."""

import json
import re
import tomllib

import cv2
import pytest

from engine import Card
from engine.core.messages.words import card_words
from tests.support.camera_images import empty_mat, photograph, save
from tests.support.doc_pages import ROOT, blocks


def pins():
    """Return the settings that the README shows beside its wiring diagram."""
    block = next(each for each in blocks("toml") if each.page == "README.md")
    assert "console" in tomllib.loads(block.text)["panel"]
    return block.text


def cards(line):
    """Return the cards of a line of ``boneace read``, and how many lie face down."""
    up, down = re.fullmatch(r"table\.jpg: ([A2-9TJQKSHDC ]+)(?:; (\d+) face down)?", line).groups()
    return set(up.split()), int(down or 0)


# Without hardware


def test_what_is_cloned_has_all_that_the_next_steps_need(newcomer):
    if not (ROOT / ".git").exists():
        newcomer.excuse("the source package has no history to clone")
    clone = f"git clone {ROOT} boneace && cd boneace"
    told = newcomer.run(clone, more="&& make --dry-run demo && systemd/install.sh --help").out
    assert "boneace demo --hands 1 --out out/demo" in told
    assert "Usage: sudo" in told


@pytest.mark.tries("make demo")
def test_the_demo_plays_a_hand_leaves_pictures_and_says_what_comes_next(newcomer, house):
    told, newcomer.at = house.demo, house.clone
    newcomer.ran.append("make demo")
    assert "No display here: playing headless." in told.err
    assert len(re.findall(r"^The hand: ", told.out, re.MULTILINE)) == 1
    assert re.search(r"^What next\?.*\n  \S*boneace read", told.err, re.MULTILINE)
    assert "pygame" not in told.out + told.err
    assert "XDG_RUNTIME_DIR" not in told.err
    read, laid = re.search(r"Cards read: (\d+) of (\d+);", told.out).groups()
    assert read == laid
    assert list((house.clone / "out" / "demo").glob("*.png"))
    assert newcomer.path("out/demo/transcript.txt").read_text(encoding="utf-8") in told.out


@pytest.mark.tries("boneace demo --deck old", "boneace demo --language fr --sound")
def test_the_demo_looks_and_speaks_as_it_is_told(newcomer):
    """One hand of two players each; the cards of the old deck have no index, so they are taught."""
    short = "--headless --hands 1 --players 2"
    told = newcomer.run("boneace demo --deck old", more=short).out
    assert re.search(r"Cards read: \d+ of \d+", told)
    told = newcomer.run("boneace demo --language fr --sound", more=short).out
    assert "Bone-Ace" in told
    assert re.search(r"\bjetons?\b", told)


@pytest.mark.tries(". .venv/bin/activate", "boneace read docs/pictures/camera.jpg")
def test_the_command_is_found_after_the_demo_and_reads_the_picture_above(newcomer, house):
    assert house.demo.status == 0
    newcomer.at = house.clone
    told = newcomer.run(". .venv/bin/activate", more="&& which boneace").out
    assert told.endswith("/bin/boneace\n")
    told = newcomer.run("boneace read docs/pictures/camera.jpg").out
    # What it shows is the end of the first hand of the demo.
    story = house.demo.out.split("\nHand 2.")[0]
    shown = re.findall(r"^\w+ shows (.*): \d+\.$", story, re.MULTILINE)
    names = {name for hand in shown for name in re.split(r", the | and the |^the ", hand) if name}
    read = {str(card_words(Card.parse(code))) for code in told.split(": ")[1].split(";")[0].split()}
    assert read == names
    assert len(read) > 12


@pytest.mark.tries(
    "boneace read table.jpg",
    "boneace read --format json *.jpg",
    "boneace read --format json table.jpg",
    "boneace read --format picture table.jpg",
)
def test_a_photograph_is_read(newcomer, house):
    newcomer.finds(house.table)
    told = newcomer.run("boneace read table.jpg")
    assert cards(told.out.strip()) == ({"AH", "TD", "9C"}, 2)
    for command in ("boneace read --format json *.jpg", "boneace read --format json table.jpg"):
        (line,) = newcomer.run(command).out.splitlines()
        assert {each["card"] for each in json.loads(line)["cards"]} == {"AH", "TD", "9C"}
    newcomer.run("boneace read --format picture table.jpg")
    drawn, photo = (cv2.imread(str(newcomer.path(n))) for n in ("table.read.png", "table.jpg"))
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()


# Wired, printed, looked over


@pytest.mark.tries(
    "boneace wiring --svg wiring.svg",
    "boneace wiring --example --png wiring.png",
    "boneace wiring --rig --png rig.png",
)
def test_the_wiring_is_told_and_drawn(newcomer):
    newcomer.writes(pins())
    told = newcomer.run("boneace wiring --svg wiring.svg").out
    svg = newcomer.path("wiring.svg").read_text(encoding="utf-8")
    for button, pin in tomllib.loads(pins())["panel"]["console"].items():
        label = "have it" if button == "have" else button
        assert re.search(rf"^ +\d+ +{pin} +Console: {label} ", told, re.MULTILINE)
        assert f"Console: {label}<" in svg
        assert f">GPIO{pin}<" in svg
    newcomer.run("boneace wiring --example --png wiring.png")
    assert cv2.imread(str(newcomer.path("wiring.png"))).shape[1] == 1600
    newcomer.run("boneace wiring --rig --png rig.png")
    assert cv2.imread(str(newcomer.path("rig.png"))).shape == (900, 1000, 3)


@pytest.mark.tries(
    "boneace doctor buttons",
    "sudo boneace doctor buttons",
    "boneace doctor sound",
)
def test_the_doctor_looks_at_what_is_wired(newcomer):
    newcomer.writes(pins())
    for command in ("boneace doctor buttons", "sudo boneace doctor buttons"):
        assert "ok       buttons: 6 pins named" in newcomer.run(command).out
    assert re.match(r"\w+ +sound: ", newcomer.run("boneace doctor sound").out)


@pytest.mark.tries("boneace doctor", "sudo boneace doctor", "boneace doctor --json")
def test_the_doctor_says_what_is_missing_and_what_to_do(newcomer, house):
    newcomer.writes('[camera]\nspec = "/dev/no-such-camera"\n')
    told = newcomer.run("boneace doctor", status=1).out
    assert re.search(r"^problem +camera: .*\n +-> ", told, re.MULTILINE)
    assert "This needs neither camera nor buttons: boneace demo --headless" in told
    newcomer.sees(house.dealt)
    assert newcomer.run("sudo boneace doctor").out.endswith("No problem found.\n")
    checks = json.loads(newcomer.run("boneace doctor --json").out)
    assert [each["status"] for each in checks if each["title"] == "camera"] == ["ok"]


@pytest.mark.tries("boneace config --explain", "sudo boneace config", "sudo boneace config check")
def test_the_settings_explain_themselves(newcomer):
    newcomer.writes("[game]\nstake = 3\n")
    explained = newcomer.run("boneace config --explain").out
    assert tomllib.loads(explained)["game"]["stake"] in (1, 3)
    assert "# Tokens in one stake." in explained
    assert re.search(r"^stake = 3 .*config\.toml$", newcomer.run("sudo boneace config").out, re.M)
    assert "can be used" in newcomer.run("sudo boneace config check").out
    newcomer.writes("[game]\nstkae = 3\n[camera]\nspec = 3\n")
    wrong = newcomer.run("sudo boneace config check", status=1)
    told = wrong.out + wrong.err
    assert "game.stkae" in told
    assert "did you mean 'stake'" in told
    assert "camera.spec" in told


@pytest.mark.tries(
    "boneace mat --seats 6 --paper A1 -o mat.pdf",
    "boneace mat --seats 4 --paper A2 --tile A4 -o mat.pdf",
)
def test_the_mat_is_printed_whole_or_in_pieces(newcomer):
    from pypdf import PdfReader

    told = newcomer.run("boneace mat --seats 6 --paper A1 -o mat.pdf")
    assert "A1, 6 seats" in told.out
    assert "the bar on it measures 100 mm" in told.err
    assert len(PdfReader(newcomer.path("mat.pdf")).pages) == 1
    told = newcomer.run("boneace mat --seats 4 --paper A2 --tile A4 -o mat.pdf")
    pages = PdfReader(newcomer.path("mat.pdf")).pages
    assert len(pages) == int(re.search(r"the (\d+) pages on A4", told.err)[1]) > 4
    # What README says of A2: enough for four, and for five or six with four cards each.
    assert int(re.search(r"(\d+) cards side by side", told.out)[1]) > 4
    for seats in (5, 6):
        told = newcomer.run(f"boneace mat --seats {seats} --paper A2 -o mat.pdf")
        assert "4 cards side by side" in told.out


@pytest.mark.tries(
    "boneace card -o card.pdf",
    "boneace card --language fr --page A5 -o card.pdf",
)
def test_the_card_for_visitors_is_printed(newcomer):
    from pypdf import PdfReader

    told = newcomer.run("boneace card -o card.pdf")
    assert "in en, de, es, fr, nl" in told.out
    (page,) = PdfReader(newcomer.path("card.pdf")).pages
    assert "Deze tafel leest je kaarten" in page.extract_text()
    newcomer.run("boneace card --language fr --page A5 -o card.pdf")
    (page,) = PdfReader(newcomer.path("card.pdf")).pages
    assert page.extract_text().startswith("Cette table lit vos cartes")


@pytest.mark.tries(
    "boneace calibrate",
    "sudo boneace calibrate",
    "sudo boneace doctor camera",
    "boneace doctor camera",
)
def test_the_camera_is_looked_over(newcomer, house):
    newcomer.sees(save(newcomer.at / "mat", empty_mat()))
    assert "The mat for 4 (594x420 mm) is seen" in newcomer.run("sudo boneace calibrate").out
    assert "The lens hardly bends" in newcomer.run("boneace calibrate", more="--lens").out
    assert newcomer.run("sudo boneace doctor camera").out.startswith("ok       camera: ")
    dark = [picture // 16 for picture in empty_mat()]
    newcomer.sees(save(newcomer.at / "dark", dark))
    told = newcomer.run("boneace doctor camera", status=0).out
    assert re.match(r"warning +camera: .*dark", told)


# Taught


@pytest.mark.tries("sudo boneace teach deck heirloom")
def test_a_deck_is_taught_before_the_camera(newcomer, house):
    """Whoever stops goes on later, with the same command; here the first film ends early."""
    first, second = house.lessons
    newcomer.sees(first)
    told = newcomer.run("sudo boneace teach deck heirloom", status=1).out
    assert "Lay down the ace of spades, alone. (52 left)" in told
    assert "6 of 52 cards are taught" in told
    newcomer.sees(second)
    told = newcomer.run("sudo boneace teach deck heirloom", status=1).out
    assert "(52 left)" not in told
    assert "12 of 52 cards are taught" in told
    assert "To go on, give the same command again; what is taught stays." in told
    photograph(newcomer.at / "table.jpg", up="AS TS 2S", style="old")
    told = newcomer.run("boneace read --deck heirloom table.jpg")
    assert cards(told.out.strip()) == ({"AS", "TS", "2S"}, 2)


@pytest.mark.tries(
    "boneace teach deck grandmother --pictures pictures/*.jpg",
    "boneace teach deck grandmother",
    "boneace teach deck mine",
    "boneace read --deck grandmother table.jpg",
    "boneace play --deck grandmother",
    "boneace play --deck /media/stick/grandmother.deck",
)
def test_a_deck_is_taught_from_pictures_lent_and_brought_along(newcomer, house):
    (newcomer.at / "pictures").symlink_to(house.portraits)
    told = newcomer.run("boneace teach deck grandmother --pictures pictures/*.jpg", status=0).out
    assert "4 of 52 cards are taught" in told
    assert "missing: " in told
    newcomer.sees(house.lessons[0])
    told = newcomer.run("boneace teach deck grandmother", status=1).out
    assert "Lay down the two of spades" in told
    # Another name is another deck.
    told = newcomer.run("boneace teach deck mine", status=1).out
    assert "Lay down the ace of spades, alone. (52 left)" in told
    photograph(newcomer.at / "table.jpg", up="AS KS", style="old")
    told = newcomer.run("boneace read --deck grandmother table.jpg").out
    assert cards(told.strip())[0] == {"AS", "KS"}

    newcomer.sees(house.dealt)
    assert "They cut for the deal." in newcomer.run("boneace play --deck grandmother").out
    kept = newcomer.state / "decks" / "grandmother.deck"
    kept.rename(newcomer.stick / kept.name)
    newcomer.run("boneace play --deck grandmother", status=1)
    told = newcomer.run("boneace play --deck /media/stick/grandmother.deck")
    assert "Going on with hand 1 of Ann, Bess, Cecil, Doll" in told.out


@pytest.mark.tries(
    "boneace read table.jpg",
    "boneace teach bones brass",
    "sudo boneace teach bones brass",
    "boneace teach bones brass --from pictures/",
    "boneace read --bones brass table.jpg",
)
def test_bones_are_taught_and_read(newcomer, house):
    pictures, film = house.bones
    newcomer.finds(house.thrown, "table.jpg")
    (line,) = newcomer.run("boneace read table.jpg").out.splitlines()
    assert "4 bones: " in line

    newcomer.sees(film)
    told = newcomer.run("boneace teach bones brass", says="\n", status=1)
    assert "Stopped; the same command goes on from here." in told.err
    # Two pictures of a face are enough: n goes on to the next.
    told = newcomer.run("sudo boneace teach bones brass", says="\n\nn\n" * 4)
    assert "Going on with brass, shown so far: flat 1" in told.err
    assert told.err.count(" bones seen") == 8
    (newcomer.at / "pictures").symlink_to(pictures)
    told = newcomer.run("boneace teach bones brass --from pictures/")
    assert re.match(r"brass: \d+% of \d+ looks that were held out are told right", told.out)
    (line,) = newcomer.run("boneace read --bones brass table.jpg").out.splitlines()
    assert "4 bones: " in line
    assert "total 15" in line
