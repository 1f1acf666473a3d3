/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runtime of a sanitizer stands in front of libc's functions, and is not ready
 * for the first of them before the program's constructors run: the dynamic linker,
 * which obtains blocks earlier, would crash in what we call then.
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
