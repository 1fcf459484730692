"""The drawn deck of the simulator."""
