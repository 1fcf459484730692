"""The reference pages say what the program says."""

import pytest

from tests.support.reference_pages import FOLDER, PAGES


@pytest.mark.parametrize("name", PAGES)
def test_a_reference_page_is_up_to_date(name):
    written = (FOLDER / name).read_text(encoding="utf-8")
    assert written == PAGES[name](), "run: make reference"
