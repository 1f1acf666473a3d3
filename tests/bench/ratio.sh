#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The factor by which the shim slows a program: it runs with and without the shim in turn, and the
# medians of the wall times are compared.
#
#     tests/bench/ratio.sh RUNS LIBTPROF COMMAND [ARGUMENT...]
set -eu

if [ $# -lt 3 ]; then
    echo "usage: ratio.sh RUNS LIBTPROF COMMAND [ARGUMENT...]" >&2
    exit 2
fi
runs=$1
shim=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Print the microseconds that a command took.
microseconds() {
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1 || true
    end=$(date +%s%N)
    echo $(((end - start) / 1000))
}

median() {
    sort -n "$1" | awk '{ t[NR] = $1 } END { printf "%.0f\n", NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}

"$@" >/dev/null 2>&1 || true # warm the caches
run=0
while [ "$run" -lt "$runs" ]; do
    microseconds "$@" >>"$folder/plain"
    microseconds env LD_PRELOAD="$shim" TPROF_OUTPUT="$folder/trace" TPROF_QUIET=yes "$@" >>"$folder/shim"
    rm -f "$folder"/trace*
    run=$((run + 1))
done
plain=$(median "$folder/plain")
profiled=$(median "$folder/shim")
awk -v p="$plain" -v s="$profiled" -v n="$runs" \
    'BEGIN { printf "plain %.3f s, profiled %.3f s, ratio %.4f (medians of %d, interleaved)\n", p / 1e6, s / 1e6, s / p, n }'
