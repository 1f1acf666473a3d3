#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The time of a trace's report on one core: the processor time of the fastest of some runs.
#
#     tests/bench/report.sh RUNS TPROF TRACE
set -eu

if [ $# -ne 3 ]; then
    echo "usage: report.sh RUNS TPROF TRACE" >&2
    exit 2
fi
runs=$1
tprof=$2
trace=$3

# The processor time of a command in seconds: that of the children of a shell of
# its own.
seconds() {
    sh -c '"$@" >/dev/null; times' sh "$@" |
        awk -F'[ms ]+' 'NR == 2 { print $1 * 60 + $2 + $3 * 60 + $4 }'
}

while [ "$runs" -gt 0 ]; do
    seconds taskset -c 0 "$tprof" report "$trace"
    runs=$((runs - 1))
done | sort -n | awk 'NR == 1 { printf "the report: %.3f s\n", $1 }'
