"""Whether ONNX Runtime works on this machine: tried in a child process once, and remembered.

On some processors it ends the program that imports it (an instruction that is not there), which no
``except`` can catch. So a child imports it and runs one network before this process does. The
answer holds for one version of everything in :func:`identity`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import json
import logging
import os
import platform
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

log = logging.getLogger(__name__)

PATIENCE_S = 60.0
_FAULTS = (signal.SIGILL, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGABRT)
_LARGEST_ANSWER = 10_000
CHILD = "import sys; from vision.inference import compare_runtimes; sys.exit(compare_runtimes())"


@dataclass(frozen=True, slots=True)
class Probe:
    """What came of the trial.

    Attributes:
        identity: of what was tried; see :func:`identity`.
        works: whether ONNX Runtime may be used.
        reason: why not, as half a sentence; empty where it works.
    """

    identity: str
    works: bool
    reason: str = ""


@functools.cache
def fast_runtime() -> Probe:
    """Return whether ONNX Runtime works here; tries it where no answer is remembered."""
    wanted = identity()
    if not wanted:
        return Probe("", works=False, reason="is not installed")
    found = _remembered(wanted)
    if found is None:
        reason, is_lasting = _try_in_child()
        found = Probe(wanted, works=not reason, reason=reason)
        if is_lasting:
            _remember(found)
    if not found.works:
        log.warning("ONNX Runtime %s; OpenCV runs the networks, more slowly", found.reason)
    return found


def identity() -> str:
    """Return a digest of the runtime's version, Python, NumPy and the processor.

    Empty where ONNX Runtime is not installed.
    """
    try:
        versions = [importlib.metadata.version(name) for name in ("onnxruntime", "numpy")]
    except importlib.metadata.PackageNotFoundError:
        return ""
    processor: set[str] = set()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        words = ("model name", "flags", "Features", "CPU ")
        processor = {line for line in lines if line.startswith(words)}
    parts = [*versions, sys.version, platform.machine(), *sorted(processor)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def answer_file() -> Path:
    """Return where the answer is remembered: in the cache, which may be deleted at any time."""
    folder = os.environ.get("XDG_CACHE_HOME")
    return (Path(folder) if folder else Path.home() / ".cache") / "boneace" / "onnxruntime.json"


def _remembered(wanted: str) -> Probe | None:
    with contextlib.suppress(OSError, ValueError, TypeError, RuntimeError):
        with answer_file().open("rb") as file:
            found = Probe(**json.loads(file.read(_LARGEST_ANSWER)))
        if found.identity == wanted and isinstance(found.works, bool):
            return found
    return None


def _remember(found: Probe) -> None:
    # Where nothing can be written it is tried again at each start.
    with contextlib.suppress(OSError, RuntimeError):
        path = answer_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        part.write_text(json.dumps(asdict(found)), encoding="utf-8")
        part.replace(path)


def _try_in_child() -> tuple[str, bool]:
    """Return why ONNX Runtime cannot be used, or nothing, and whether that will stay so."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(
            [sys.executable, "-c", CHILD],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"does not answer within {PATIENCE_S:.0f} seconds on this machine", False
    except OSError as problem:
        return f"cannot be tried on this machine ({problem.strerror})", False
    if done.returncode < 0:
        died_of = signal.Signals(-done.returncode)
        # Whatever else ends a child, such as a lack of memory, may be over at the next start.
        return (
            f"ends the program that uses it on this machine ({died_of.name})",
            died_of in _FAULTS,
        )
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return f"does not work on this machine ({lines[-1] if lines else 'no reason given'})", False
    return "", True
