"""The fuzzing that coverage leads.

python tests/acceptance/faults/fuzz_guided.py KIND [-max_total_time=600]

Needs ``pip install atheris`` (x86-64, Python 3.11 and newer); ``make fuzz`` does without. The same
kinds of files as ``fuzz.py`` makes up, but what reaches new lines of the program is varied further
(libFuzzer). It stops at the first that comes past a clear error, and keeps it in cases/found.
"""

import logging
import sys
import tempfile
from pathlib import Path

try:
    import atheris
except ImportError:
    sys.exit("atheris is not installed; run: .venv/bin/python -m pip install atheris")

with atheris.instrument_imports(include=["engine", "device", "vision"]):
    from tests.acceptance.faults import fuzz

from hypothesis import HealthCheck, given, settings

from engine.core.errors import BoneAceError


def main():
    """Fuzz one kind until the time is over or something comes past."""
    if len(sys.argv) < 2 or sys.argv[1] not in fuzz.KINDS:
        sys.exit(
            f"name what to fuzz, one of {', '.join(fuzz.KINDS)}; libFuzzer's options may follow"
        )
    kind = sys.argv.pop(1)
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        made, use, suffix = fuzz.KINDS[kind](Path(folder))

        @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(made)
        def once(value):
            try:
                use(value)
            except BoneAceError:
                pass
            except Exception:
                fuzz.keep(kind, value, suffix, 1)
                raise

        atheris.Setup(sys.argv, once.hypothesis.fuzz_one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
