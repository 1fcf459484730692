"""What strangers may write: JSON, records, TOML and databases made up by hypothesis.

Shared by the suite, which tries some, and by fuzz.py, which tries many more.
"""

import copy
import json
import sqlite3

from hypothesis import strategies as st

ODD_TEXT = st.sampled_from(
    [
        "Ann\x1b[2J\x1b]0;owned\x07",
        "Robert'); DROP TABLE sittings;--",
        "\u202egnitirw",
        "x" * 300,
        "",
        "\0",
        "😀" * 30,
        "{name}%s%(name)s",
        "../../etc/passwd",
    ]
)
ODD_NUMBER = st.sampled_from(
    [-1, 0, 1, 2**31, 2**63, 10**40, -(10**30), 1.5, float("inf"), float("nan"), True, 1e308]
)
LEAF = st.none() | st.booleans() | ODD_NUMBER | st.integers() | ODD_TEXT | st.text(max_size=8)
ANYTHING = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)

EVENTS = st.sampled_from(
    [
        {"e": "deal", "seat": 0, "card": "??"},
        {"e": "deal", "seat": 1, "card": "AH", "face": "up"},
        {"e": "have", "seat": 0},
        {"e": "stick", "seat": 1},
        {"e": "undo"},
        {"e": "misdeal", "reason": "x"},
        {"e": "next_hand"},
        {"e": "join", "seat": 3, "name": "Doll"},
        {"e": "leave", "seat": 1},
        {"e": "roll", "seat": 0, "faces": [1, 3, 4, 6, 1]},
        {"e": "stake", "seat": 0, "amount": 3},
        {"e": "correct", "was": "AH", "card": "KC", "seat": 1},
        {"e": "cut", "seat": 0, "card": "7H"},
    ]
)
CASE = st.fixed_dictionaries(
    {
        "game": st.sampled_from(["bone-ace", "one-and-thirty", "scat", "knucklebones"]),
        "players": st.just(
            [{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bess"}, {"seat": 2, "name": "Cy"}]
        ),
        "dealer": st.sampled_from([None, 2]),
        "events": st.lists(EVENTS.map(copy.deepcopy), max_size=12),
    },
    optional={
        "expect": st.fixed_dictionaries(
            {}, optional={"hands": ANYTHING, "rejected": ANYTHING, "state": ANYTHING}
        ),
        "options": st.dictionaries(st.sampled_from(["stake", "decks"]), ANYTHING, max_size=2),
        "preset": ANYTHING,
        "start": ANYTHING,
        "stakes": ANYTHING,
    },
)


@st.composite
def spoilt(draw, document=CASE, changes=3):
    """A document with some of its values exchanged for anything."""
    made = copy.deepcopy(draw(document))
    for _ in range(draw(st.integers(0, changes))):
        _exchange(draw, made)
    return made


def _exchange(draw, made):
    at = made
    while True:
        places = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not places:
            return
        place = draw(st.sampled_from(places))
        if isinstance(at[place], dict | list) and draw(st.booleans()):
            at = at[place]
            continue
        if draw(st.booleans()):
            at[place] = draw(ANYTHING)
        elif isinstance(at, dict):
            at[draw(st.text(max_size=6))] = draw(ANYTHING)
        else:
            del at[place]
        return


def text_of(document):
    """Return the document as JSON; NaN and numbers without end as Python writes them."""
    return json.dumps(document)


TABLES = ("game", "camera", "panel", "display", "sound", "booth", "journal", "power", "strange")
KEYS = (
    *("name", "preset", "players", "stake", "dealer", "options", "spec", "backend", "console"),
    *("knob", "seats", "attention_lamp", "buzzer", "interfaces", "width", "language", "theme"),
    *("volume", "voice", "idle_s", "enabled", "path", "odd"),
)
VALUES = st.sampled_from(
    [
        *("1", "-1", "0", "99999999999999999999", "1.5", "nan", "inf", "true", '""', '"x"'),
        *("[]", "[1]", '["Ann", "Bess"]', "{}", "{have = 17}", "{have = {have = 1}}", "1979-05-27"),
        *('"\\u001b[2J"', '["\\u001b[2J", "b"]', "[[[]]]", "{a = 22}", "{0 = {lamp = 4}}"),
        '"' + "x" * 300 + '"',
    ]
)
TOML = st.lists(st.tuples(st.sampled_from(TABLES), st.sampled_from(KEYS), VALUES), max_size=8).map(
    lambda rows: "\n".join(f"{table}.{key} = {value}" for table, key, value in rows)
) | st.text(max_size=60)


@st.composite
def damage(draw, size):
    """Places in a file of *size* bytes, and what stands there instead; and where it is cut."""
    turned = draw(st.lists(st.tuples(st.integers(0, size - 1), st.binary(max_size=40)), max_size=5))
    return turned, draw(st.none() | st.integers(0, size))


def damaged(whole, harm):
    """Return *whole* with that done to it."""
    turned, end = harm
    data = bytearray(whole)
    for at, instead in turned:
        data[at : at + len(instead)] = instead
    return bytes(data[:end])


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["events.event", "sittings.options", "sittings.players", "sittings.game"]),
        ANYTHING.map(json.dumps) | st.text(max_size=20),
    ),
    min_size=1,
    max_size=4,
)


def spoil_rows(path, rows):
    """Write *rows* over what stands in a journal, as a stranger with a database tool would."""
    db = sqlite3.connect(path)
    for where, value in rows:
        table, column = where.split(".")
        first = "number = 1"
        text = value.encode("utf-8", "replace").decode("utf-8")
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {first}", (text,))
    db.commit()
    db.close()
