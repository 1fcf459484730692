"""Tokens that are worth money: --token-value, the ledger, settling up, the booth's settings."""

import csv
import io
import json

import pytest

from device.booth import preferences
from device.booth.preferences import TOKEN_VALUES
from device.cli import main
from device.config.model import Config, GameConfig
from device.storage.journal.reader import JournalReader
from display.i18n.money import MoneyError, token_value, token_value_in, written
from engine.core.messages.message import Money
from tests.unit.device.commands.test_play_by_hand import Table

PLAYED = ("have:0", "stick:0", "stick:1", "KS", "QS", "3D", "8D")
"""Ann's 31 wins two tokens from Bess."""


class PaidTable(Table):
    """A table that plays for a quarter."""

    def __init__(self, folder, *money):
        super().__init__(folder)
        self.money = money

    def play(self, game, *words):
        return super().play(game, *words, *self.money)

    def ledger(self, capsys, *words):
        capsys.readouterr()
        assert main(["ledger", "--journal", str(self.journal), *words]) == 0
        return capsys.readouterr().out


@pytest.fixture
def table(tmp_path):
    found = PaidTable(tmp_path, "--token-value", "0,25", "--currency", "gbp")
    found.by_hand("one-and-thirty", *PLAYED)
    return found


def test_the_sitting_keeps_what_a_token_is_worth_and_no_record_does(table):
    with JournalReader(table.journal) as kept:
        (sitting,) = kept.sittings()
    assert dict(sitting.settings) == {"token_value": "0.25", "currency": "GBP"}
    assert "0.25" not in json.dumps(table.record())


def test_the_ledger_tells_tokens_and_money(table, capsys):
    assert table.ledger(capsys).splitlines()[-1].split() == ["GBP", "0.50", "-0.50"]
    rows = list(csv.DictReader(io.StringIO(table.ledger(capsys, "--csv"))))
    assert [(row["net"], row["net_money"], row["currency"]) for row in rows] == [
        ("2", "0.50", "GBP"),
        ("-2", "-0.50", "GBP"),
    ]
    (told,) = json.loads(table.ledger(capsys, "--json"))["sittings"]
    assert told["token_value"] == {"money": "0.25", "currency": "GBP"}
    assert [player["money"] for player in told["players"]] == ["0.50", "-0.50"]


def test_tokens_of_another_value_are_settled_by_themselves(table, capsys):
    table.money = ("--token-value", "2", "--currency", "JPY", "--new")
    table.by_hand("one-and-thirty", *PLAYED)
    assert table.ledger(capsys, "--settle").splitlines() == [
        "Bess pays Ann: 2 (£0.50)",
        "Bess pays Ann: 2 (¥4)",
    ]
    paid = json.loads(table.ledger(capsys, "--settle", "--json"))["payments"]
    assert [(each["money"], each["currency"]) for each in paid] == [("0.50", "GBP"), ("4", "JPY")]


def test_without_money_nothing_is_said_of_it(tmp_path, capsys):
    table = PaidTable(tmp_path)
    table.by_hand("one-and-thirty", *PLAYED)
    assert table.ledger(capsys, "--settle") == "Bess pays Ann: 2\n"
    assert "GBP" not in table.ledger(capsys)


@pytest.mark.parametrize(
    ("money", "said"),
    [
        (("--token-value", "0.255"), "EUR has 2 decimals"),
        (("--token-value", "0"), "is no value of a token"),
        (("--token-value", "1e3"), "is no value of a token"),
        (("--token-value", "1", "--currency", "XXQ"), "is no currency"),
        (("--currency", "EUR"), "no token value is set"),
    ],
)
def test_what_no_token_can_be_worth_is_refused(tmp_path, capsys, money, said):
    assert Table(tmp_path).play("scat", "--no-camera", *money) == 1
    assert said in capsys.readouterr().err


def test_an_unfinished_game_keeps_its_value(tmp_path, capsys):
    table = PaidTable(tmp_path, "--token-value", "0.25")
    table.by_hand("one-and-thirty", *PLAYED[:2])
    table.money = ("--token-value", "0.250")
    table.by_hand("one-and-thirty")
    table.money = ("--token-value", "0.50")
    assert table.play("one-and-thirty", "--no-camera") == 2
    assert "--token-value 0.50 (the unfinished game has 0.25)" in capsys.readouterr().err


def test_the_booth_offers_what_the_currency_has(tmp_path):
    now = preferences.of_config(Config(game=GameConfig(token_value="0.05")))
    assert now.next_token_value("EUR").token_value == "0.10"
    seen = []
    for _ in TOKEN_VALUES:
        now = now.next_token_value("JPY")
        seen.append(now.token_value)
    assert set(seen) == {"", "1", "2", "5", "10"}
    assert preferences.save(tmp_path, now.next_token_value("EUR", step=-1))
    kept = preferences.load(tmp_path, Config(game=GameConfig(currency="JPY")))
    assert not kept.token_value or kept.token_value in seen


def test_every_language_writes_an_amount_its_own_way():
    lost = Money(-125, "EUR")
    told = {language: written(lost, language) for language in ("en", "de", "fr", "es", "nl")}
    assert told == {
        "en": "-€1.25",
        "de": "-1,25\xa0€",
        "fr": "-1,25\xa0€",
        "es": "-1,25\xa0€",
        "nl": "€\xa0-1,25",
    }
    assert written(Money(5, "JPY", 0, signed=True), "no such language") == "+¥5"


def test_a_setting_that_cannot_be_read_is_no_money():
    assert token_value_in({"token_value": "0.25"}) is None
    assert token_value_in({"token_value": 0.25, "currency": "EUR"}) is None
    assert token_value_in({"token_value": "lots", "currency": "EUR"}) is None
    with pytest.raises(MoneyError):
        token_value("٣", "EUR")
