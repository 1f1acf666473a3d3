/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plugin with its own allocator, which nobody may replace.
 */
#include <stddef.h>

void *malloc(size_t size);
void free(void *block);
void *plugin_obtain(size_t size);
void plugin_give_back(void *block);

static _Alignas(16) char arena[1 << 20];
static size_t used;

void *malloc(size_t size)
{
    char *block = arena + used;

    used += (size + 15) & ~(size_t)15;
    return used <= sizeof arena ? block : NULL;
}

void free(void *block)
{
    (void)block;
}

void *plugin_obtain(size_t size)
{
    return malloc(size);
}

void plugin_give_back(void *block)
{
    free(block);
}
