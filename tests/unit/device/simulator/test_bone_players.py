"""Whole rounds of One-and-Twenty: people throw drawn bones, the eyes are replaced by the truth."""

import pytest

from device.clock import HandClock
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.bone_players import BonePlayers
from device.simulator.bone_table import BonesTable
from device.simulator.demo import BoneTally, Demo
from device.storage.journal.journal import Journal
from engine import EVERYTHING, Player, legal_actions, view
from engine.core.bones import Face
from vision.mat.pose import MatLayout
from vision.readings import BoneReading, Reading, Spot, UnsureBoneReading

pytestmark = pytest.mark.slow


class TrueEyes:
    """Reads what lies there, once the bones rest; *unsure* of some for the first time."""

    def __init__(self, table, unsure=()):
        self.table, self.unsure = table, set(unsure)
        self.frame, self.trouble, self.ended, self.last = 0, None, False, None
        self.misread = {}

    def poll(self):
        self.frame += 1
        if self.table.is_moving:
            self.table.frame()
            return ()
        now = self.table.fingerprint()
        if now == self.last:
            return ()
        self.last = now
        bones, unsure = [], []
        for number, (centre, face) in enumerate(self.table.lying()):
            x, y = centre
            spot = Spot(((x, y), (x + 9, y), (x, y + 9)), (x, y), centre)
            if face is None:
                unsure.append(UnsureBoneReading((), 0.2, spot))
            elif number in self.unsure:
                unsure.append(UnsureBoneReading((Face.FLAT, face), 0.4, spot))
            else:
                bones.append(BoneReading(self.misread.get(face, face), 0.99, spot))
        return (
            Reading(float(self.frame), seats=3, bones=tuple(bones), unsure_bones=tuple(unsure)),
        )

    def close(self):
        self.ended = True


@pytest.fixture
def evening(tmp_path):
    journals = []

    def begin(styles=("cautious", "bold", "exact"), seed=3, unsure=(), **options):
        journal = Journal(tmp_path / f"{len(journals)}.sqlite3")
        journals.append(journal)
        clock = HandClock()
        company = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
        session = Session.begin(journal, clock, "knucklebones", company, dealer=2, options=options)
        table = BonesTable(MatLayout(3), seed=seed, size=(160, 120))
        people = BonePlayers(
            table,
            styles,
            session.state.setup.options,
            lambda: legal_actions(session.state),
            lambda: session.view,
        )
        eyes = TrueEyes(table, unsure)
        tally = BoneTally(table.lying, table.fingerprint)
        demo = Demo(
            TableController(session, eyes, [], clock), people, clock,
            tally=tally, fingerprint=table.fingerprint, say=lambda line: None,
        )  # fmt: skip
        return demo, table, eyes

    yield begin
    for journal in journals:
        journal.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rounds_are_played_to_the_end_and_sum_to_zero(evening, seed):
    demo, _, _ = evening(seed=seed)
    assert demo.run(3)
    assert len(demo.session.state.hands) == 3
    for hand in demo.session.state.hands:
        assert sum(dict(hand.settlement).values()) == 0
        assert str(hand.end) in ("compared", "all-bust")
    assert demo.tally.read == demo.tally.laid
    assert not demo.tally.wrong


def test_what_is_thrown_is_what_the_game_counts(evening):
    demo, table, _ = evening()
    thrown = []
    throw = table.throw

    def noting(by, count, **more):
        faces = throw(by, count, **more)
        thrown.append((by, sorted(face.points for face in faces if face is not None)))
        return faces

    table.throw = noting
    demo.run(1)
    counted = [
        (seat.seat, sorted(each))
        for seat in view(demo.session.state, EVERYTHING).seats
        for each in seat.throws
    ]
    assert sorted(counted) == sorted(thrown)


def test_people_know_their_own_total_when_they_choose(evening):
    demo, _, _ = evening(styles=("cautious",) * 3)
    demo.run(4)
    for hand in demo.session.state.hands:
        totals = dict(hand.totals)
        assert totals
    assert not any("“5 more bones.”" in line for line in demo.lines), "nobody asks for five on 15"


def test_unsure_bones_are_answered_by_looking_at_them(evening):
    demo, _, _ = evening(unsure=(0, 3))
    demo.run(1)
    assert demo.app.asked > 2
    assert str(demo.tally.line(2)).startswith(f"Bones read: {len(demo.tally.read)} of ")
    assert len(demo.tally.read) < len(demo.tally.laid)


def test_misread_bones_are_told(evening):
    demo, _, eyes = evening()
    eyes.misread = {Face.CONCAVE: Face.CONVEX}
    demo.run(1)
    assert demo.tally.wrong
    assert "wrongly" in demo.lines[-1]


def test_one_bone_at_a_time(evening):
    demo, _, _ = evening(extra_mode="one_at_a_time")
    assert demo.run(2)
    assert len(demo.session.state.hands) == 2
