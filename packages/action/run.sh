#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the program under tprof, in turn with that of the base: a drift of the machine then meets
# both sides.
set -eu
folder=$RUNNER_TEMP/tprof

case $INPUT_RUNS in
'' | *[!0-9]* | 0)
    echo "::error title=tprof::runs: expected a number from 1 on"
    exit 2
    ;;
esac

# A side, the number of the run, and the command.
measure() {
    status=0
    sh -c "exec \"\$0\" run -f --quiet yes -o \"\$1\" -- $3" \
        "$INPUT_TPROF" "$folder/$1/$2.tprof" || status=$?
    [ "$status" -eq 0 ] || echo "::error title=tprof::Run $2 of $1 ended with status $status."
    return "$status"
}

rm -rf "$folder"
mkdir -p "$folder/base" "$folder/new"
run=1
while [ "$run" -le "$INPUT_RUNS" ]; do
    [ -z "$INPUT_BASE_COMMAND" ] || measure base "$run" "$INPUT_BASE_COMMAND"
    measure new "$run" "$INPUT_COMMAND"
    run=$((run + 1))
done
