"""Camera, buttons, lamps and screen: everything that touches the machine."""
