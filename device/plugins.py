"""Plugins: games, themes, languages, cameras and button boxes of installed packages."""

from __future__ import annotations

from functools import lru_cache

from engine.core.plugins import use_finder


def enable() -> None:
    """Let the registries find the plugins."""
    use_finder(installed)


@lru_cache(maxsize=8)
def installed(group: str) -> tuple[tuple[str, str, str], ...]:
    """Return the plugins of *group*: name, ``module:object``, and the package."""
    # Slow to import.
    from importlib.metadata import entry_points

    return tuple(
        (each.name, each.value, f"{each.dist.name} {each.dist.version}" if each.dist else "")
        for each in sorted(entry_points(group=group), key=lambda each: (each.name, each.value))
    )
