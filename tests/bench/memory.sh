#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The cost of recording allocations: pairs of malloc and free, and real programs, each plain,
# without chains, with chains, and under heaptrack if installed, in turn; medians.
#
#     tests/bench/memory.sh RUNS LIBTPROF BENCH_ALLOC [CASE...]
#
# Cases: pairs cc1 tesseract fasttext python torch; all that are installed.
set -eu

if [ $# -lt 3 ]; then
    echo "usage: memory.sh RUNS LIBTPROF BENCH_ALLOC [CASE...]" >&2
    exit 2
fi
runs=$1
shim=$2
bench=$3
shift 3
cases=${*:-pairs cc1 tesseract fasttext python torch}
python=/usr/bin/python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

has() {
    command -v "$1" >/dev/null 2>&1
}

# under WAY COMMAND...: run it plain or profiled.
under() {
    way=$1
    shift
    case $way in
    plain) "$@" ;;
    nostack | full)
        env TPROF_ALLOC="$way" TPROF_OUTPUT="$folder/trace" TPROF_QUIET=yes LD_PRELOAD="$shim" "$@"
        ;;
    heaptrack) heaptrack --raw -o "$folder/raw" "$@" ;;
    esac
}

clean() {
    rm -f "$folder"/trace* "$folder"/raw*
}

ways='plain nostack full'
! has heaptrack || ways="$ways heaptrack"

median() {
    sort -n "$1" | awk '{ t[NR] = $1 } END { print NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}

# Print the nanoseconds that a command took.
nanoseconds() {
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1 </dev/null || true
    end=$(date +%s%N)
    echo $((end - start))
}

# pairs CASE THREADS: what is added to a pair.
pairs() {
    rm -f "$folder"/times.*
    run=0
    while [ "$run" -lt "$runs" ]; do
        for way in $ways; do
            under "$way" "$bench" "$1" "$2" 2000000 2>/dev/null | grep -E '^[0-9.]+$' >>"$folder/times.$way"
            clean
        done
        run=$((run + 1))
    done
    plain=$(median "$folder/times.plain")
    printf '%-9s %s thread(s): plain %5.1f ns' "$1" "$2" "$plain"
    for way in $ways; do
        [ "$way" = plain ] || printf ', %s +%.1f' "$way" "$(echo "$(median "$folder/times.$way") $plain" | awk '{ print $1 - $2 }')"
    done
    echo
}

# program NAME COMMAND...: the factor by which its time grows.
program() {
    name=$1
    shift
    rm -f "$folder"/times.*
    nanoseconds "$@" >/dev/null
    run=0
    while [ "$run" -lt "$runs" ]; do
        for way in $ways; do
            nanoseconds under "$way" "$@" >>"$folder/times.$way"
            clean
        done
        run=$((run + 1))
    done
    plain=$(median "$folder/times.plain")
    printf '%-9s plain %6.2f s' "$name" "$(echo "$plain" | awk '{ print $1 / 1e9 }')"
    for way in $ways; do
        [ "$way" = plain ] || printf ', %s %.3fx' "$way" "$(echo "$(median "$folder/times.$way") $plain" | awk '{ print $1 / $2 }')"
    done
    echo
}

# A C file of some 2 MB when it is preprocessed, of a few hundred functions a turn.
write_source() {
    awk 'BEGIN {
        print "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"
        for (i = 0; size < 1950000; i++) {
            text = sprintf("struct node%d { struct node%d *next; int key; double values[8]; char name[16]; };\nstatic int compare%d(const void *a, const void *b) { const struct node%d *x = a, *y = b; return x->key < y->key ? -1 : x->key > y->key; }\ndouble work%d(struct node%d *list, int count) { double sum = 0; int j, k;\n for (j = 0; j < count; j++) { for (k = 0; k < 8; k++) { if (list[j].values[k] > %d.5) sum += list[j].values[k] * %d; else sum -= sqrt(list[j].values[k] + k); }\n switch (list[j].key %% 7) { case 0: sum *= 2; break; case 1: sum += strlen(list[j].name); break; case 2: list[j].key++; break; default: list[j].values[j & 7] = sum; } }\n qsort(list, count, sizeof *list, compare%d); return sum; }\n", i, i, i, i, i, i, i, i % 17 + 1, i)
            size += length(text)
            printf "%s", text
        }
    }'
}

run_cc1() {
    has gcc || return 0
    write_source >"$folder/big.c"
    gcc -E "$folder/big.c" -o "$folder/big.i"
    program cc1 "$(gcc -print-prog-name=cc1)" -quiet -O1 "$folder/big.i" -o "$folder/big.s"
}

run_tesseract() {
    has tesseract || return 0
    has text2image || return 0
    head -c 2500 "$(dirname "$0")/../../HACKING" >"$folder/page.txt"
    text2image --text="$folder/page.txt" --outputbase="$folder/page" --fonts_dir=/usr/share/fonts \
        --font='DejaVu Sans Mono' --ptsize=12 --resolution=200 >/dev/null 2>&1 || return 0
    OMP_THREAD_LIMIT=1 program tesseract tesseract "$folder/page.tif" "$folder/page"
}

run_fasttext() {
    has fasttext || return 0
    awk 'BEGIN { srand(1); for (i = 0; i < 60000; i++) { for (j = 0; j < 12; j++) printf "word%d ", int(exp(rand() * 9)); print "" } }' >"$folder/words"
    program fasttext fasttext skipgram -input "$folder/words" -output "$folder/model" -thread 1 -epoch 1 -dim 50 -bucket 100000
}

run_python() {
    "$python" -c 'import numpy' 2>/dev/null || return 0
    cat >"$folder/job.py" <<'END'
import json, numpy, random
random.seed(1)
data = [{"id": i, "name": "item%d" % i, "values": [random.random() for _ in range(10)],
         "tags": {"a": i % 7, "b": str(i)}} for i in range(8000)]
for turn in range(6):
    back = json.loads(json.dumps(data))
    values = numpy.array([x["values"] for x in back])
    numpy.sort(values, axis=0), values @ values.T[:, :50], values.mean(0)
END
    PYTHONMALLOC=malloc program python "$python" "$folder/job.py"
}

run_torch() {
    "$python" -c 'import torchvision' 2>/dev/null || return 0
    cat >"$folder/net.py" <<'END'
import torch, torchvision
torch.manual_seed(0)
torch.set_num_threads(1)
model = torchvision.models.resnet18(weights=None).eval()
image = torch.randn(1, 3, 224, 224)
with torch.no_grad():
    for turn in range(60):
        model(image)
END
    program torch "$python" "$folder/net.py"
}

for case in $cases; do
    case $case in
    pairs)
        for threads in 1 2; do
            for shape in flat deep changing; do
                pairs "$shape" "$threads"
            done
        done
        ;;
    *) "run_$case" ;;
    esac
done
