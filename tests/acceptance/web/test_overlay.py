"""Overlay and scoreboard of many players: each plate whole, whatever side of the picture it is."""

import httpx
import pytest

from engine import Phase
from tests.support.played_table import PlayedTable
from tests.support.web_service import served, until

pytestmark = pytest.mark.slow

NAMES = (
    "Bartholomeus",
    "Wilhelminana",
    "Maximilianus",
    "Gwendolynnea",
    "Christabelle",
    "Featherstone",
    "Quatermasten",
    "MMMMMMMMMMMM",
)
SIZES = ((1920, 1080), (960, 540))
LEAST = 14 / 1080
"""The smallest letters, as a share of the lines of the picture."""

CUT = """
const [least] = arguments, found = [];
const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1
  && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
const apart = (a, b) => a.right <= b.left || b.right <= a.left
  || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
const screen = new DOMRect(0, 0, innerWidth, innerHeight), boxes = [];
for (const box of document.querySelectorAll("#ask, .plate")) {
  const room = box.getBoundingClientRect();
  if (!inside(room, screen)) found.push(["outside", box.textContent]);
  if (!boxes.every((other) => apart(room, other))) found.push(["above", box.textContent]);
  boxes.push(room);
  const parts = [...box.querySelectorAll(".mark, .card, .bone")], rects = [];
  const words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const word = words.currentNode, holder = word.parentElement;
    if (!word.data.trim() || holder.closest(".heard")) continue;
    const size = parseFloat(getComputedStyle(holder).fontSize);
    if (size < least) found.push([size, holder.outerHTML]);
    if (holder.closest(".mark, .card, .bone")) continue;
    parts.push(document.createRange());
    parts.at(-1).selectNode(word);
  }
  for (const rect of parts.flatMap((part) => [...part.getClientRects()])) {
    if (!inside(rect, room)) found.push(["cut", box.textContent]);
    if (!box.matches("#ask") && !rects.every((other) => apart(rect, other)))
      found.push(["one on the other", box.outerHTML]);
    rects.push(rect);
  }
}
return found;
"""
"""What of the plates is outside the picture or its plate, or too small."""


PAGES = ("board", *(f"overlay?position={place}" for place in ("top", "bottom", "left", "right")))

LEAST_OF_ROOM = """
return [...document.querySelectorAll(".plate")].map((plate) => {
  const cards = [...plate.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
  const room = plate.querySelector(".cards").getBoundingClientRect();
  const [wide, high] = [["right", "left"], ["bottom", "top"]].map(([end, start]) =>
    Math.max(...cards.map((card) => card[end])) - Math.min(...cards.map((card) => card[start])));
  return Math.max(wide / room.width, high / plate.querySelector(".held").offsetHeight);
});
"""
"""How much of the room beside the total the cards of each plate take, in height or in width."""


def are_whole(browser, table, url):
    number = table.session.events - 1
    until(lambda: httpx.get(f"{url}/api/state").json()["number"] == number)
    for page in PAGES:
        for size in SIZES:
            browser.open(f"{url}/{page}{'&' if '?' in page else '?'}lang=de", size)
            plates = browser.run("return document.querySelectorAll('.plate').length")
            assert plates == len(table.session.view.seats)
            assert browser.run(CUT, LEAST * size[1]) == [], (page, size)


@pytest.mark.parametrize(
    ("game", "seats"),
    [*(("bone-ace", n) for n in range(4, 9)), ("scat", 7), ("knucklebones", 8)],
)
def test_no_plate_is_cut(tmp_path, browser, game, seats):
    with (
        PlayedTable(tmp_path / "table", game, seats=seats, names=NAMES) as table,
        served(table.path) as url,
    ):
        table.go_on(5 * seats)
        are_whole(browser, table, url)
        while table.session.view.phase is not Phase.DONE:
            table.go_on()
        are_whole(browser, table, url)
        if game == "bone-ace":
            browser.open(f"{url}/board", SIZES[0])
            shares = browser.run(LEAST_OF_ROOM)
            assert min(shares) > 0.6, "cards are as large as the room gives"
