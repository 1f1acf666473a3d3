#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Checks whether the intervals of sampled time contain the truth.  Runs tests/system/time_shares,
# whose six functions clock themselves, and compares each share with its row of tprof time: how
# often the 95 % interval contains the truth, and how far the sum of all runs is off.
#
#     tests/bench/covered.sh RUNS TPROF LIBTPROF TIME_SHARES [MILLISECONDS]
set -eu

if [ $# -lt 4 ]; then
    echo "usage: covered.sh RUNS TPROF LIBTPROF TIME_SHARES [MILLISECONDS]" >&2
    exit 2
fi
runs=$1
tprof=$2
shim=$3
program=$4
length=${5:-1500}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A line "NAME TRUTH SHARE LOW HIGH" for each function of a run; LOW is -1 if it had no sample.
measure() {
    env TPROF_OUTPUT="$folder/trace" TPROF_QUIET=yes LD_PRELOAD="$shim" "$program" "$length" "$1" >"$folder/truth"
    "$tprof" time --format json "$folder/trace" |
        jq -r '.rows[] | [.name, .share, (.share_ci[0] // -1), (.share_ci[1] // -1)] | @tsv' |
        sed 's/^in Linux: read/read/' >"$folder/rows"
    rm -f "$folder/trace"
    awk -F'\t' 'NR == FNR { split($0, part, " "); if (part[1] == "whole") whole = part[2]; else truth[part[1]] = part[2]; next }
        $1 in truth && !($1 in share) { share[$1] = $2; low[$1] = $3; high[$1] = $4 }
        END { for (name in truth)
            print name, truth[name] / whole, share[name] + 0, name in low ? low[name] : -1, name in high ? high[name] : -1 }' \
        "$folder/truth" "$folder/rows"
}

run=0
while [ "$run" -lt "$runs" ]; do
    run=$((run + 1))
    measure "$run"
done >"$folder/all"

awk '{ runs[$1]++; truth[$1] += $2; share[$1] += $3
       known[$1] += $4 >= 0; held[$1] += $4 >= 0 && $2 >= $4 && $2 <= $5; low[$1] += $2 > $5; high[$1] += $4 >= 0 && $2 < $4 }
     END { printf "%-9s %5s %7s %7s %7s %8s %6s %6s\n", "function", "runs", "truth", "found", "points", "covered", "below", "above"
       for (name in runs) {
           n = runs[name]
           printf "%-9s %5d %6.2f%% %6.2f%% %+7.2f %7.1f%% %6d %6d\n", name, n, truth[name] / n * 100, share[name] / n * 100,
               (share[name] - truth[name]) / n * 100, held[name] / n * 100, high[name], low[name]
           all += n; covered += held[name] }
       printf "all       %5d intervals, %.1f %% hold the truth\n", all, covered / all * 100 }' "$folder/all"
