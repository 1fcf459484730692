"""A real table, its pages, and Debian's Chromium in front of them."""

import time

import pytest

from tests.support.chromium import CHROMIUM, DRIVER, chromium
from tests.support.played_table import PlayedTable
from tests.support.web_service import served

SIZES = {"phone": (360, 640), "television": (3840, 2160)}


class Browser:
    """One Chromium; each page is opened anew, and what it says on its console is kept."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, address, size="phone", scheme="dark"):
        """Open a page and wait until it is told how the table stands."""
        width, height = SIZES.get(size, size)
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"},
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        self.driver.get("about:blank")  # else a page with another fragment only moves
        self.driver.get(address)
        self.until("document.readyState === 'complete' && document.fonts.status === 'loaded'")

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def until(self, condition, most_s=10):
        """Wait for a condition in JavaScript."""
        from selenium.webdriver.support.ui import WebDriverWait

        wait = WebDriverWait(self.driver, most_s, poll_frequency=0.02)
        return wait.until(lambda driver: driver.execute_script(f"return {condition}"))

    def click(self, selector):
        """Press what *selector* names, as a finger does; the page may have drawn it anew."""
        from selenium.common.exceptions import StaleElementReferenceException

        for _ in range(5):
            try:
                self.driver.find_element("css selector", selector).click()
                return
            except StaleElementReferenceException:
                continue
        raise AssertionError(f"{selector} never stays")

    def settle(self):
        """Wait until a press means what the page shows, whoever has changed it."""
        time.sleep(0.8)

    def close_others(self):
        """Close each tab but the first."""
        first, *others = self.driver.window_handles
        for handle in others:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(first)

    def console(self):
        """Return what the page has said on its console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def driver():
    if not (CHROMIUM and DRIVER):
        pytest.skip("Chromium is not installed (Debian: chromium, chromium-driver)")
    with chromium(SIZES["phone"]) as made:
        yield made


@pytest.fixture
def browser(driver):
    found = Browser(driver)
    yield found
    # A page that is left open asks on for a table that has gone.
    driver.get("about:blank")
    found.console()


@pytest.fixture
def table(tmp_path):
    with PlayedTable(tmp_path / "table", seats=4) as made:
        yield made


@pytest.fixture
def url(table):
    with served(table.path) as address:
        yield address


@pytest.fixture(scope="module")
def still(tmp_path_factory):
    """Return a table in the middle of a hand of Bone-Ace at which nobody acts, and its address."""
    folder = tmp_path_factory.mktemp("still") / "table"
    with PlayedTable(folder, "bone-ace", seats=4, seed=3) as table, served(table.path) as address:
        table.go_on(19)
        yield table, address
