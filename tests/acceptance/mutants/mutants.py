"""Change the program in one place, run the tests that are closest, and see whether one fails.

make mutants, or: python tests/acceptance/mutants/mutants.py --seed 1 --count 100. A seed draws the
lines of engine, vision (without its training), display and device that are changed, and how. Each
change is made in a copy of the tree; then the tests are run until one fails, or until they have
computed for --budget seconds. A test that fails without any change too kills nothing. It goes on
where it was stopped. out/mutants/seed-N.md shows each change and the test that failed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.acceptance.mutants.changes import Change, changes_of

ROOT = Path(__file__).parents[3]
PACKAGES = ("engine", "vision", "display", "device")
LEFT_OUT = ("vision/training/", "tests/acceptance/mutants/")
ROUNDS = (1, 2, 4, 8, 16, 32, 64)
"""How many test files are run at once, first only their quick tests: few while they are close."""
SLOW_FILES = 3
"""The closest files, of which the slow tests are run too, before the quick ones of all others."""
TEXTS = ("tests/unit/display/test_languages.py", "tests/unit/project/test_reference_pages.py")
"""They hold the sentences of the program to what is written elsewhere, and import few of them."""
START_S, FILE_S, WAITS = 120, 4, 10
"""Seconds of computing that a round may take, and more for each file; so many times that passes by
the clock before it hangs. Without the change it must end, or it kills nothing."""


def sources(root: Path, *folders: str) -> list[str]:
    files = (path for folder in folders for path in (root / folder).rglob("*.py"))
    found = (path.relative_to(root).as_posix() for path in files)
    return sorted(path for path in found if not path.startswith(LEFT_OUT))


def draw(root: Path, seed: int, count: int) -> list[tuple[str, Change, str]]:
    """Lines are drawn, and then one of the changes that each allows: no line is changed twice.

    With each goes the whole text of the changed file.
    """
    lines: dict[tuple[str, int], list[Change]] = defaultdict(list)
    for path in sources(root, *PACKAGES):
        for change in changes_of((root / path).read_text()):
            lines[path, change.line].append(change)
    rng = random.Random(seed)
    drawn = []
    for path, line in rng.sample(sorted(lines), len(lines)):
        change = rng.choice(lines[path, line])
        if len(drawn) < count and (text := change.text((root / path).read_text())) is not None:
            drawn.append((path, change, text))
    return drawn


class Closeness:
    """Which tests are near a module: by how many imports they are away, and by names they share."""

    def __init__(self, root: Path) -> None:
        files = sources(root, *PACKAGES, "tests")
        self.texts = {path: (root / path).read_text() for path in files}
        self.importers: dict[str, set[str]] = defaultdict(set)
        for path, text in self.texts.items():
            for module in self._imports(ast.parse(text)):
                self.importers[module].add(path)
        self.tests = [path for path in files if Path(path).name.startswith("test_")]

    def _imports(self, tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
            for name in names:
                stem = name.replace(".", "/")
                yield from {f"{stem}.py", f"{stem}/__init__.py"} & self.texts.keys()

    def order(self, path: str, change: Change) -> list[str]:
        away, edge = {path: 0}, [path]
        while edge:
            step = [t for module in edge for t in sorted(self.importers[module]) if t not in away]
            away.update((test, away[edge[0]] + 1) for test in step)
            edge = list(dict.fromkeys(step))
        stem = Path(path).stem
        names = [
            re.compile(rf"\b{re.escape(name)}\b") for name in (*change.names, stem) if len(name) > 4
        ]

        def distance(test: str) -> tuple[float, str]:
            if change.kind in ("string", "removed argument") and test in TEXTS:
                return 0, test
            words = {*Path(test).parts, *Path(test).stem.split("_")}
            shared = len(words & {*Path(path).parts, stem})
            said = sum(bool(name.search(self.texts[test])) for name in names)
            return away.get(test, 6) - shared - 1.5 * said + 4 * test.startswith("tests/acc"), test

        return sorted(self.tests, key=distance)


class Copy:
    """A copy of the tree, and the tests that run in it. Nothing beside the tree is copied."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "tree"
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout
        for name in names.decode().split("\0"):
            if name and (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        (folder / "tmp").mkdir()
        home = {"HOME": str(folder), "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(self.root)}
        self.environment = {**os.environ, **home}
        self.writes = 0

    def write(self, path: str, text: str) -> None:
        """The time of the file tells Python to compile it anew, however fast it is written."""
        self.writes += 1
        (self.root / path).write_text(text)
        os.utime(self.root / path, (1e9 + self.writes, 1e9 + self.writes))

    def failing(self, tests: list[str], *options: str) -> list[str]:
        """The tests that fail, of which the first ends it; all where the run crashes or hangs."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "--tb=no"]
        command += ["-p", "no:cacheprovider", *options]
        most = START_S + FILE_S * len(tests)
        with subprocess.Popen(
            ["nice", *command, *tests],
            cwd=self.root, env=self.environment, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
        ) as process:  # fmt: skip
            try:
                output = process.communicate(timeout=most * WAITS)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return tests
        if failed := re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE):
            return failed
        return [] if process.returncode in (0, 5) else tests


def computed_s() -> float:
    """Seconds of computing in all tests so far: a busy machine makes them no more."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Check:
    """Runs the tests against one change after the other."""

    def __init__(self, copy: Copy, budget: float) -> None:
        self.copy = copy
        self.budget = budget
        self.closeness = Closeness(copy.root)
        self.unsound: list[str] = []

    def fail_anyway(self, tests: list[str]) -> list[str]:
        """Those of *tests* that fail without any change: they are left out from now on."""
        found = self.copy.failing(tests, "--maxfail=1000") if tests else []
        self.unsound += found
        return found

    def killer(self, path: str, change: Change, text: str) -> tuple[str, int]:
        """The test that fails ("" for none), and how many test files were run."""
        original = (self.copy.root / path).read_text()
        order, start, ran = self.closeness.order(path, change), computed_s(), 0
        rounds = [("not slow", size) for size in (*ROUNDS, len(order))]
        rounds.insert(2, ("slow", 0))
        while rounds and computed_s() - start < self.budget:
            marked, size = rounds[0]
            tests = order[ran : ran + size] or order[:SLOW_FILES]
            unsound = [f"--deselect={test}" for test in self.unsound]
            self.copy.write(path, text)
            failing = self.copy.failing(tests, f"-m {marked}", *unsound)
            # Once more by itself: on a busy machine a test may fail by chance.
            by_chance = bool(failing) and not self.copy.failing(failing)
            self.copy.write(path, original)
            if by_chance:
                self.unsound += failing
            elif failing and (failing != tests or not self.fail_anyway(failing)):
                return failing[0], ran + size
            else:
                ran += size
                rounds.pop(0)
        return "", min(ran, len(order))


def wilson(killed: int, count: int, z: float = 1.96) -> tuple[float, ...]:
    """The 95 % bounds of a share (Wilson 1927)."""
    share, square = killed / count, z * z / count
    width = z * math.sqrt((share * (1 - share) + square / 4) / count)
    return tuple((share + square / 2 + side) / (1 + square) for side in (-width, width))


def report(seed: int, results: list[dict[str, object]]) -> str:
    killed = sum(bool(result["killer"]) for result in results)
    low, high = wilson(killed, len(results))
    kinds = Counter(str(result["kind"]) for result in results)
    lines = [
        f"# Seed {seed}: {killed} of {len(results)} changes killed", "",
        f"95 % bounds {low:.1%} to {high:.1%}. "
        + ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()) + ".", "",
    ]  # fmt: skip
    for result in sorted(results, key=lambda result: (bool(result["killer"]), result["number"])):
        end = f"killed by `{result['killer']}`" if result["killer"] else "SURVIVED"
        lines += [f"## {result['number']}: {result['kind']}: {end}; {result['ran']} test files run"]
        lines += ["", "```diff", str(result["diff"]), "```", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument(
        "--budget", type=float, default=120, help="seconds of computing for a change"
    )
    parser.add_argument("--again", action="store_true", help="only those that survived")
    parser.add_argument("--out", type=Path, default=ROOT / "out/mutants")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    kept = args.out / f"seed-{args.seed}.jsonl"
    copy = Copy(Path(tempfile.mkdtemp(prefix="boneace-mutants-")))
    check = Check(copy, args.budget)
    done: dict[str, dict[str, object]] = {}
    if kept.exists():
        done = {(row := json.loads(line))["diff"]: row for line in kept.read_text().splitlines()}
    drawn = draw(copy.root, args.seed, args.count)
    while True:
        results = []
        for number, (path, change, text) in enumerate(drawn, 1):
            before = (copy.root / path).read_text().splitlines()
            changed = difflib.unified_diff(before, text.splitlines(), path, path, n=2, lineterm="")
            diff = "\n".join(changed)
            row = done.get(diff)
            if row is None or (args.again and not row["killer"]):
                killer, ran = check.killer(path, change, text)
                row = {"number": number, "kind": change.kind, "diff": diff}
                row |= {"killer": killer, "ran": ran}
                with kept.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            done[diff] = row
            results.append(row)
            end = row["killer"] or "SURVIVED"
            print(f"{number:3} {path}:{change.line} {change.kind}: {end}", flush=True)
            (args.out / f"seed-{args.seed}.md").write_text(report(args.seed, results))
        bad = check.fail_anyway(sorted({str(row["killer"]) for row in results} - {""}))
        if not bad:
            break
        done = {diff: row for diff, row in done.items() if row["killer"] not in bad}
        args.again = False
    shutil.rmtree(copy.folder)
    print(report(args.seed, results).splitlines()[0])


if __name__ == "__main__":
    main()
