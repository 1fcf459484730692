"""Debian's Chromium, driven by Selenium, for the pages of a hall."""

import contextlib
import shutil

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="Chromium is not installed (Debian: chromium-driver)"
)


@contextlib.contextmanager
def chromium(size):
    """Open a browser whose page has this *size*; it talks to this machine alone."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    words = ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage")
    for word in (
        *words,
        "hide-scrollbars",
        "host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    try:
        about = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", about)
        yield driver
    finally:
        driver.quit()


def pictures(shots, size):
    """Write what pages look like: *shots* has the address of each file."""
    with chromium(size) as driver:
        for path, address in shots.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            driver.get(address)
            driver.save_screenshot(str(path))
