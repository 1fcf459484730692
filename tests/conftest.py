"""The tests speak English, whatever the machine they run on speaks."""

import os

import pytest

from display.text import set_language

os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"


@pytest.fixture(autouse=True)
def in_english():
    """Whatever language one test sets, the next begins in English."""
    yield
    set_language("en")
