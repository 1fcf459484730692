"""The clocks, and the pauses between attempts."""

from device.clock import Backoff


def test_pauses_double_to_the_longest_and_start_over():
    backoff = Backoff(longest_s=8.0)
    assert [backoff.next_s() for _ in range(6)] == [1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    backoff.reset()
    assert backoff.next_s() == 1.0
