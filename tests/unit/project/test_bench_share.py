"""The line that owners send in on how fast their machine is."""

from benchmarks import share
from benchmarks.chain import Chain, Played, Running


def test_the_line_has_a_cell_for_each_column_and_the_medians(monkeypatch, tmp_path):
    board = tmp_path / "model"
    board.write_text("Raspberry Pi 5 | Model B Rev 1.0\0")
    name = share.machine(board)
    monkeypatch.setattr(share, "machine", lambda: name)
    chains = [Chain(whole, 100.0, 20.0, 5.0, 4.0) for whole in (120.0, 131.0, 400.0)]
    played = Played({"a card dealt": chains[:2], "a card cut": chains[2:]}, 0, [3.0, 7.0, 40.0])
    running = Running([0.8, 0.9, 2.0], 240.0, 250.0, 310.0, 0.05, 0.12)
    told = share.line(played, {"24 cards": 81.2, "one changed": 17.7}, running)
    cells = [cell.strip() for cell in told.strip("|").split("|")]
    assert len(cells) == len(share.COLUMNS)
    assert cells[0] == "Raspberry Pi 5 / Model B Rev 1.0"
    assert cells[3:] == ["131", "7", "81", "18", "0.9", "5.0%", "310"]


def test_a_machine_that_is_no_board_is_told_by_its_processor(tmp_path):
    processor = tmp_path / "cpuinfo"
    processor.write_text("processor\t: 0\nmodel name\t: Some  Processor @ 2.00GHz\n")
    assert share.machine(tmp_path / "none", processor) == "Some Processor @ 2.00GHz"
    assert share.machine(tmp_path / "none", tmp_path / "none") == share.platform.machine()
