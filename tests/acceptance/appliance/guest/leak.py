"""Inside the running table: takes more and more of what ``/run/boneace/leak`` names.

``memory`` or ``threads``. A check of the budgets loads it with the program, by a ``.pth`` file. The
folder goes when the service ends, and with it the leak.
"""

import contextlib
import sys
import threading
import time

ASKED = "/run/boneace/leak"
PIECE = 10_000_000
EVERY_S = 0.1


def leak():
    taken = []
    forever = threading.Event()
    while True:
        asked = ""
        with contextlib.suppress(OSError), open(ASKED, encoding="ascii") as file:
            asked = file.read().strip()
        if asked == "memory":
            taken.append(b"x" * PIECE)
        elif asked == "threads":
            # Refused at the limit; what ends elsewhere is taken at once.
            with contextlib.suppress(RuntimeError):
                threading.Thread(target=forever.wait, daemon=True).start()
        time.sleep(EVERY_S)


if "play" in sys.orig_argv:
    threading.Thread(target=leak, daemon=True).start()
