#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Frames of a program whose trace has 64 KiB of events, so that its chunks are reused all the time.
#
#   live.sh SHIM PROGRAM READER [FRAMES]     PROGRAM is tests/system/watched
set -eu
shim=$1 program=$2 reader=$3 frames=${4:-100000}
folder=$(mktemp -d)
mkfifo "$folder/input"
TPROF_QUIET=yes TPROF_OUTPUT=$folder/trace TPROF_CAPACITY=64K TPROF_OVERHEAD=none \
    LD_PRELOAD=$shim "$program" churn < "$folder/input" > "$folder/truth" &
pid=$!
exec 9> "$folder/input"
trap 'exec 9>&-; wait "$pid"; rm -r "$folder"' EXIT
until grep -q ready "$folder/truth"; do sleep 0.1; done
"$reader" "$folder/trace" "$frames"
