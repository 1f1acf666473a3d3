/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first line of a file.
 */
#include "machine/first_line.h"

#include <stdio.h>
#include <string.h>

bool first_line_read(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    bool has_line = file && fgets(line, (int)size, file);

    if (file)
        fclose(file);
    if (has_line)
        line[strcspn(line, "\n")] = '\0';
    return has_line;
}
