"""A header of buttons, knob and lamps that a test presses: gpiozero's mock pins."""

from gpiozero.pins.mock import MockFactory

from device.hardware.buttons import GpioPanel, Pins
from device.ports import Button

CONSOLE = {
    Button.HAVE: 17, Button.STICK: 27, Button.NEXT: 22, Button.UNDO: 5, Button.MENU: 6,
    Button.PUSH: 25,
}  # fmt: skip
SEAT_PINS = {0: (2, 3, 4), 1: (14, 15, 12), 2: (7, 8, 13), 3: (9, 10, 19)}
PINS = Pins(
    {
        **{(button, None): pin for button, pin in CONSOLE.items()},
        **{(Button.HAVE, seat): pins[0] for seat, pins in SEAT_PINS.items()},
        **{(Button.STICK, seat): pins[1] for seat, pins in SEAT_PINS.items()},
    },
    {seat: pins[2] for seat, pins in SEAT_PINS.items()},
    attention_lamp=16,
    knob=(23, 24),
    buzzer=18,
)


class Header:
    """Buttons, knob and lamps on mock pins."""

    def __init__(self, clock, pins=PINS):
        self.clock = clock
        self.pins = pins
        self.factory = MockFactory()
        self.panel = GpioPanel(pins, clock=clock, pin_factory=self.factory)

    def press(self, button, seat=None):
        """Push and let go, as long as a finger takes; or turn the knob by one step."""
        if button in (Button.LEFT, Button.RIGHT):
            ahead, behind = self.pins.knob
            phases = (ahead, behind) if button is Button.RIGHT else (behind, ahead)
            for pin in phases:
                self.factory.pin(pin).drive_low()
            for pin in phases:
                self.factory.pin(pin).drive_high()
            return
        self.press_at_once((button, seat))

    def press_at_once(self, *keys):
        """Push several buttons, each ``(button, seat)``, together, and let go of them."""
        pins = [self.factory.pin(self.pins.buttons[key]) for key in keys]
        for pin in pins:
            pin.drive_low()
            self.clock.wait(0.01)
        self.clock.wait(0.1)
        for pin in pins:
            pin.drive_high()
        self.clock.wait(0.1)

    def lit(self):
        """Return the seats whose lamps have current."""
        lamps = self.pins.turn_lamps.items()
        return {seat for seat, pin in lamps if self.factory.pin(pin).state}

    def close(self):
        self.panel.close()
        self.factory.reset()
