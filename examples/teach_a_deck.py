"""Teach a deck from pictures: ``python examples/teach_a_deck.py FOLDER`` with AH.jpg, TD.jpg."""

import sys
from pathlib import Path

import cv2

from device.storage.custom_sets import save_set
from engine import Card
from vision.cards.custom_deck import CustomDeck
from vision.cards.enrolment import DeckEnrolment

folder = Path(sys.argv[1])
teacher = DeckEnrolment(CustomDeck(name=folder.name))
for path in sorted(folder.glob("*.jpg")):
    print(path.name, teacher.show(cv2.imread(str(path)), Card.parse(path.stem)).status)
save_set(teacher.deck, folder / f"{folder.name}.deck")
print(teacher.left, "cards are still to be shown")
