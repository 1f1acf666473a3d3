/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One open, one read, one close: the kernel writes such a file whole.
 */
#include "platform/small_file.h"

#include "platform/calls.h"

ssize_t small_file_read(const char *path, char *text, size_t size)
{
    int descriptor = calls_open(path, O_RDONLY | O_CLOEXEC, 0);
    ssize_t used = -1;

    if (descriptor >= 0) {
        used = calls_read(descriptor, text, size - 1);
        calls_close(descriptor);
    }
    text[used > 0 ? used : 0] = '\0';
    return used;
}
