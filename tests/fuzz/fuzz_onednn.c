/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a log of oneDNN; what becomes a trace must open.  See tests/fuzz/local.mk for
 * how it runs.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "import/onednn.h"
#include "model/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void open_trace(int descriptor)
{
    const struct session_options options = session_defaults();
    struct session session;
    struct diagnostic diagnostic;
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (session_open(&session, path, &options, &diagnostic))
        abort();
    session_close(&session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct onednn_outcome outcome;
    struct diagnostic diagnostic;
    int descriptor = memfd_create("trace", MFD_CLOEXEC);
    FILE *out = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    FILE *log = size == 0 ? NULL : fmemopen((void *)(uintptr_t)data, size, "r");

    if (out && log && !onednn_import(log, "log", out, &outcome, &diagnostic) && fflush(out) == 0)
        open_trace(descriptor);
    if (log)
        fclose(log);
    if (out)
        fclose(out);
    return 0;
}
