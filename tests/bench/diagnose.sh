#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whether tprof bottlenecks names what the samples plant, and predicts what its
# repair gains: the naive and the plain model run in turn, and the median of the
# ratios of such pairs is compared with the ceiling of the finding, the median of
# those of as many traces of the naive model.  Both are of whole runs.
#
# The models have one thread and never wait, so what is compared is processor time:
# that of the wall is the same on a machine where nothing else runs, and on another
# it is that of the others too.
#
#     tests/bench/diagnose.sh RUNS TABLE [MACHINE]
#
# TABLE is tests/system/plants.table; TPROF and SAMPLES are as in the harness.
# MACHINE is a calibration; without it this machine is measured first.
# Ends with 1 when a finding is not first or second, or 15 % off.
set -eu

if [ $# -lt 2 ]; then
    echo "usage: diagnose.sh RUNS TABLE [MACHINE]" >&2
    exit 2
fi
runs=$1
table=$2
limit=0.15
: "${TPROF:=analyzer/tprof}"
: "${SAMPLES:=samples}"
OPENBLAS_NUM_THREADS=1
export OPENBLAS_NUM_THREADS
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
machine=${3:-$folder/machine.json}
[ -s "$machine" ] || "$TPROF" calibrate --threads 1 -o "$machine" > /dev/null

# Print the milliseconds of processor time that a command took.
processor_ms() {
    (
        "$@" > /dev/null 2>&1
        times
    ) | awk 'NR == 2 {
        split($1, user, /[ms]/)
        split($2, kernel, /[ms]/)
        printf "%.0f\n", 1000 * (60 * (user[1] + kernel[1]) + user[2] + kernel[2]) }'
}

median() {
    sort -n "$1" | awk '{ t[NR] = $1 }
        END { printf "%.6g\n", NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}

# The rank and the ceiling of a finding in a new trace; 0 0 when it is not there.
diagnose() {
    finding=$1
    shift
    rm -f "$folder/trace"
    "$TPROF" run -o "$folder/trace" -- "$@" > /dev/null 2>&1
    "$TPROF" bottlenecks --json --machine "$machine" "$folder/trace" > "$folder/found.json"
    jq -r --arg id "$finding" '[.findings[] | {id, ceiling}] | to_entries |
        map(select(.value.id == $id)) | first |
        if . == null then "0 0" else "\(.key + 1) \(.value.ceiling // 0)" end' "$folder/found.json"
}

# A row of the table: finding, model, ways, sizes.
measure() {
    finding=$1
    program=$SAMPLES/$2
    ways=$3
    shift 3
    rm -f "$folder/naive" "$folder/plain" "$folder/ratio" "$folder/rank" "$folder/ceiling"
    "$program" "$@" > /dev/null 2>&1 # warms the caches
    run=0
    while [ "$run" -lt "$runs" ]; do
        naive_ms=$(processor_ms "$program" "$@" --naive "$ways")
        plain_ms=$(processor_ms "$program" "$@")
        echo "$naive_ms" >> "$folder/naive"
        echo "$plain_ms" >> "$folder/plain"
        echo "$naive_ms $plain_ms" | awk '{ print $1 / $2 }' >> "$folder/ratio"
        diagnose "$finding" "$program" "$@" --naive "$ways" > "$folder/said"
        cut -d ' ' -f 1 "$folder/said" >> "$folder/rank"
        cut -d ' ' -f 2 "$folder/said" >> "$folder/ceiling"
        run=$((run + 1))
    done
    report "$finding" "$(basename "$program") $ways"
}

report() {
    awk -v finding="$1" -v plant="$2" -v naive="$(median "$folder/naive")" \
        -v plain="$(median "$folder/plain")" -v measured="$(median "$folder/ratio")" -v ceiling="$(median "$folder/ceiling")" \
        -v worst="$(sort -n "$folder/rank" | awk '{ if ($1 == 0) gone = 1; last = $1 }
            END { print gone ? 0 : last }')" -v limit="$limit" 'BEGIN {
        off = ceiling / measured - 1
        bad = worst == 0 || worst > 2 || off > limit || off < -limit
        printf "%-22s %-12s %4s %7.0f ms %7.0f ms %8.2fx %8.2fx %+6.1f %%%s\n", plant, finding,
            worst ? worst : "none", naive, plain, measured, ceiling, 100 * off, bad ? "  FAILED" : ""
        exit bad }'
}

printf '%-22s %-12s %4s %10s %10s %9s %9s %8s\n' planted finding rank naive repaired measured \
    ceiling off
failed=0
grep -v '^#' "$table" > "$folder/rows"
while IFS='|' read -r finding model ways sizes small large; do
    : "$small"
    # shellcheck disable=SC2086 # words
    measure $finding $model $ways $sizes $large < /dev/null || failed=1
done < "$folder/rows"
echo "medians of $runs, interleaved, of processor time; the rank is the worst of all; at most 15 % off"
exit "$failed"
