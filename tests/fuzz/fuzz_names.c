/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as the name of a symbol, and as the name that a row shortens.  A row's name has no more
 * bytes than the whole, except the marks for omitted parts.  See tests/fuzz/local.mk for how it
 * runs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "places/short_name.h"
#include "symbols/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PRINTED_MOST = 40000, LEFT_OUT = 8 };

static void shorten(const char *name)
{
    struct text row;

    text_init(&row);
    short_name_append(&row, name);
    if (row.size > LEFT_OUT * (strlen(name) + 1))
        abort();
    text_fini(&row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = malloc(size + 1);
    struct text text;

    if (!name)
        abort();
    memcpy(name, data, size);
    name[size] = '\0';
    text_init(&text);
    bool is_told = demangle_append(&text, name);
    if (text.size > PRINTED_MOST && text.size > size)
        abort();
    shorten(is_told ? text.bytes : name);
    shorten(name);
    text_fini(&text);
    free(name);
    return 0;
}
