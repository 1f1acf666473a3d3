# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Builds the libraries that stand in for NVIDIA's, and programs over them.  A script sources it after
# the harness.

CUDA=$srcdir/tests/system/cuda

# Words for the compiler of CUPTI's stand-in may follow.
build_libraries() {
    compile libcudart.so.13 -shared -fPIC -Wl,-soname,libcudart.so.13 "$CUDA/cudart.c"
    compile libcupti.so.13 -shared -fPIC -Wl,-soname,libcupti.so.13 "$@" "$CUDA/cupti.c" \
        ./libcudart.so.13 -Wl,-rpath,.
    compile libcublas.so.13 -shared -fPIC -Wl,-soname,libcublas.so.13 "$CUDA/cublas.c" \
        ./libcudart.so.13 -Wl,-rpath,.
    compile libcuda.so.1 -shared -fPIC -Wl,-soname,libcuda.so.1 "$CUDA/driver.c" \
        ./libcudart.so.13 -Wl,-rpath,.
}

# A program and the libraries that it loads.
build() {
    source=$1
    shift
    compile program -g "$CUDA/$source.c" -Wl,--no-as-needed "$@" -Wl,-rpath,. -ldl
}

# NVML's stand-in, which is found by LD_LIBRARY_PATH alone.  Words for the compiler may follow.
build_nvml() {
    compile libnvidia-ml.so.1 -shared -fPIC -Wl,-soname,libnvidia-ml.so.1 "$@" "$CUDA/nvml.c"
}
