"""Copy what extends boneace from the old program's environment into the new one's.

Usage: NEW/bin/python carry_additions.py OLD

Packages with entry points of ours are copied, what the owner built for the header, and what either
depends on that the new one lacks. What cannot be copied, since it was installed for another Python,
is named; the status is then 1.
"""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from importlib.metadata import Distribution, distributions
from pathlib import Path

OURS = "boneace."
BUILT = "lgpio"
"""It has no wheel for every Python: docs/how-to/install.md says how to build it."""


def name_of(text: str) -> str:
    """Return the name that a requirement or a package begins with, in its usual spelling."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", text.strip(), maxsplit=1)[0]).lower()


def found_in(folder: Path) -> dict[str, Distribution]:
    """Return the packages installed in *folder* by name."""
    return {name_of(each.name): each for each in distributions(path=[str(folder)])}


def extends(package: Distribution) -> bool:
    """Return whether *package* adds something to boneace."""
    if name_of(package.name) == BUILT:
        return True
    return any(each.group.startswith(OURS) for each in package.entry_points)


def copy(package: Distribution, old: Path, new: Path) -> None:
    """Copy the files of *package* that lie in the folder *old*."""
    for file in package.files or ():
        source = (old / file).resolve()
        if source.is_file() and old.resolve() in source.parents:
            target = new / source.relative_to(old.resolve())
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def main(program: str) -> int:
    """Copy the additions of the environment *program*."""
    new = Path(sysconfig.get_path("purelib"))
    there = found_in(new)
    status = 0
    for old in Path(program).glob("lib/python*/site-packages"):
        packages = found_in(old)
        wanted = [each for each in packages if extends(packages[each]) and each != "boneace"]
        while wanted:
            name = wanted.pop()
            if name in there or name not in packages:
                continue
            there[name] = package = packages[name]
            if old.parent.name != new.parent.name:
                print(f"careful: {name} was installed for {old.parent.name}: install it again")
                status = 1
                continue
            copy(package, old, new)
            print(f"Kept: {name} {package.version}")
            wanted += [name_of(each) for each in package.requires or () if "extra ==" not in each]
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
