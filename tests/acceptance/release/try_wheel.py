"""``make release``: build wheel and source archive, and run them where nothing else is.

python tests/acceptance/release/try_wheel.py [--out DIR] [--python 3.13]

From a copy of the tracked files a source archive is made, and from that archive the wheel; both
must hold what they should. Then each Python that boneace supports and that is here gets an empty
environment, the wheel goes in, and the program is used in an empty folder with an empty home: no
file of the project is in reach. A Python that is not here is skipped, and said to be. The tests of
the archive itself run last. Ends with 1 if anything fails; what was made stays in DIR.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

from tests.acceptance.release.packing import ROOT, copy_to, of_the_sdist, of_the_wheel, tracked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
PYTHONS = ("3.11", "3.12", "3.13")
RECORD = "tests/unit/engine/records/kept/bone-ace.json"
OWN_TESTS = (
    "tests/unit/project/test_examples.py",
    "tests/unit/project/test_docstrings.py",
    "tests/unit/engine/records/test_record.py",
    "tests/acceptance/release/test_licences.py",
    "tests/acceptance/audit/test_tampering.py",
)
"""Of the unpacked archive: they read pages, pictures, records and examples of all its rooms."""


class Broken(Exception):
    """Something does not work; the message says what, and what was printed."""


@dataclass(frozen=True)
class Use:
    """One command in the empty environment.

    Attributes:
        words: after ``boneace``.
        says: must be in what it prints.
        makes: a file that must be there afterwards, and not be empty.
        status: what it may end with; ``doctor`` finds no camera here.
    """

    words: str
    says: str = ""
    makes: str = ""
    status: tuple[int, ...] = (0,)


USES = (
    Use("--version", says=f"boneace {VERSION}"),
    Use("--help", says="accuracy"),
    Use("rules bone-ace", says="Bone"),
    Use("demo --hands 1 --players 2 --headless --out demo", makes="demo/transcript.txt"),
    Use("read --format json demo/PICTURE", says='"cards"'),
    Use("referee --check --unsealed record.json", says="1 as expected, 0 not"),
    Use("replay --unsealed record.json", says="The evening:"),
    Use("ledger --audit --unsealed record.json", says="together they make the ledger"),
    Use("config --explain", says="camera"),
    Use("wiring --example --png wiring.png", makes="wiring.png"),
    Use("mat --seats 4 --paper A3 -o mat.pdf", makes="mat.pdf"),
    Use("doctor models", says="can be loaded"),
    Use("doctor upgrade", says="8 cards read"),
    Use("doctor fonts", says="can be read"),
    Use("doctor --json", says='"models"', status=(0, 1)),
)


def told(words, cwd, env=None, status=(0,)):
    """Run a program and return what it prints; end here if it does not end as it should."""
    found = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if found.returncode not in status:
        raise Broken(
            f"{' '.join(map(str, words))} ended with {found.returncode}\n"
            f"{found.stdout[-2000:]}{found.stderr[-2000:]}"
        )
    return found.stdout


def find_python(version):
    """Return a Python of *version* that is here; ``None``: there is none."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    on_path = shutil.which(f"python{version}")
    for path in (*([on_path] if on_path else []), *kept):
        words = [path, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
        found = subprocess.run(words, capture_output=True, text=True, check=False)
        if found.stdout.strip() == version:
            return Path(path)
    return None


def pip(python, *words):
    told([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words], cwd=None)


def build(out):
    """Make the source archive, and the wheel from the archive alone; return both."""
    told([sys.executable, "-m", "venv", out / "tools"], cwd=out)
    tools = out / "tools" / "bin" / "python"
    pip(tools, "install", "build")
    names = tracked()
    copy_to(out / "tree", names)
    told([tools, "-m", "build", "--outdir", out / "dist", out / "tree"], cwd=out)
    sdist = out / "dist" / f"boneace-{VERSION}.tar.gz"
    wheel = out / "dist" / f"boneace-{VERSION}-py3-none-any.whl"
    with tarfile.open(sdist) as archive:
        compare("the source archive", set(archive.getnames()), of_the_sdist(VERSION, names))
        archive.extractall(out / "unpacked", filter="data")
    with zipfile.ZipFile(wheel) as archive:
        compare("the wheel", set(archive.namelist()), of_the_wheel(VERSION, names))
    return sdist, wheel


def compare(what, found, wanted):
    if found != wanted:
        raise Broken(
            f"{what} lacks {sorted(wanted - found)[:20]} and has {sorted(found - wanted)[:20]}"
        )


def try_wheel(python, wheel, place):
    """Install *wheel* in an empty environment and use it from an empty folder."""
    told([python, "-m", "venv", place / "env"], cwd=place)
    within = place / "env" / "bin"
    pip(within / "python", "install", f"{wheel}[mat]")
    here = place / "empty"
    here.mkdir()
    shutil.copy(ROOT / RECORD, here / "record.json")
    env = {"HOME": str(place / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    where = [within / "python", "-c", "import device, sys; print(device.__file__)"]
    if str(place) not in told(where, cwd=here, env=env):
        raise Broken("the program did not come from the wheel")
    for use in USES:
        words = use.words.split()
        if words[-1] == "demo/PICTURE":
            words[-1] = str(sorted((here / "demo").glob("*.png"))[0])
        printed = told([within / "boneace", *words], cwd=here, env=env, status=use.status)
        if use.says not in printed:
            raise Broken(f"boneace {use.words} does not say {use.says!r}:\n{printed[-2000:]}")
        if use.makes and not (here / use.makes).stat().st_size:
            raise Broken(f"boneace {use.words} made an empty {use.makes}")
        if words[-1] == "--json":
            json.loads(printed)
    pip(within / "python", "check")


def try_archive(out):
    """Run some of the archive's own tests where it was unpacked, by the Python that runs this."""
    tree = out / "unpacked" / f"boneace-{VERSION}"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *OWN_TESTS]
    return told(words, cwd=tree).strip().splitlines()[-1]


def main():
    parser = argparse.ArgumentParser(description="build wheel and source archive, and try them")
    parser.add_argument(
        "--out", type=Path, help="an empty folder to keep it in; default: a new one"
    )
    parser.add_argument("--python", choices=PYTHONS, action="append", help="only this one")
    args = parser.parse_args()
    out = (args.out or Path(tempfile.mkdtemp(prefix="boneace-release-"))).resolve()
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        parser.error(f"--out: {out} is not empty; name a new folder")
    tried = 0
    try:
        for path in build(out):
            print(f"built    {path.name}, {path.stat().st_size / 1e6:.1f} MB", flush=True)
        for version in args.python or PYTHONS:
            python = find_python(version)
            if python is None:
                print(f"skipped  Python {version}: not here; pyenv install {version}", flush=True)
                continue
            place = out / version
            place.mkdir()
            try_wheel(python, out / "dist" / f"boneace-{VERSION}-py3-none-any.whl", place)
            print(f"works    Python {version}: {len(USES)} commands", flush=True)
            tried += 1
        print(f"works    the source archive's own tests: {try_archive(out)}")
    except (Broken, subprocess.TimeoutExpired, OSError) as problem:
        print(f"broken   {problem}", file=sys.stderr)
        return 1
    print(f"kept     {out}")
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main())
