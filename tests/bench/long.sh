#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# One long run under the shim with the default budgets, or those of the environment: the program's
# own figures, the size of the trace, and the time of the reports.
#
#     tests/bench/long.sh TPROF LIBTPROF COMMAND...
#
# The reports stay beside the trace in a folder that is named at the end.
set -eu

if [ $# -lt 3 ]; then
    echo "usage: long.sh TPROF LIBTPROF COMMAND..." >&2
    exit 2
fi
tprof=$1
shim=$2
shift 2
folder=$(mktemp -d)
trace=$folder/long.tprof

# Seconds and highest resident MiB of a command; its output goes to a file.
measured() {
    python3 - "$@" <<'END'
import resource, subprocess, sys, time
start = time.monotonic()
with open(sys.argv[1], "w") as out:
    status = subprocess.call(sys.argv[2:], stdout=out)
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{time.monotonic() - start:8.2f} s  {use.ru_utime + use.ru_stime:8.2f} s of processors"
      f"  {use.ru_maxrss / 1024:8.1f} MiB  status {status}  {' '.join(sys.argv[2:4])}")
END
}

measured "$folder/plain" "$@"
measured "$folder/truth" env TPROF_OUTPUT="$trace" TPROF_QUIET=yes LD_PRELOAD="$shim" "$@"
cat "$folder/truth"
ls -s --block-size=1MiB "$trace" | awk '{ print "trace_mib " $1 }'
for report in report memory leaks; do
    measured "$folder/$report" "$tprof" "$report" "$trace"
done
echo "in $folder"
