/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls nested in others of the same routine, by their names.
 */
#include "kernels/nesting.h"

#include <string.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

static const char *const prefixes[] = {
#define PREFIX(prefix, suffix, precision)
#define PREFIX_LETTER(prefix, suffix) prefix,
#include "kernels/kernel_prefixes.def"
#undef PREFIX
#undef PREFIX_LETTER
};

/* The endings of the name in other interfaces, the longest first. */
static const char *const suffixes[] = {"_work_64", "_work", "_64_", "64_", "_64", "_"};

struct word {
    const char *bytes;
    size_t size;
};

static struct word without_suffix(struct word word)
{
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t size = strlen(suffixes[i]);

        if (word.size > size && strncmp(word.bytes + word.size - size, suffixes[i], size) == 0)
            return (struct word){word.bytes, word.size - size};
    }
    return word;
}

/* "dgemm" of "cblas_dgemm" and of "dgemm_". */
static struct word find_routine(const char *name)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t size = strlen(prefixes[i]);

        if (strncmp(name, prefixes[i], size) == 0)
            return without_suffix((struct word){name + size, strlen(name + size)});
    }
    return without_suffix((struct word){name, strlen(name)});
}

static bool is_same_routine(const char *a, const char *b)
{
    struct word left = find_routine(a), right = find_routine(b);

    return left.size == right.size && memcmp(left.bytes, right.bytes, left.size) == 0;
}

bool nesting_is_same(const struct session *session, const struct session_slot *slot)
{
    const struct session_around *around = slot->around.items;
    const char *name = session_name_slot(session, slot);

    for (size_t i = 0; i < slot->around.count; i++) {
        const char *other =
            around[i].slot == SESSION_NONE
                ? NULL
                : session_name_slot(session, session_slot_at(session, around[i].slot));

        if (!name || !other || !is_same_routine(name, other))
            return false;
    }
    return slot->nested && slot->around.count > 0;
}
