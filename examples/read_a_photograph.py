"""Read the cards on a photograph: ``python examples/read_a_photograph.py table.jpg``."""

import sys

import cv2

from vision import TableReader

reading = TableReader().read(cv2.imread(sys.argv[1]))
for card in reading.cards:
    print(card.card, f"{card.confidence:.2f}", card.place.corners)
for doubtful in reading.unsure:
    print("unsure:", *doubtful.candidates)
print(len(reading.backs), "face down")
