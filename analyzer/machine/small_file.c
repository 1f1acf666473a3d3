/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small files of the system for platform/cpu.c, which reads one on AArch64.  The shim's own reading
 * takes care of the program around it; there is none here.
 */
#include "platform/small_file.h"

#include <stdio.h>

ssize_t small_file_read(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    size_t used;

    text[0] = '\0';
    if (!file)
        return -1;
    used = fread(text, 1, size - 1, file);
    text[used] = '\0';
    fclose(file);
    return (ssize_t)used;
}
