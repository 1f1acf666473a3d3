#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Judges the runs: annotations, the summary of the job, and the outputs.  The last step of the
# action fails with the verdict, so that a comment comes before.
set -eu
folder=$RUNNER_TEMP/tprof
summary=${GITHUB_STEP_SUMMARY:-/dev/null}

# Inputs are words of a shell, as in the workflow.
gate() {
    eval '"$INPUT_TPROF" gate --threshold "$INPUT_THRESHOLD" '"$INPUT_ARGUMENTS"' "$@"'
}

tell() {
    printf 'verdict=%s\nstatus=%s\nreport=%s\nnew-baseline=%s\n' "$1" "$2" \
        "$folder/report.md" "$folder/baseline.json" >> "$GITHUB_OUTPUT"
}

"$INPUT_TPROF" baseline -f -o "$folder/baseline.json" "$folder/new"
status=0
if [ -n "$INPUT_BASE_COMMAND" ]; then
    set -- "$folder/base" -- "$folder/new"
elif [ -e "$INPUT_BASELINE" ]; then
    set -- --baseline "$INPUT_BASELINE" "$folder/new"
else
    echo "::notice title=tprof::Nothing is judged: there is no baseline. Keep the output new-baseline."
    echo "tprof has no baseline yet, so nothing was judged." | tee -a "$summary" > "$folder/report.md"
    tell none 0
    exit 0
fi
gate --format github "$@" || status=$?
case $status in
0) tell passed 0 ;;
1) tell failed 1 ;;
4) tell not_enough_data 4 ;;
*) exit "$status" ;;
esac
gate --format markdown -f -o "$folder/report.md" "$@" || true
{ echo '## tprof report' && "$INPUT_TPROF" report --format markdown "$folder/new/1.tprof"; } >> "$summary"
