#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How much of the processor time of other people's programs gets a place and a name.  Each runs
# once under the shim; the output is the shares, tprof's own time, and the first rows of tprof
# time.
#
#     tests/bench/named.sh TPROF [-k FOLDER] [NAME...]
#
# The programs are rows of tests/bench/named/programs.table; missing ones are left out.  -k keeps
# the traces there, as NAME.PID.tprof.
set -eu

if [ $# -lt 1 ]; then
    echo "usage: named.sh TPROF [-k FOLDER] [NAME...]" >&2
    exit 2
fi
tprof=$(realpath "$1")
shift
here=$(realpath "$(dirname "$0")/named")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
traces=$folder/traces
if [ "${1:-}" = -k ]; then
    traces=$2
    shift 2
fi
mkdir -p "$traces"
traces=$(realpath "$traces")
wanted=" $* "
limit_s=60
export here

# Choose the trace of a run with the most processor time: a script that starts the program has
# one, too.  Print its times and shares, then its file.
weigh() {
    for trace in "$traces/$1".*.tprof; do
        [ -e "$trace" ] || continue
        "$tprof" report --format json "$trace" 2>/dev/null |
            jq -r --arg file "$trace" '.time | "\(.cpu_ns) \(.placed_fraction) \(.named_fraction) \(.samples) " +
                "\([.rows[] | select(.kind == "tprof") | .share] | add // 0) " + $file'
    done | sort -rn | head -n 1
}

run() {
    name=$1
    mkdir -p "$folder/$name"
    cd "$folder/$name"
    eval "$2" >/dev/null 2>&1
    rm -f "$traces/$name".*
    status=0
    eval "timeout $limit_s \"$tprof\" run --quiet yes -o \"$traces/$name.%p.tprof\" -- $3" >output 2>&1 </dev/null || status=$?
    cd / # the folder is removed
    weigh "$name" >"$folder/best"
    if [ ! -s "$folder/best" ]; then
        printf '%-12s no trace, status %d\n' "$name" "$status"
        return
    fi
    read -r cpu_ns placed named samples own trace <"$folder/best"
    awk -v name="$name" -v status="$status" -v cpu="$cpu_ns" -v placed="$placed" -v named="$named" \
        -v samples="$samples" -v own="$own" 'BEGIN {
        printf "%-12s status %d, %.2f s, %d samples: placed %.1f %%, named %.1f %%, tprof itself %.2f %%\n",
            name, status, cpu / 1e9, samples, placed * 100, named * 100, own * 100 }'
    "$tprof" time --format json "$trace" |
        jq -r '.rows[:10][] | "    \(.share * 1000 | round / 10) %\t\(.kind)\t\(.name)  [\(.library // "")]"'
}

tr -s ' ' <"$here/programs.table" | while IFS='|' read -r name package prepare command; do
    name=${name% }
    package=${package# }
    package=${package% }
    case $name in '' | '#'*) continue ;; esac
    case $wanted in *"  "* | *" $name "*) ;; *) continue ;; esac
    if ! dpkg-query -W "$package" >/dev/null 2>&1; then
        printf '%-12s left out: apt-get install %s\n' "$name" "$package"
        continue
    fi
    run "$name" "${prepare:-:}" "$command"
done
