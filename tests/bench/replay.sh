#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How many events a second the analyzer reads: traces of a synthetic program are opened
# completely, and the processor time of the fastest run of each is taken.
#
#     tests/bench/replay.sh RUNS MAKE_TRACE TPROF
set -eu

if [ $# -ne 3 ]; then
    echo "usage: replay.sh RUNS MAKE_TRACE TPROF" >&2
    exit 2
fi
runs=$1
make_trace=$2
tprof=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Print the processor time of a command in seconds: that of the children of a separate shell.
seconds() {
    sh -c '"$@" >/dev/null 2>&1; times' sh "$@" |
        awk -F'[ms ]+' 'NR == 2 { print $1 * 60 + $2 + $3 * 60 + $4 }'
}

# Events, live blocks, sites and threads of each trace.
while read -r events live sites threads; do
    "$make_trace" "$folder/trace" "$events" "$live" "$sites" "$threads"
    run=0
    : >"$folder/seconds"
    while [ "$run" -lt "$runs" ]; do
        seconds "$tprof" info "$folder/trace" >>"$folder/seconds"
        run=$((run + 1))
    done
    sort -n "$folder/seconds" | head -n 1 |
        awk -v events="$events" -v live="$live" -v sites="$sites" -v threads="$threads" \
            '{ printf "%8d events, %d live, %6d sites, %2d threads: %6.3f s, %5.1f M events/s\n",
               events, live, sites, threads, $1, events / $1 / 1e6 }'
done <<EOF
1000000 100000 10000 1
10000000 100000 10000 1
10000000 100000 100000 1
10000000 100000 10000 4
10000000 100000 10000 16
EOF
