#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The changes that the gate detects.  A short program is compared with itself, with a kernel of 3
# % of the time that is 5 % slower in each call, with every third call 15 % slower, and with one
# call more in 200.
#
#     tests/bench/gate.sh ROUNDS GATES LIBTPROF PLANTED TPROF
#
# All variants run in turn, ROUNDS times each; then GATES times, ten consecutive runs of one are
# gated against the ten runs of the plain program made between them.  The tens overlap if there
# are fewer than 10 * GATES rounds.
set -eu

if [ $# -ne 5 ]; then
    echo "usage: gate.sh ROUNDS GATES LIBTPROF PLANTED TPROF" >&2
    exit 2
fi
rounds=$1
gates=$2
shim=$3
planted=$4
tprof=$5
side=10
TPROF_KERNELS=$(dirname "$0")/planted.kernels
TPROF_QUIET=yes
export TPROF_KERNELS TPROF_QUIET
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# record SIDE ROUND [ARGUMENT...]
record() {
    record_side=$1
    record_round=$2
    shift 2
    TPROF_OUTPUT=$folder/$record_side.$record_round.tprof LD_PRELOAD=$shim "$planted" "$@" > "$folder/out"
}

# The traces of a side from a round on.
ten() {
    ten_round=$2
    while [ "$ten_round" -lt $(($2 + side)) ]; do
        echo "$folder/$1.$ten_round.tprof"
        ten_round=$((ten_round + 1))
    done
}

# Gate a side against the plain one, and print how often it failed and with which result.
count() {
    failed=0
    gate=0
    : > "$folder/what"
    while [ "$gate" -lt "$gates" ]; do
        start=$((gate * (rounds - side) / gates))
        # shellcheck disable=SC2046 # a list of files
        "$tprof" gate --json $(ten plain $start) -- $(ten "$1" $start) > "$folder/json" || [ $? -eq 1 ]
        failed=$((failed + $(jq '.gate.verdict == "failed" | if . then 1 else 0 end' "$folder/json")))
        jq -r '.checks[] | select(.outcome == "failed") | .check' "$folder/json" >> "$folder/what"
        gate=$((gate + 1))
    done
    printf '%-28s %3d of %d fail' "$2" "$failed" "$gates"
    sort "$folder/what" | uniq -c |
        awk '{ count = $1; $1 = ""; sub(/^ /, ""); printf "%s%s (%d)", (NR > 1 ? ", " : ": "), $0, count }'
    echo
}

if [ "$rounds" -lt $side ]; then
    echo "gate.sh: at least $side rounds" >&2
    exit 2
fi
round=0
while [ "$round" -lt "$rounds" ]; do
    record plain "$round"
    record again "$round"
    record slower "$round" 0.05
    record third "$round" 0.05 3
    record more "$round" 0 1 1
    round=$((round + 1))
done
count again "the same program"
count slower "5 % in each call"
count third "15 % in every third call"
count more "one call of 200 more"
