"""What may be agreed, told by the rules that hang on it."""

import pytest

from engine.core.options import OneOf, OptionError, build, describe, parse_changes
from engine.games import catalog
from engine.games.agreed import agreements, changed

OPTIONS = [(game, info) for game in catalog.all_games() for info in describe(game.options_type)]


def found(game, preset, **changes):
    game = catalog.find(game)
    told = agreements(game, catalog.find_preset(game, preset), changes)
    return {each.name: each for each in told}


def test_every_option_with_a_choice_can_be_agreed_by_some_rules():
    offered = {
        (game.name, name)
        for game in catalog.all_games()
        for preset in game.presets
        for name in found(game.name, preset.name)
    }
    # The stake has a key of its own; suits matter with two packs and three of a kind.
    offered |= {(game.name, "stake") for game in catalog.all_games()}
    offered |= {("scat", name) for name in found("scat", "three-of-a-kind", decks=2)}
    missing = [
        (game.name, info.name)
        for game, info in OPTIONS
        if (game.name, info.name) not in offered
        and not (isinstance(info.choices, OneOf) and len(info.choices.values) == 1)
    ]
    assert missing == [], "write rules for each value: rules() of its game must tell them apart"


def test_a_value_is_told_by_its_own_sentence_and_by_its_absence():
    tie = found("scat", "wikipedia")["knock_tie"]
    assert str(tie.sentence) == "A knocker tied for lowest is safe; the others tied lose one."
    assert list(tie.rules) == ["safe", "both", "knocker_only", "all_lose"]
    assert (tie.value, tie.is_changed) == ("safe", False)
    three = found("scat", "wikipedia")["three_kind"]
    assert three.rules["off"] == ()
    assert str(three.sentence) == "Three cards of one rank count 30½; all such hands are equal."


def test_what_is_changed_and_what_it_makes_possible():
    assert "ante" not in found("scat", "wikipedia")
    by_ante = found("scat", "wikipedia", scoring="ante")
    assert by_ante["scoring"].is_changed
    assert "ante" in by_ante
    assert "knock_tie" not in by_ante
    game = catalog.find("scat")
    preset = game.presets[0]
    options = catalog.make_options(game, preset, {"scoring": "ante", "deck": 32})
    assert changed(game, preset, options) == ("deck", "scoring")


def test_of_values_that_make_the_same_rules_the_one_in_force_is_kept():
    late = found("one-and-thirty", "davis", late_31="double")["late_31"]
    assert list(late.rules) == ["in_order", "double"]


def test_davis_says_once_who_begins():
    page = [
        str(rule)
        for game in [catalog.find("bone-ace")]
        for section in game.rules(
            catalog.make_options(game, catalog.find_preset(game, "davis"), {})
        )
        for rule in section.rules
    ]
    begins = [text for text in page if "begins" in text]
    assert len(begins) == 1
    assert begins[0].startswith("Whoever has the Bone begins")


@pytest.mark.parametrize("game", ["stop-the-bus", "stop-the-bus-plain"])
def test_stop_the_bus_has_no_word_of_drawing(game):
    scat = catalog.find("scat")
    preset = catalog.find_preset(scat, game)
    for info in describe(scat.options_type):
        for value in info.choices.values if isinstance(info.choices, OneOf) else ():
            if info.name in ("table", "scoring"):
                continue  # another game
            options = catalog.make_options(scat, preset, {info.name: value})
            text = " ".join(str(r) for s in scat.rules(options) for r in s.rules).lower()
            assert not any(word in text for word in ("draw", "stock", "discard")), info.name


@pytest.mark.parametrize(
    ("game", "text", "value"),
    [
        ("scat", "blitz_after_knock=no", "no"),
        ("scat", "blitz = no", False),
        ("scat", "blitz=TRUE", True),
        ("scat", "lives=4", 4),
        ("scat", "deck=32", 32),
        ("one-and-thirty", "ace_value=1or11", "1or11"),
        ("one-and-thirty", 'late_31="single"', "single"),
        ("one-and-thirty", "late_31=never", "never"),
    ],
)
def test_a_value_may_be_written_as_people_write_it(game, text, value):
    kind = catalog.find(game).options_type
    (read,) = parse_changes(kind, [text]).values()
    assert (type(read), read) == (type(value), value)


def test_a_value_that_is_no_choice_is_refused_with_the_choices():
    game = catalog.find("one-and-thirty")
    with pytest.raises(OptionError, match="'never' is not allowed; choose 'in_order', 'single'"):
        build(game.options_type, game.name, game.presets[0], {"late_31": "never"})
    with pytest.raises(OptionError, match="'maybe' is not allowed; choose true, false"):
        build(game.options_type, game.name, game.presets[0], {"double_on_31": "maybe"})
    with pytest.raises(OptionError, match="has no value"):
        parse_changes(game.options_type, ["late_31"])
