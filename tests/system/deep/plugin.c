/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plugin that obtains blocks and frees any, itself and through a library that is loaded with it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *plugin_obtain(size_t size);
void *plugin_grow(void *block, size_t size);
void *plugin_map(size_t size);
void plugin_give_back(void *block);

/* From the library that it needs. */
void *needed_obtain(size_t size);

void *plugin_obtain(size_t size)
{
    return size % 2 ? needed_obtain(size) : malloc(size);
}

void *plugin_grow(void *block, size_t size)
{
    return realloc(block, size);
}

void *plugin_map(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Through a pointer, which is another kind of slot. */
static void (*volatile give_back)(void *block) = free;

void plugin_give_back(void *block)
{
    if (strlen(block) > 1)
        give_back(block);
    else
        free(block);
}
