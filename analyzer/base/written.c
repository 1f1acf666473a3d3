/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stream of stdio into memory.
 */
#include "base/written.h"

#include <stdlib.h>

void written_append(struct text *text, void (*write)(const void *of, FILE *out), const void *of)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    if (!out)
        return;
    write(of, out);
    fclose(out);
    text_append_bytes(text, bytes, size);
    free(bytes);
}
