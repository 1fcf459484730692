"""``boneace check``: deal a deck past the camera, and hear which cards are missing or too many."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence

from device.commands.common import add_camera, add_thing
from device.commands.follow_camera import follow_camera
from device.ports import Frame
from device.storage.taught import find_deck
from engine.core.cards import Card
from engine.core.messages.words import card_words
from engine.core.text.counted import counted
from vision import Reading, TableReader
from vision.tracking.deck_check import PATIENCE_S, DeckCheck, DeckFindings

LOWEST = {52: 2, 36: 6, 32: 7}
"""The lowest rank beside the ace, by the cards of a pack."""

ANY = 8
"""Packs that the reader takes for possible: what lies there twice is told, not doubted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace check deck --camera /dev/video0"
    summary = "whether a deck is whole: deal it face up, singly, onto a heap or in rows"
    deck = add_thing(parser, "deck", summary)
    add_camera(deck)
    deck.add_argument(
        "--cards", type=int, choices=LOWEST, default=52, help="cards of a pack; default: 52"
    )
    deck.add_argument(
        "--decks", type=int, choices=range(1, 5), default=1, help="packs that belong to it"
    )
    deck.add_argument("--deck", metavar="NAME", help="a deck taught before, or its file")
    deck.add_argument("--json", action="store_true", help="the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Watch until somebody ends it, or the film is over; return 1 unless the deck is whole."""
    check, lowest = DeckCheck(), LOWEST[args.cards]
    told = 0

    def see(frame: Frame, reading: Reading) -> None:
        nonlocal told
        check.see(reading, frame.image)
        seen = check.findings(args.decks, lowest).seen
        if seen != told and not args.json:
            print(f"{seen} of {args.decks * args.cards}", flush=True)
        told = seen

    reader = TableReader(packs=ANY, deck=find_deck(args.deck))
    greeting = "" if args.json else "Deal the deck face up. Ctrl-C when all cards have been dealt."
    if not follow_camera("check", args.camera, reader, see, greeting, PATIENCE_S):
        return 1
    found = check.findings(args.decks, lowest)
    print(json.dumps(as_json(found)) if args.json else "\n".join(as_text(found)))
    return int(not found.is_whole)


def as_json(found: DeckFindings) -> dict[str, object]:
    """Return what was found as JSON data."""
    return {
        "seen": found.seen,
        "missing": list(map(str, found.missing)),
        "surplus": list(map(str, found.surplus)),
        "foreign": list(map(str, found.foreign)),
        "jokers": found.jokers,
        "doubtful": [list(map(str, pair)) for pair in found.doubtful],
        "whole": found.is_whole,
    }


def as_text(found: DeckFindings) -> Sequence[str]:
    """Return what was found in lines for people."""
    lines = [f"{counted(found.seen, 'card')} dealt."]
    if found.missing:
        lines.append(f"Missing: {_names(found.missing)}.")
    if found.surplus:
        lines.append(f"Too many: {_names(found.surplus)} (or dealt twice).")
    foreign = [_names(found.foreign)] if found.foreign else []
    foreign += [counted(found.jokers, "joker")] if found.jokers else []
    if foreign:
        lines.append(f"Not of this deck: {', '.join(foreign)}.")
    for names in found.doubtful:
        either = " or ".join(str(card_words(card)) for card in names)
        lines.append(f"Not sure: {either}? Deal all of it again.")
    if found.is_whole:
        lines.append("The deck is whole.")
    return lines


def _names(cards: Sequence[Card]) -> str:
    times = Counter(cards)
    return ", ".join(
        f"{card_words(card)}{f' ({n} times)' if n > 1 else ''}" for card, n in times.items()
    )
