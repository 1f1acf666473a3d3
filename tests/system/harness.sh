# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# A small TAP library for the system tests; a *.test script sources it.
#
#   prove "a sentence that is true" function argument...
#   prove "another" function
#   plan
#
# Each proof is a function.  It runs in a new folder, which is removed when the function returns.
# It fails with the first command that fails, or with the first failing ok, is or fail; its output
# is then shown.  It may skip.
#
# From the environment, set by tests/local.mk or found beside the build:
#   TPROF     the analyzer      LIBTPROF  the shim
#   SAMPLES   folder of the sample programs
#   PROGRAMS  folder of the test programs built from tests/system/*.c
#   srcdir    top of the sources            CC  a C compiler

# The locale is part of what a program prints.
LC_ALL=C.UTF-8
export LC_ALL
# The caller's environment must not affect the runs.
unset TPROF_OUTPUT TPROF_ALLOC TPROF_KERNELS TPROF_CAPACITY TPROF_INTERVAL TPROF_FOLLOW \
    TPROF_QUIET TPROF_NAME TPROF_WRAP TPROF_WARMUP TPROF_RUNS TPROF_OVERHEAD TPROF_DISK TPROF_SNAPSHOT_SIGNAL TPROF_SAMPLE TPROF_RANGES TPROF_REQUESTS TPROF_KEEP LD_PRELOAD NO_COLOR COLUMNS CLICOLOR_FORCE
# A stage of recording in which the whole script runs.
case ${TEST_STAGE-} in
'') ;;
chains) export TPROF_OVERHEAD=0.0001% TPROF_DISK=none ;;
blocks) export TPROF_OVERHEAD=none TPROF_DISK="${STAGE_DISK:-2M}" ;;
*) exit 99 ;;
esac
OPENBLAS_NUM_THREADS=1
export OPENBLAS_NUM_THREADS
# Nor may a calibration of this machine.
XDG_CONFIG_HOME=/nonexistent
export XDG_CONFIG_HOME

: "${srcdir:=.}"
: "${CC:=cc}"
: "${TPROF:=$PWD/analyzer/tprof}"
: "${LIBTPROF:=$PWD/shim/.libs/libtprof.so}"
: "${SAMPLES:=$PWD/samples}"
: "${PROGRAMS:=$PWD/tests/system}"
VALUES=$PROGRAMS/values # a proof may have PROGRAMS of its own
srcdir=$(cd "$srcdir" && pwd)

SKIPPED=77
SIDE_BY_SIDE=4
proof_count=0
proof_folder=
proofs_beside= # folders of those that run side by side, a line each, the oldest first
proofs_running=0
line_break='
'

# ---- what a script calls ---------------------------------------------------

diag() {
    printf '%s\n' "$*" | sed 's/^/# /'
}

# The last line of a script: without it, the driver knows that the script broke off.
plan() {
    proofs_tell 0
    printf '1..%d\n' "$proof_count"
}

# Skip the whole script: there is nothing to plan.
skip_all() {
    printf '1..0 # SKIP %s\n' "$*"
    exit 0
}

# The tools that a script cannot do without.
need() {
    for need_tool in "$@"; do
        command -v "$need_tool" > /dev/null 2>&1 || skip_all "$need_tool is missing"
    done
}

# Programs are started with LD_PRELOAD, which has no quoting.
case $LIBTPROF in
*[\ :]*) skip_all "the linker ends a name of LD_PRELOAD at the space or colon in $LIBTPROF" ;;
esac

# A sentence, and the function with its arguments that shows it.
prove() {
    proofs_tell 0
    proof_begin "$1"
    shift
    set +e
    ( set -e; cd "$proof_folder/in"; "$@" ) > "$proof_folder/said" 2>&1
    proof_status=$?
    set -e
    proof_report "$proof_status"
    proof_remove
}

# The same for proofs that mostly wait, for example for a program that sleeps between its rounds:
# some run side by side, and are reported in order.
prove_beside() {
    proofs_tell $((SIDE_BY_SIDE - 1))
    proof_begin "$1"
    shift
    ( set -e; cd "$proof_folder/in"; "$@" ) > "$proof_folder/said" 2>&1 &
    echo $! > "$proof_folder/process"
    proofs_beside=$proofs_beside$proof_folder$line_break
    proofs_running=$((proofs_running + 1))
    proof_folder=
}

# For a proof that compares times: other programs on the machine can hide the effect, and can look
# like it.  A failed proof is tried again, twice, each time in a new folder.
#
#   prove "a sentence about times" in_three function argument...
in_three() {
    for try in 1 2 3; do
        set +e
        ( set -e; mkdir "try$try"; cd "try$try"; "$@" )
        status=$?
        set -e
        [ "$status" -ne 0 ] || return 0
        [ "$status" -ne "$SKIPPED" ] || exit "$SKIPPED"
        printf 'try %d failed with status %d\n' "$try" "$status"
    done
    exit "$status"
}

# ---- what a proof calls ----------------------------------------------------

skip() {
    printf '%s\n' "$*" > "$proof_folder/reason"
    exit "$SKIPPED"
}

fail() {
    printf '%s\n' "$*"
    exit 1
}

# The rest of the arguments is a command that must succeed.
ok() {
    "$@" || fail "failed with status $?: $*"
}

# Two texts, and their description.
is() {
    [ "$1" = "$2" ] || fail "$3: found '$1', expected '$2'"
}

# Two files, and their description.
is_file() {
    cmp -s "$1" "$2" || {
        diff -a "$1" "$2" | head -n 20
        fail "$3: $1 and $2 differ"
    }
}

at_least() {
    [ "$1" -ge "$2" ] || fail "$3: found $1, expected at least $2"
}

at_most() {
    [ "$1" -le "$2" ] || fail "$3: found $1, expected at most $2"
}

status=0 # of the last command that was tried

try() {
    status=0
    # shellcheck disable=SC2034 # the proofs read it
    "$@" || status=$?
}

# Run a program under the shim, without tprof run: its output and status are all its own.  The
# trace is ./trace, and exact unless the proof sets a budget.
shimmed() {
    TPROF_OVERHEAD=${TPROF_OVERHEAD-none} TPROF_OUTPUT=trace TPROF_QUIET=yes LD_PRELOAD=$LIBTPROF "$@"
}

# The same with variables of its own: NAME=VALUE... PROGRAM...  env is not recorded: where it waits
# long for a processor, it would have the trace.
shimmed_with() {
    env TPROF_OVERHEAD="${TPROF_OVERHEAD-none}" TPROF_OUTPUT=trace TPROF_QUIET=yes \
        LD_PRELOAD="$LIBTPROF" "$@"
}

# The known Pythons, each once: those of TEST_PYTHONS from 3.11 on, or all in PATH and of pyenv.
find_pythons() {
    for name in ${TEST_PYTHONS:-/usr/bin/python3 \
        $(printf '%s' "$PATH" | tr : '\n' | sed 's|$|/python3.1[1-9]|') \
        ${PYENV_ROOT:-$HOME/.pyenv}/versions/3.1[1-9].*/bin/python3}; do
        "$name" -c 'import os, sys
if sys.version_info >= (3, 11) and sys.implementation.name == "cpython":
    print(os.path.realpath(sys.executable))' 2> /dev/null || true
    done | sort -u
}

# In the stage of drawn blocks a proof may need more room for totals.
in_disk() {
    [ "${TEST_STAGE-}" != blocks ] || TPROF_DISK=$1
    shift
    "$@"
}

# The report of a trace as JSON, in a file.
report() {
    "$TPROF" report --json "$1" > "$2"
}

# What a JSON file has at paths of keys, such as .process.exit.kind, on one line: the file, then the
# paths.  For proofs that read very many reports; jq, which takes longer to start, does the rest.
values() {
    "$VALUES" "$@"
}

# A proof on a terminal: containers and sandboxes may let none be made.
needs_terminal() {
    command -v python3 > /dev/null || skip "python3 is missing"
    python3 -c 'import os; os.openpty()' 2> "$proof_folder/terminal" ||
        skip "no terminal can be made: $(tail -n 1 "$proof_folder/terminal")"
}

# Compile a test program of this folder: its name here, then sources and flags.
compile() {
    compile_output=$1
    shift
    # shellcheck disable=SC2086 # CC may hold flags
    $CC -O1 -g -D_GNU_SOURCE -o "$compile_output" -I "$srcdir/shim" "$@"
}

# ---- inside ----------------------------------------------------------------

proof_begin() {
    proof_folder=$(mktemp -d "${TMPDIR:-/tmp}/tprof-test.XXXXXX") || exit 99
    mkdir "$proof_folder/in"
    printf '%s\n' "$1" > "$proof_folder/name"
}

proofs_take_oldest() {
    proof_folder=${proofs_beside%%"$line_break"*}
    proofs_beside=${proofs_beside#*"$line_break"}
    proofs_running=$((proofs_running - 1))
}

# Wait for proofs that run side by side until at most this many are left.
proofs_tell() {
    while [ "$proofs_running" -gt "$1" ]; do
        proofs_take_oldest
        proof_status=0
        wait "$(cat "$proof_folder/process")" || proof_status=$?
        proof_report "$proof_status"
        proof_remove
    done
}

proof_report() {
    proof_count=$((proof_count + 1))
    proof_name=$(cat "$proof_folder/name")
    case $1 in
    0) printf 'ok %d - %s\n' "$proof_count" "$proof_name" ;;
    "$SKIPPED") proof_report_skip ;;
    *)
        printf 'not ok %d - %s\n' "$proof_count" "$proof_name"
        sed 's/^/# /' "$proof_folder/said"
        ;;
    esac
}

proof_report_skip() {
    printf 'ok %d - %s # SKIP ' "$proof_count" "$proof_name"
    cat "$proof_folder/reason" 2> /dev/null || echo "no reason given"
}

proof_remove() {
    [ -z "$proof_folder" ] || rm -rf "$proof_folder"
    proof_folder=
}

# A script that breaks off leaves nothing.
proofs_remove() {
    proof_remove
    while [ "$proofs_running" -gt 0 ]; do
        proofs_take_oldest
        proof_remove
    done
}

trap proofs_remove EXIT
trap 'exit 130' INT TERM HUP
set -e
