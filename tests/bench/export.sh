#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The time and memory that a trace takes in each format: the processor time of the fastest of some
# runs, including system time, with output to a file.
#
#     tests/bench/export.sh RUNS TPROF TRACE
set -eu

if [ $# -ne 3 ]; then
    echo "usage: export.sh RUNS TPROF TRACE" >&2
    exit 2
fi
runs=$1
tprof=$2
trace=$3
out=$trace.export
trap 'rm -f "$out"' EXIT

# The format; prints seconds and KiB.
once() {
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)' \
        "$tprof" export -f --format "$1" -o "$out" "$trace"
}

"$tprof" export --help | sed -n '/^Formats:/,/^Weights:/s/^\([a-z][a-z-]*\)  .*/\1/p' |
    while read -r format; do
        for _ in $(seq "$runs"); do
            once "$format"
        done | sort -n | awk -v format="$format" \
            'NR == 1 { printf "%-12s %7.3f s %7.1f MB\n", format, $1, $2 * 1024 / 1e6 }'
    done
