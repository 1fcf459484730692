"""Debian's Chromium, driven by Selenium, and axe-core on the page that is open."""

import contextlib
import shutil

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="Chromium is not installed (Debian: chromium-driver)"
)


def serious_problems(driver, least, options="{}"):
    """Return what axe-core finds serious or critical on the page that is open.

    More than *least* rules must hold: else it was not looked at. *options* are those of
    ``axe.run``, as JavaScript. Skips where axe-core is not installed.
    """
    axe = pytest.importorskip("axe_core_python.base", reason="axe-core-python is not installed")
    driver.execute_script(axe.AXE_SCRIPT)
    found = driver.execute_async_script(
        f"axe.run(document, {options}).then(arguments[arguments.length - 1])"
    )
    assert len(found["passes"]) > least
    return [
        (each["id"], each["impact"], [node["html"][:120] for node in each["nodes"]])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


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
