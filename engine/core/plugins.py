"""What can be chosen by its name: what is built in, and what other packages add.

Games, themes, languages, cameras and button boxes each stand in one such registry. An entry is a
name and where the thing is found, ``module:object``, as in the entry points of Python's packages
(packaging.python.org, "Entry points specification"): the same line adds to our own table in the
source, or to ``[project.entry-points."boneace.games"]`` in somebody's own ``pyproject.toml``.
"""

from __future__ import annotations

import logging
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from engine.core.errors import BoneAceError
from engine.core.text.suggest import did_you_mean

log = logging.getLogger(__name__)

T = TypeVar("T")

Finder = Callable[[str], Iterable[tuple[str, str, str]]]
"""Takes a group of entry points; returns name, ``module:object`` and package of each."""


_finder: Finder | None = None


def use_finder(finder: Finder) -> None:
    """Let every registry ask *finder* what installed packages add.

    The engine reads no files: the appliance tells it how to find them. A registry that
    has been read already keeps what it found.
    """
    global _finder
    _finder = finder


LONGEST = 60
"""Characters of a wrong name that are shown."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class PluginError(BoneAceError, LookupError):
    """Something was added that cannot be used; the message says what, by whom, and the cure."""


class Registry(Mapping[str, T]):
    """Things by their names; each is imported at first use.

    Iterating, and asking whether a name is ``in`` it, imports: whatever cannot be used is left out,
    said once in the log, and told by :meth:`problems`. :attr:`names` imports nothing.
    """

    def __init__(
        self,
        group: str,
        builtin: Callable[[], Mapping[str, T | str]],
        validate: Callable[[str, object], T],
    ) -> None:
        """Make the registry *group*, such as ``"boneace.games"``.

        Args:
            group: of entry points.
            builtin: returns what is built in; asked once, at first use.
            validate: takes a name and what was found; returns the thing as it is used, or raises
                :class:`PluginError` (any other exception counts as a fault of the thing).
        """
        self.group = group
        self._builtin, self._validate = builtin, validate
        self._places: dict[str, T | str] | None = None
        self._by: dict[str, str] = {}
        self._good: dict[str, T] = {}
        self._bad: dict[str, str] = {}
        self._problems: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        """Return every name, built-in ones first; whether it can be used is not yet known."""
        return tuple(self._all())

    def plugin_of(self, name: str) -> str:
        """Return the package that adds *name*, such as ``"my-table 1.0"``; empty if built in."""
        self._all()
        return self._by.get(name, "")

    def problems(self) -> tuple[str, ...]:
        """Return what was added and cannot be used, in sentences that end with the cure."""
        tuple(self)
        return tuple(self._problems)

    def __getitem__(self, name: str) -> T:
        """Return what is called *name*.

        Raises:
            PluginError: it is there, and cannot be used.
            KeyError: there is none.
        """
        if name in self._good:
            return self._good[name]
        place = self._all()[name]
        if name in self._bad:
            raise PluginError(self._bad[name])
        try:
            found = pkgutil.resolve_name(place) if isinstance(place, str) else place
            thing = self._validate(name, found)
        except (Exception, SystemExit) as problem:
            # Whatever a plugin does when it is imported, the table must go on.
            kind = "" if isinstance(problem, BoneAceError) else f"{type(problem).__name__}: "
            self._bad[name] = self._refuse(name, self.plugin_of(name), f"{kind}{problem}")
            raise PluginError(self._bad[name]) from problem
        self._good[name] = thing
        return thing

    def __contains__(self, name: object) -> bool:
        """Return whether *name* is there and can be used."""
        if not isinstance(name, str) or name not in self._all():
            return False
        try:
            self[name]
        except PluginError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of what can be used, built-in ones first."""
        return (name for name in self._all() if name in self)

    def __len__(self) -> int:
        """Return how many can be used."""
        return sum(1 for _ in self)

    def _all(self) -> dict[str, T | str]:
        if self._places is None:
            places = dict(self._builtin())
            for name, place, by in _finder(self.group) if _finder else ():
                if _NAME.fullmatch(name) is None:
                    self._refuse(name, by, "a name has letters, digits, - and _ only")
                elif name in places:
                    self._refuse(name, by, "that name is taken; choose another")
                else:
                    places[name] = place
                    self._by[name] = by
            self._places = places
        return self._places

    def _refuse(self, name: str, by: str, why: str) -> str:
        """Tell, and remember for :meth:`problems`, that an entry cannot be used."""
        cure = f"mend it, or take it away: pip uninstall {by.split()[0]}" if by else "mend it"
        told = f"{self.group}: {name!r}{by and f' of {by}'} cannot be used ({why}); {cure}"
        self._problems.append(told)
        log.warning("%s", told)
        return told


def unknown(what: str, name: str, registry: Registry[T]) -> str:
    """Return the sentence that there is no *what* called *name*, with the names there are.

    One that is there and broken is told as that.
    """
    try:
        registry[name]
    except PluginError as problem:
        return str(problem)
    except KeyError:
        pass
    shown = repr(name)
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST - 3]}..."
    # Finding what was meant takes its time over a long word.
    return f"unknown {what} {shown}; {did_you_mean(name[:LONGEST], registry.names)}"
