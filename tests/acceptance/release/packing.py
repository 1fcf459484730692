"""What goes into the wheel and the source archive: every tracked file of its rooms."""

from __future__ import annotations

import shutil
import subprocess
import sys

from tests.support.paths import ROOT

ROOMS = ("device", "display", "engine", "vision")
OTHER_FOLDERS = (".ci", "benchmarks", "docs", "examples", "systemd", "tests")
ALWAYS = (
    *(".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"),
    *("SECURITY.md", "pyproject.toml"),
)


def tracked():
    """Return the files of the project; of an unpacked source archive, those that lie in it."""
    if (ROOT / ".git").exists():
        words = ["git", "ls-files", "-z"]
        told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        names = [name for name in told.split("\0") if name]
    else:
        folders = [ROOT / name for name in (*ROOMS, *OTHER_FOLDERS)]
        paths = (path for folder in folders for path in folder.rglob("*") if path.is_file())
        found = (path for path in paths if "__pycache__" not in path.parts)
        names = [*ALWAYS, *(path.relative_to(ROOT).as_posix() for path in found)]
    return sorted(name for name in names if (ROOT / name).is_file())


def copy_to(folder, names):
    """Copy the files *names*, as they are now, so that nothing else can slip in."""
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    return folder


def of_the_wheel(version, names):
    """Return the name of everything that a wheel of *version* holds, made of the files *names*."""
    inside = {name for name in names if name.split("/")[0] in ROOMS}
    data = f"boneace-{version}.data/data/share/boneace/"
    inside |= {data + name for name in names if name.startswith("systemd/")}
    info = ("METADATA", "WHEEL", "RECORD", "entry_points.txt")
    licences = ("licenses/LICENSE", "licenses/display/drawing/fonts/OFL.txt")
    return inside | {f"boneace-{version}.dist-info/{name}" for name in (*info, *licences)}


def of_the_sdist(version, names):
    """Return the name of everything that a source archive of the files *names* holds."""
    return {f"boneace-{version}/{name}" for name in (*names, "PKG-INFO")}


def build_wheel(folder, names):
    """Build a wheel of the files *names*; return its path, and what pip said if it could not."""
    tree = copy_to(folder / "tree", names)
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    words += ["--no-deps", "--wheel-dir", str(folder / "dist"), str(tree)]
    told = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    return next(iter((folder / "dist").glob("*.whl")), None), told.stderr
