"""The tests speak English, whatever the machine speaks, and no library of theirs sends anything."""

import os
import tempfile

os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
_CACHE = tempfile.TemporaryDirectory(prefix="boneace-test-cache-")
os.environ["XDG_CACHE_HOME"] = _CACHE.name
