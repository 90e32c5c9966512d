#!/usr/bin/python3
# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""The most memory that a command has resident at any moment, and its time.

    bench/peak_memory.py COMMAND ...
"""

import os
import subprocess
import sys
import time

begin = time.perf_counter()
child = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(f"peak {usage.ru_maxrss * 1024 / 1e6:.0f} MB, {time.perf_counter() - begin:.1f} s, processor "
      f"{usage.ru_utime + usage.ru_stime:.1f} s", file=sys.stderr)
sys.exit(child.returncode)
