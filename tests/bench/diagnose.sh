#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Checks whether tprof bottlenecks promises the real gains of repairs: each program of
# plants.table runs with its fault and without it in turn, without the shim, and the median of the
# ratios is compared with the ceiling of the finding.  A predicting finding is right from 0.85 to
# 1.05 of its ceiling, a bounding one up to 1.05.
#
# Pairs are compared by wall time.  Then all processors are filled with spinning programs, and
# traces and pairs are made again: these are compared by processor time.
#
#     tests/bench/diagnose.sh PAIRS TABLE [MACHINE [ROWS]]
#
# TABLE is tests/system/plants.table; TPROF, SAMPLES and PROGRAMS are as in the harness.  Programs
# without their library are left out.  MACHINE is a calibration; without it, this machine is
# measured first.  ROWS is a pattern of the findings to measure.  BY=processor compares the quiet
# pairs by processor time, too, if the machine is not quiet; LOADED=no skips the second half,
# LOADED=only the first.  Exits with 1 if a finding is missing, or promises too much or too
# little.
set -eu
LC_ALL=C.UTF-8
export LC_ALL

if [ $# -lt 2 ]; then
    echo "usage: diagnose.sh PAIRS TABLE [MACHINE [ROWS]]" >&2
    exit 2
fi
pairs=$1
table=$2
rows=${4:-.}
: "${TPROF:=analyzer/tprof}" "${SAMPLES:=samples}" "${PROGRAMS:=tests/system}"
: "${BY:=wall}" "${LOADED:=yes}"
folder=$(mktemp -d)
spinners=()
end() {
    [ ${#spinners[@]} = 0 ] || kill "${spinners[@]}" 2> /dev/null || :
    rm -rf "$folder"
}
trap end EXIT
OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
export OPENBLAS_NUM_THREADS OMP_NUM_THREADS
machine=${3:-}
if [ ! -s "$machine" ]; then
    machine=$folder/machine.json
    "$TPROF" calibrate --threads 1 -o "$machine" > /dev/null
fi
: "${srcdir:=.}"
# shellcheck source=tests/system/plants/build.sh
. "$srcdir/tests/system/plants/build.sh"
plants_build "$folder"
PATH=$SAMPLES:$PROGRAMS:$folder:$PATH
export PATH

median() {
    sort -g | awk '{ t[NR] = $1 }
        END { print NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}

# The seconds of the wall and of processors that a command took, on a line.
seconds() {
    local TIMEFORMAT='%R %U %S'
    { time "$@" > /dev/null 2>&1 < /dev/null; } 2>&1 | awk '{ print $1, $2 + $3 }'
}

# Pairs of a planted and a repaired run: the ratios by wall time and by processor time.
measure() {
    local planted=$1 repaired=$2 i
    for ((i = 0; i < pairs; i++)); do
        # shellcheck disable=SC2086 # words
        echo "$(seconds env $planted) $(seconds env $repaired)"
    done | tee "$folder/seconds" | awk '{ print $1 / $3, $2 / ($4 > 0 ? $4 : 0.001) }' > "$folder/ratios"
}

# The ceiling of a finding, its confidence and its kind, as medians of as many traces as pairs: 0
# if it is missing, 1 if it promises nothing, 1000 if its ceiling has no bound.
diagnose() {
    local id=$1 words=$2 command=$3 i
    for ((i = 0; i < pairs; i++)); do
        rm -f "$folder/trace"
        # shellcheck disable=SC2086 # words
        "$TPROF" run -o "$folder/trace" -- env $command > /dev/null 2>&1 < /dev/null
        "$TPROF" bottlenecks --json --machine "$machine" "$folder/trace" |
            jq -r --arg id "$id" --arg words "$words" '[.findings[] |
                select(.id == $id and (.title | contains($words)))] | first |
                if . then "\(.ceiling // (if .ceiling_kind then 1000 else 1 end)) \(.confidence) \(.ceiling_kind // "none")"
                else "0 0 none" end'
    done > "$folder/ceilings"
    echo "$(cut -d ' ' -f 1 "$folder/ceilings" | median)" \
        "$(cut -d ' ' -f 2 "$folder/ceilings" | median)" \
        "$(cut -d ' ' -f 3 "$folder/ceilings" | sort | sed -n "$((pairs / 2 + 1))p")"
}

# A cell of the table: ceiling, measured, their ratio, and what that is.
judge() {
    awk -v kind="$1" -v ceiling="$2" -v measured="$3" 'BEGIN {
        ratio = ceiling > 0 ? measured / ceiling : 0
        verdict = "ok"
        if (!(ceiling > 0))
            verdict = "NOT FOUND"
        else if (ratio > 1.05)
            verdict = "TOO LITTLE"
        else if (kind == "prediction" && ratio < 0.85)
            verdict = "TOO MUCH"
        printf "%8.2f | %8.2f | %5.2f | %-10s", ceiling, measured, ratio, verdict }'
}

spin() {
    local i
    for ((i = $(nproc); i > 0; i--)); do
        (while :; do :; done) &
        spinners+=($!)
    done
}

still() {
    kill "${spinners[@]}"
    wait "${spinners[@]}" 2> /dev/null || :
    spinners=()
}

by_wall() {
    cut -d ' ' -f 1 "$folder/ratios" | median
}

by_processor() {
    cut -d ' ' -f 2 "$folder/ratios" | median
}

# Cells of a row, by the wall's clock or that of processors: id, words, planted, repaired, clock.
cells() {
    local ceiling confidence kind measured
    read -r ceiling confidence kind < <(diagnose "$1" "$2" "$3")
    measure "$3" "$4"
    measured=$([ "$5" = wall ] && by_wall || by_processor)
    printf ' | %-10s | %10s | %s' "$kind" "$confidence" "$(judge "$kind" "$ceiling" "$measured")"
}

# Finding, planted, repaired.
row() {
    local id=${1%%:*} words=${1#*:}
    [ "$words" != "$1" ] || words=
    printf '| %-12s | %-44s' "$id" "${2%% [0-9]*}"
    [ "$LOADED" = only ] || cells "$id" "$words" "$2" "$3" "$BY"
    if [ "$LOADED" != no ]; then
        spin
        cells "$id" "$words" "$2" "$3" processor
        still
    fi
    echo ' |'
}

# Ask whether the program of a command was built; the command may start with settings.
is_built() {
    local word
    for word in $1; do
        [[ $word == *=* ]] || break
    done
    command -v "$word" > /dev/null
}

trim() {
    local text=$1
    text=${text#"${text%%[! ]*}"}
    echo "${text%"${text##*[! ]}"}"
}

heading='kind       | confidence | ceiling  | measured | ratio | verdict   '
printf '| %-12s | %-44s' finding planted
[ "$LOADED" = only ] || printf ' | %s' "$heading"
[ "$LOADED" = no ] || printf ' | %s' "$heading"
printf ' |\n'
failed=0
while IFS='|' read -r finding planted repaired small large; do
    : "$small"
    large=$(trim "$large")
    [[ $finding =~ $rows ]] || continue
    is_built "$planted" || continue
    row "$(trim "$finding")" "$(trim "${planted//@/$large}")" \
        "$(trim "${repaired//@/$large}")" | tee "$folder/row"
    ! grep -qE 'NOT FOUND|TOO' "$folder/row" || failed=1
done < <(grep -v '^#' "$table")
[ "$LOADED" = only ] || echo "medians of $pairs pairs in turn by $BY time"
[ "$LOADED" = no ] || echo "medians of $pairs pairs in turn by processor time, all processors full"
exit "$failed"
