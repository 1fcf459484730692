"""Buttons and lamps without a Pi: gpiozero's mock pins stand in for the header."""

from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.hardware.buttons import GpioPanel, Pins
from device.ports import Button, Lamps

pins, header = Pins({(Button.STICK, 0): 17}, turn_lamps={0: 27}), MockFactory(pin_class=MockPWMPin)
with GpioPanel(pins, pin_factory=header, settle_s=0) as panel:
    panel.show(Lamps(turn=0))
    header.pin(17).drive_low()
    header.pin(17).drive_high()
    for press in panel.poll(time_s=1.0):
        print(f"seat {press.seat} pressed {press.button}")
