/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a log of a tool; if a trace results, it must open without bad records.
 */
#ifndef FUZZ_IMPORT_LOG_H
#define FUZZ_IMPORT_LOG_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "import/import.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_open.h"

static void open_trace(int descriptor)
{
    const struct session_options options = session_defaults();
    struct session session;
    struct diagnostic diagnostic;
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (session_open(&session, path, &options, &diagnostic))
        abort();
    if (session.losses.bad_records > 0 || session.losses.torn_chunks > 0)
        abort();
    session_close(&session);
}

static void import_bytes(const char *kind, const uint8_t *data, size_t size)
{
    struct diagnostic diagnostic;
    struct text_list notes;
    int descriptor = memfd_create("trace", MFD_CLOEXEC);
    FILE *out = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    FILE *log = size == 0 ? NULL : fmemopen((void *)(uintptr_t)data, size, "r");
    struct import_reading reading = {
        .log = log, .name = "log", .notes = &notes, .diagnostic = &diagnostic};

    text_list_init(&notes);
    if (out && log && !import_log(&reading, import_kind_find(kind), out) && fflush(out) == 0)
        open_trace(descriptor);
    text_list_fini(&notes);
    if (log)
        fclose(log);
    if (out)
        fclose(out);
}

#endif
