/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One open, one read, one close: the kernel produces such a file as a whole.
 */
#include "platform/small_file.h"

#include "platform/aside.h"
#include "platform/calls.h"

struct reading {
    const char *path;
    char *text;
    size_t size;
    ssize_t used;
};

static void read_file(void *of)
{
    struct reading *reading = of;
    int descriptor = calls_open(reading->path, O_RDONLY | O_CLOEXEC, 0);

    if (descriptor < 0)
        return;
    reading->used = calls_read(descriptor, reading->text, reading->size);
    calls_close(descriptor);
}

ssize_t small_file_read(const char *path, char *text, size_t size)
{
    struct reading reading = {path, text, size - 1, -1};

    aside_run(read_file, &reading);
    text[reading.used > 0 ? reading.used : 0] = '\0';
    return reading.used;
}
