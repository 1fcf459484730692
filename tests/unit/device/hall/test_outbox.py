"""Which event a table sends next, and how far it goes on ahead of the slowest hall."""

from device.hall.publisher import AT_ONCE, LATER, MOST_HALLS, Outbox


def event(sitting, number, previous=None):
    before = [sitting, number - 1] if number else previous
    return {"sitting": sitting, "number": number, "previous": before}


def drain(outbox):
    """Send all that can be sent now; return the numbers."""
    sent = []
    while not outbox.is_full and (found := outbox.next()) is not None:
        outbox.has_sent(found)
        sent.append((found["sitting"], found["number"]))
    return sent


def online(outbox, hall, have, ask="a"):
    outbox.take_hall(hall, {"online": True})
    outbox.take_hall(hall, {"have": have, "ask": ask})


def test_without_a_hall_what_happens_is_sent_and_nothing_before():
    outbox = Outbox()
    assert not outbox.lacks(LATER)
    outbox.take_event(event(3, 7))
    assert drain(outbox) == [(3, 7)]
    assert not outbox.lacks(LATER)


def test_a_hall_that_comes_takes_it_back_to_what_that_hall_has():
    outbox = Outbox()
    for number in range(5):
        outbox.take_event(event(1, number))
    assert len(drain(outbox)) == 5
    online(outbox, "east", [1, 1])
    assert outbox.sent == (1, 1)
    assert outbox.lacks(LATER)
    for number in range(2, 5):
        outbox.take_event(event(1, number))
    outbox.is_unsure = False
    assert drain(outbox) == [(1, 2), (1, 3), (1, 4)]
    outbox.take_hall("east", {"have": [1, 4], "ask": "a"})
    assert outbox.sent == (1, 4), "what it has now is no question"
    outbox.take_hall("east", {"have": [1, 2], "ask": "b"})
    assert outbox.sent == (1, 2), "a new word is one"


def test_of_two_halls_the_lowest_counts_and_who_has_gone_does_not():
    outbox = Outbox()
    outbox.take_hall("west", {"have": None, "ask": "w"})
    online(outbox, "east", [1, 9])
    assert outbox.sent == (1, 9), "west is not online"
    outbox.take_hall("west", {"online": True})
    assert outbox.sent == (-1, -1)
    outbox.take_hall("west", {"online": False})
    assert list(outbox.halls) == ["east"]


def test_an_event_that_is_not_the_next_one_waits():
    outbox = Outbox()
    online(outbox, "east", [1, 1])
    outbox.take_event(event(1, 4))
    assert outbox.next() is None
    assert outbox.lacks(LATER)
    for number in (2, 3):
        outbox.take_event(event(1, number))
    assert drain(outbox) == [(1, 2), (1, 3), (1, 4)]
    outbox.take_event(event(5, 0, previous=[1, 4]))
    assert drain(outbox) == [(5, 0)], "sittings in between have no events"


def test_it_goes_no_further_ahead_of_the_slowest_hall_until_that_is_silent(caplog):
    outbox = Outbox()
    online(outbox, "east", [1, AT_ONCE])
    online(outbox, "slow", None)
    for number in range(AT_ONCE + 50):
        outbox.take_event(event(1, number))
    assert len(drain(outbox)) == AT_ONCE
    outbox.take_hall("slow", {"have": [1, 9], "ask": "a"})
    assert len(drain(outbox)) == 10
    outbox.pass_over_silent()
    assert "hall slow takes in nothing" in caplog.text
    assert len(drain(outbox)) == 40


def test_a_broker_that_lies_does_not_fill_the_memory():
    outbox = Outbox()
    for number in range(10 * MOST_HALLS):
        online(outbox, f"hall-{number}", None)
    for number in range(10 * AT_ONCE):
        outbox.take_event(event(1, number))
    assert len(outbox.halls) <= MOST_HALLS
    assert len(outbox._events) <= 2 * AT_ONCE
