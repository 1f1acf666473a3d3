# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Build the programs that plants.table uses besides the samples: plants_build FOLDER.  CC and
# srcdir are as in the harness.  Programs without their library are left out, and their rows are
# skipped.

plants_compile() {
    # shellcheck disable=SC2086 # CC may hold flags
    ${CC:-cc} -std=gnu11 -O2 -g -fno-builtin -o "$@" > /dev/null 2>&1 || rm -f "$1"
}

# Netlib's libblas is found in its own folder, whatever replaces it elsewhere: the program
# contains the folder, before LD_LIBRARY_PATH.
plants_build_blas() {
    plants_compile "$1/planted_openblas" "$plants/blas.c" ${CBLAS_FLAGS:-} -lopenblas -lm
    for plants_netlib in /usr/lib/*/blas/libblas.so.3; do
        [ -e "$plants_netlib" ] || continue
        plants_compile "$1/planted_netlib" "$plants/blas.c" ${CBLAS_FLAGS:-} "$plants_netlib" -lm \
            -Wl,--disable-new-dtags,-rpath,"${plants_netlib%/*}"
    done
}

plants_build() {
    plants=$srcdir/tests/system/plants
    set -- "$1" "$plants/plants.c" "$plants/products.c" "$plants/systems.c" "$plants/memory.c" \
        "$plants/kept.c" \
        "$plants/waits.c"
    folder_of_plants=$1
    shift
    plants_compile "$folder_of_plants/planted" "$@" ${CBLAS_FLAGS:-} -lopenblas -lm -lpthread
    plants_build_blas "$folder_of_plants"
    plants_compile "$folder_of_plants/planted_fftw" "$plants/fftw.c" -lfftw3 -lm
    plants_compile "$folder_of_plants/planted_onednn" "$plants/onednn.c" -ldnnl
    plants_compile "$folder_of_plants/planted_openmp" "$plants/openmp.c" -fopenmp
    if /usr/bin/python3 -c '' > /dev/null 2>&1; then
        cp "$plants/turns.py" "$folder_of_plants/planted_python"
        cp "$plants/waste.py" "$folder_of_plants/planted_waste"
        chmod +x "$folder_of_plants/planted_python" "$folder_of_plants/planted_waste"
    fi
    if /usr/bin/python3 -c 'import numpy' > /dev/null 2>&1; then
        cp "$plants/small.py" "$folder_of_plants/planted_numpy"
        cp "$plants/arrays.py" "$folder_of_plants/planted_arrays"
        chmod +x "$folder_of_plants/planted_numpy" "$folder_of_plants/planted_arrays"
    fi
}
