#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How the time of tprof's commands grows if a trace has very many of something: a quarter of it
# and all of it, the processor time in seconds, and the factor between the two.  4 is linear, 16
# is quadratic.
#
#     tests/bench/scale.sh LIBTPROF WIDE LIBRARY TPROF
set -eu

if [ $# -ne 4 ]; then
    echo "usage: scale.sh LIBTPROF WIDE LIBRARY TPROF" >&2
    exit 2
fi
shim=$1
wide=$2
library=$3
tprof=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Print the processor time of a command in seconds, as replay.sh does.
seconds() {
    sh -c '"$@" >/dev/null 2>&1; times' sh "$@" |
        awk -F'[ms ]+' 'NR == 2 { print $1 * 60 + $2 + $3 * 60 + $4 }'
}

# Arguments: a sort and a count.
record() {
    TPROF_OUTPUT=$folder/$1-$2 TPROF_QUIET=yes LD_PRELOAD=$shim "$wide" "$1" "$2" "$folder"
}

number=0
while [ "$number" -lt 2000 ]; do
    cp "$library" "$folder/$number.so"
    number=$((number + 1))
done

while read -r sort count; do
    record "$sort" $((count / 4))
    record "$sort" "$count"
    while read -r command; do
        # shellcheck disable=SC2086 # a command has options
        quarter=$(seconds "$tprof" $command "$folder/$sort-$((count / 4))")
        # shellcheck disable=SC2086
        whole=$(seconds "$tprof" $command "$folder/$sort-$count")
        echo "$sort $count $quarter $whole $command" |
            awk '{ printf "%-9s %6d  %6.2f %6.2f  %5.1f x  ", $1, $2, $3, $4, $4 / ($3 + 0.001)
                   $1 = $2 = $3 = $4 = ""; print }'
    done <<COMMANDS
report
report --json
top
timing
timing --by region --json
bottlenecks
memory
memory --by tree
leaks
flops
flops --by region --json
regions
steps
threads
coverage
compare $folder/$sort-$((count / 4))
COMMANDS
    rm "$folder/$sort-$((count / 4))" "$folder/$sort-$count"
done <<EOF2
regions 125000
instances 260000
shapes 100000
scores 40000
cubes 40000
snapshots 100000
requests 260000
metrics 16000
threads 2000
alive 1000
modules 2000
chains 600000
EOF2
