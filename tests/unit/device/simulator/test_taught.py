"""The drawn deck without indices, as if it had been taught."""

import numpy as np

from device.simulator.deck.faces import draw_face
from device.simulator.deck.taught import taught
from vision.cards.classifier import CARDS
from vision.cards.geometry import READ


def test_each_card_of_the_deck_is_learnt_from_its_face():
    deck = taught("old")
    assert not deck.missing()
    for card in CARDS[::17]:
        (crop,) = deck.looks[card]
        assert crop.shape == (READ.height, READ.width, 3)
        middle = crop[READ.margin_y : -READ.margin_y, READ.margin_x : -READ.margin_x]
        face = draw_face(card, "old")[..., :3]
        assert abs(float(middle.mean()) - float(np.mean(face))) < 12
