"""The tests speak English, whatever the machine speaks, and no library of theirs sends anything."""

import os
import tempfile

import pytest

from display.i18n.translate import set_language

os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
_CACHE = tempfile.TemporaryDirectory(prefix="boneace-test-cache-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name


@pytest.fixture(autouse=True)
def in_english():
    """Whatever language one test sets, the next begins in English."""
    yield
    set_language("en")
