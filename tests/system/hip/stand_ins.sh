# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Builds the libraries that stand in for AMD's, and programs over them.  A script sources it after
# the harness.

HIP=$srcdir/tests/system/hip

build_libraries() {
    compile libamdhip64.so.6 -shared -fPIC -Wl,-soname,libamdhip64.so.6 "$HIP/amdhip.c"
    compile librocblas.so.4 -shared -fPIC -Wl,-soname,librocblas.so.4 "$HIP/rocblas.c" \
        ./libamdhip64.so.6 -Wl,-rpath,.
    compile libhipblas.so.2 -shared -fPIC -Wl,-soname,libhipblas.so.2 -DHIPBLAS "$HIP/rocblas.c" \
        ./librocblas.so.4 -Wl,-rpath,.
}

# A program and the libraries that it loads.
build() {
    source=$1
    shift
    compile program -g "$HIP/$source.c" -Wl,--no-as-needed "$@" -Wl,-rpath,. -ldl
}
