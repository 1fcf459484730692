"""Pages and an interface for browsers: one process beside the table, fed by :mod:`device.feed`."""
