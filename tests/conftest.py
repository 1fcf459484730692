"""The tests speak English, whatever the machine speaks, and no library of theirs sends anything."""

import atexit
import os
import shutil
import tempfile

os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="boneace-test-cache-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)
