# SPDX-License-Identifier: GPL-3.0-or-later
#
# Proofs on the plants of well-known costs: each is found with its line and in the default budget,
# and its repaired twin is not.  FAMILY.rows has a plant a line: the cost, the plant's name, its
# rounds, and a module of Python that it needs.  Of COSTS_EACH plants one is proved.
: "${ROUNDS_PERCENT:=40}" # enough for a few dozen samples
: "${COSTS_EACH:=1}"
COSTS=$(cd "$srcdir" && pwd)/tests/costs
plants=$(mktemp -d "${TMPDIR:-/tmp}/tprof-costs.XXXXXX") || exit 99
trap 'proofs_remove; rm -rf "$plants"' EXIT
"$TPROF" list costs --json | jq -r '.costs[] | .name + "\t" + .what' > "$plants/phrases"

# The phrase of a cost, with which the title of its finding begins.
phrase_of() {
    sed -n "s/^$1	//p" "$plants/phrases"
}

# The places of the findings of a cost in ./trace.
places_of() {
    ok "$TPROF" bottlenecks --json trace | jq -r --arg phrase "$1" '[.findings[] |
        select(.id == "KNOWN-COST" and (.title | startswith($phrase + " take"))) | .place][]'
}

has_module() {
    [ -z "$1" ] || "$PYTHON" -c "import $1" 2> missing || skip "$(tail -n 1 missing)"
}

recorded() {
    TPROF_OVERHEAD=5% shimmed "$@" > said || fail "the plant failed"
}

# A failed try runs longer: a fast machine, or one that others use, gives few samples.
rounds_of_try() {
    echo $(($1 * try * try))
}

# Cost, the plant's file, then its program, name and rounds, and a module that it needs.
planted() {
    cost=$1 file=$2 program=$3 plant=$4 rounds=$5
    has_module "$6"
    # shellcheck disable=SC2086 # a program and its argument
    recorded $program "$plant" planted "$(rounds_of_try "$rounds")"
    places_of "$(phrase_of "$cost")" > places
    grep -q "$file" places || fail "found: $(ok "$TPROF" bottlenecks --json trace |
        jq -r '[.findings[] | select(.id == "KNOWN-COST") | .title + ": " + .place] | join("; ")')"
}

repaired() {
    cost=$1 file=$2 program=$3 plant=$4 rounds=$5
    has_module "$6"
    # shellcheck disable=SC2086 # a program and its argument
    recorded $program "$plant" repaired "$(rounds_of_try "$rounds")"
    places_of "$(phrase_of "$cost")" > places
    ! grep -q . places || fail "found in the twin: $(cat places)"
}

# Prove all plants of a family: its rows, its file, the program that runs them.
prove_family() {
    number=0
    while read -r cost plant rounds module; do
        case $cost in \#* | "") continue ;; esac
        number=$((number + 1))
        [ $((number % COSTS_EACH)) -eq 0 ] || continue
        rounds=$((rounds * ROUNDS_PERCENT / 100 + 1))
        prove_beside "$1: $cost ($plant) is found" \
            in_three planted "$cost" "$2" "$3" "$plant" "$rounds" "$module"
        prove_beside "$1: $cost ($plant), repaired, is not" \
            in_three repaired "$cost" "$2" "$3" "$plant" "$rounds" "$module"
    done < "$COSTS/$1.rows"
}

# Compile the plants of a family.  Returns: whether there is a program.
compile_plants() {
    compiler=$1 family=$2 source=$3
    shift 3
    # shellcheck disable=SC2086 # a compiler may hold flags
    $compiler -O2 -g -o "$plants/$family" "$COSTS/$source" "$@" 2> "$plants/error" && return
    diag "$family: $(tail -n 1 "$plants/error")"
    return 1
}
