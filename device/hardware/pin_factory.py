"""The GPIO driver: gpiozero's own choice, or the chip that the config names."""

from __future__ import annotations

from typing import Any

from device.hardware.buttons import PanelError


def pin_factory(chip: int) -> Any:
    """Return gpiozero's factory of pins for ``/dev/gpiochipN``, or ``None`` for its own choice.

    Args:
        chip: N; -1 leaves the choice to gpiozero, which knows every Raspberry Pi.

    Raises:
        PanelError: lgpio is not installed, or there is no such chip.
    """
    if chip < 0:
        return None
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as problem:
        raise PanelError(
            f"panel.chip: {chip} needs lgpio, which is not installed; run: sudo apt install "
            "python3-lgpio, or leave the key out"
        ) from problem
    try:
        return LGPIOFactory(chip=chip)
    except Exception as problem:
        # gpiozero raises a family of its own, and lgpio one of its own.
        raise PanelError(
            f"panel.chip: /dev/gpiochip{chip} cannot be used ({problem}); look which there are: "
            "ls -l /dev/gpiochip*, or leave the key out"
        ) from problem
