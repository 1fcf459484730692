import pytest

# The paper mats, people and rigs of the machine's own tests serve here too.


@pytest.fixture
def sees(request):
    """What the page says that the players see: the test asserts just that."""
    return request.node.get_closest_marker("fault").kwargs["sees"]
