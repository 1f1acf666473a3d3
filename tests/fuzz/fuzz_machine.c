/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as the file of a calibration; a readable calibration is also used and written.  See
 * tests/fuzz/local.mk for how it runs.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/machine_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_up(const struct machine *machine)
{
    struct machine_roof roof = machine_find_roof(machine, MACHINE_F32, 1e6, 3);
    struct text text;

    machine_attainable(&roof, 1);
    machine_gemm(machine, MACHINE_F64, 7);
    text_init(&text);
    machine_file_append(machine, &text);
    text_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    struct machine machine;
    struct diagnostic diagnostic;
    int descriptor = memfd_create("machine", MFD_CLOEXEC);

    if (descriptor < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (write(descriptor, data, size) == (ssize_t)size &&
        !machine_file_read(&machine, path, &diagnostic)) {
        look_up(&machine);
        machine_fini(&machine);
    }
    close(descriptor);
    return 0;
}
