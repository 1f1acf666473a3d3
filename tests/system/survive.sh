# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# For tests of programs that break a preloaded profiler: a run with the shim against one without,
# and the counts of the region "work" against the truth that the program prints.

# shellcheck disable=SC2154 # status is the harness's

LIMIT=60 # seconds; a hang is a failure

# A command: with the shim it behaves as it does alone.  WITH names other preloaded libraries:
# first:FILE before the shim, behind:FILE after.
runs_the_same() {
    try timeout "$LIMIT" env LD_PRELOAD="$(preloads alone)" "$@" > plain 2> plain.err
    plain_status=$status
    rm -f trace
    try timeout "$LIMIT" env TPROF_OUTPUT=trace TPROF_QUIET=yes LD_PRELOAD="$(preloads shim)" \
        "$@" > out 2> err
    [ "$status" -eq "$plain_status" ] || fail "status $status, alone $plain_status: $(cat err)"
    is_file err plain.err "standard error"
}

preloads() {
    shim=
    [ "$1" = alone ] || shim=$LIBTPROF
    case ${WITH-} in
    first:*) echo "${WITH#first:}${shim:+:$shim}" ;;
    behind:*) echo "${shim:+$shim:}${WITH#behind:}" ;;
    *) echo "$shim" ;;
    esac
}

# The program's output is the same, and its truth agrees with the recording.
survives() {
    runs_the_same "$@"
    is_file out plain "standard output"
    work_is_exact
}

truth_number() {
    sed -n "s/^truth: $1 //p" out
}

work_number() {
    jq "(.regions // .rows)[] | select(.path == \"work\") | .$1" memory.json
}

nothing_is_lost() {
    is "$(values report.json .losses.events .losses.bad_records .losses.torn_chunks \
        .losses.unmatched)" "0 0 0 0" "events lost, bad records, torn chunks, unmatched"
}

work_is_exact() {
    "$TPROF" memory --json trace > memory.json
    report trace report.json
    jq -r '(.regions // .rows)[] | select(.path == "work") |
        "allocated_bytes \(.allocated_bytes)\nallocations \(.allocations)\nfrees \(.frees)"' \
        memory.json > recorded
    sed -n 's/^truth: \(allocat[a-z_]* .*\|frees .*\)/\1/p' out | sort > told
    is "$(wc -l < told)" 3 "totals that the program tells"
    is_file recorded told "what was recorded in the region, and what the program tells"
    nothing_is_lost
}
