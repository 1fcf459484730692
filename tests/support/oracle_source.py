"""Eyes that know what lies on a virtual table: people and croupier are tried without networks."""

from vision.readings import BackReading, CardReading, Place, Reading, UnsureReading


def reading_of(table, time_s=0.0, overlooked=(), unsure=(), mistaken=()):
    """Read the table as the best of readers would.

    *unsure* maps cards face up to their candidates, *mistaken* cards face down to what they seem.
    """
    cards, backs, doubts = [], [], []
    for each in table.cards:
        if each in overlooked:
            continue
        corners = tuple((float(x), float(y)) for x, y in table.quad(each))
        zone = table.layout.zone_at(each.x_mm, each.y_mm)
        place = Place(corners, (each.x_mm, each.y_mm), zone)
        if not each.face_up and each.card in mistaken:
            cards.append(CardReading(mistaken[each.card], 0.95, place))
        elif not each.face_up:
            backs.append(BackReading(0.99, place))
        elif each.card in unsure:
            doubts.append(UnsureReading(unsure[each.card], 0.5, place))
        else:
            cards.append(CardReading(each.card, 0.99, place))
    return Reading(time_s, tuple(cards), tuple(backs), tuple(doubts), table.layout.seats)


class KnowingEyes:
    """Looks once after each movement; *overlook* is asked which cards are not seen this time."""

    def __init__(self, table, overlook=lambda table: ()):
        self.table, self.overlook = table, overlook
        self.frame, self.trouble, self.ended = 0, None, False
        self.looked_at = None
        self.unsure = {}
        self.mistaken = {}

    def poll(self):
        self.frame += 1
        self.table.frame()
        now = self.table.fingerprint()
        if self.table.is_moving or now == self.looked_at:
            return ()
        self.looked_at = now
        overlooked = self.overlook(self.table)
        reading = reading_of(self.table, float(self.frame), overlooked, self.unsure, self.mistaken)
        if reading.cards:
            self.mistaken = {}
        return (reading,)

    def close(self):
        self.ended = True
