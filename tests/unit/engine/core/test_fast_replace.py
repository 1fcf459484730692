"""The quick replace does what the slow one does."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from dataclasses import replace as slow

import pytest

from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.games.base import Play
from engine.table.hand import HandState
from engine.table.state import State


@dataclass(frozen=True)
class Base:
    a: int = 1
    b: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Slotted(Base):
    c: int = 3


@pytest.mark.parametrize("one", [Base(4, (2,)), Slotted(4, (2,), 5)])
def test_it_is_the_slow_one_but_quick(one):
    assert replace(one, b=(7,)) == slow(one, b=(7,))
    assert replace(one) == one
    assert one.b == (2,)
    assert type(replace(one, a=2)) is type(one)


@pytest.mark.parametrize("one", [Base(), Slotted()])
def test_a_field_that_is_not_there_is_refused(one):
    with pytest.raises(TypeError, match="d"):
        replace(one, d=1)


def test_the_copy_is_frozen_too():
    with pytest.raises(FrozenInstanceError):
        replace(Base(), a=2).a = 3


@pytest.mark.parametrize("kind", [Play, PlayerCards, HandState, State])
def test_what_is_replaced_at_every_event_keeps_to_the_quick_way(kind):
    assert "__slots__" not in kind.__dict__
    assert not hasattr(kind, "__post_init__")
