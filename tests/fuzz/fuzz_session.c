/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_session.c: open any bytes as a trace.
 *
 * With clang, build this with -fsanitize=fuzzer,address and -DFUZZ_LIBFUZZER
 * for libFuzzer.  Otherwise it is a program that opens the files it is given,
 * which serves AFL (fuzz_session @@) and replays what a fuzzer has found.
 * Any outcome is right but a crash, a hang or a report of a sanitizer.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void fuzz_open(const char *path)
{
    const struct session_options options = session_defaults();
    struct session session;
    struct diagnostic diagnostic;

    if (!session_open(&session, path, &options, &diagnostic))
        session_close(&session);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[32];
    int descriptor = memfd_create("trace", MFD_CLOEXEC);

    if (descriptor < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (write(descriptor, bytes, size) == (ssize_t)size)
        fuzz_open(path);
    close(descriptor);
    return 0;
}

#ifndef FUZZ_LIBFUZZER
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        fuzz_open(argv[i]);
    return 0;
}
#endif
