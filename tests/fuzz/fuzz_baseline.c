/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a baseline; a readable baseline is also written.  See tests/fuzz/local.mk for how it
 * runs.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runs/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(const struct run_side *side)
{
    struct text text;

    text_init(&text);
    baseline_append(side, &text);
    text_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[32];
    bool is_minimal;
    struct run_side side;
    struct diagnostic diagnostic;
    int descriptor = memfd_create("baseline", MFD_CLOEXEC);

    if (descriptor < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    run_side_init(&side, "base");
    if (write(descriptor, data, size) == (ssize_t)size && baseline_is_at(path) &&
        !baseline_read(&side, &is_minimal, path, &diagnostic))
        write_again(&side);
    run_side_fini(&side);
    close(descriptor);
    return 0;
}
