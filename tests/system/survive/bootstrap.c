/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library that replaces calloc as many do: it asks dlsym for the real one at the first call, and
 * dlsym may call calloc.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static char early[4096];
static size_t early_used;
static int is_asking;
static void *(*real_calloc)(size_t, size_t);
static void (*real_free)(void *);

void *calloc(size_t count, size_t size);
void free(void *block);

static void *take_early(size_t size)
{
    void *block = early + early_used;

    early_used += (size + 15) / 16 * 16;
    return early_used <= sizeof early ? block : NULL;
}

static void *ask(const char *name)
{
    void *found;

    is_asking = 1;
    found = dlsym(RTLD_NEXT, name);
    is_asking = 0;
    return found;
}

void *calloc(size_t count, size_t size)
{
    if (!real_calloc) {
        void *found;

        if (is_asking)
            return take_early(count * size);
        found = ask("calloc");
        memcpy(&real_calloc, &found, sizeof real_calloc);
    }
    return real_calloc(count, size);
}

void free(void *block)
{
    if ((char *)block >= early && (char *)block < early + sizeof early)
        return;
    if (!real_free) {
        void *found = ask("free");

        memcpy(&real_free, &found, sizeof real_free);
    }
    real_free(block);
}
