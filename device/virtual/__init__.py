"""The virtual table: a mat, cards, light, arms and people that exist only as pictures."""

from device.virtual.camera import VirtualCamera
from device.virtual.people import VirtualPeople
from device.virtual.table import VirtualTable

__all__ = ["VirtualCamera", "VirtualPeople", "VirtualTable"]
