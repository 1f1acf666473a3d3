/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sanitizer's runtime replaces functions of libc, and is not ready before the program's
 * constructors run.  The dynamic linker allocates earlier: it would crash in these functions if the
 * shim called them then.
 *
 * Decision: doc/decisions/sanitizers.
 */
#include "platform/sanitizer.h"

#include <stdbool.h>
#include <stddef.h>

#include "platform/link_list.h"

static const struct {
    const char *symbol;
    const char *name;
} sanitizers[] = {
#define SANITIZER(symbol, name) {symbol, name},
#include "spec/sanitizers.def"
#undef SANITIZER
};

static const char *find(void)
{
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (link_list_defines(sanitizers[i].symbol))
            return sanitizers[i].name;
    return NULL;
}

const char *sanitizer_find(void)
{
    static bool is_known;
    static const char *found;

    if (!is_known)
        found = find();
    is_known = true;
    return found;
}
