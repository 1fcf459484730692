"""The pages of a hall with real tables, in a real browser: what ``make hall`` starts."""

import time
from contextlib import ExitStack

import pytest

from display.i18n.languages import LANGUAGES
from tests.acceptance.hall.demo import SIZES, TABLES, start, wait_for
from tests.support.chromium import chromium, needs_chromium, serious_problems
from tests.support.mosquitto import needs_mosquitto

pytestmark = [pytest.mark.slow, needs_mosquitto, needs_chromium]

SPEED = 10


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with ExitStack() as stack:
        address = start(tmp_path_factory.mktemp("hall"), stack, SPEED)
        wait_for(address, len(TABLES))
        yield address


@pytest.mark.parametrize("size", list(SIZES.values()), ids=list(SIZES))
def test_each_page_fits_and_complains_of_nothing_in_each_language(address, size):
    with chromium(size) as driver:
        for language in LANGUAGES:
            for page in ("", "board", *(f"table/{name}" for name in TABLES)):
                driver.get(f"{address}{page}?lang={language}")
                assert driver.execute_script("return document.documentElement.lang") == language
                wide = driver.execute_script("return document.documentElement.scrollWidth")
                assert wide <= size[0], (page, language)
        told = [line["message"] for line in driver.get_log("browser")]
        assert [line for line in told if "favicon" not in line] == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious(address, scheme):
    with chromium(SIZES["phone"]) as driver:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        for page in ("", "board", "table/red-otter", "table/nobody"):
            driver.get(f"{address}{page}")
            assert serious_problems(driver, 5) == [], page


def test_a_page_goes_on_by_itself(address):
    with chromium(SIZES["phone"]) as driver:
        driver.get(f"{address}table/blue-owl?lang=en")
        driver.execute_script("window.here = true")
        shown = "return document.getElementById('page').innerText"
        first = driver.execute_script(shown)
        end_s = time.monotonic() + 60
        while driver.execute_script(shown) == first:
            assert time.monotonic() < end_s, "the table plays, and the page stands still"
            time.sleep(0.3)
        assert driver.execute_script("return window.here"), "without being loaded anew"
