/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * musl's calloc calls malloc by its name; memalign, posix_memalign and valloc call
 * aligned_alloc.  Both names lead to us, so a block would be recorded twice.
 *
 * Decision: doc/decisions/old-and-other-libcs.
 */
#include "platform/musl.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

#include "platform/link_list.h"
#include "platform/next.h"

enum { CLEARED_AT_ONCE = 4096 };

static bool is_clear(const char *bytes, size_t size)
{
    const uint64_t *words = (const void *)bytes;

    for (size_t i = 0; i < size / sizeof *words; i++)
        if (words[i] != 0)
            return false;
    return true;
}

/* Like musl: pages that read as zeros are not written, so a large block uses no memory. */
static void clear(char *block, size_t size)
{
    for (size_t at = 0; at < size; at += CLEARED_AT_ONCE) {
        size_t piece = size - at < CLEARED_AT_ONCE ? size - at : CLEARED_AT_ONCE;

        if (piece < CLEARED_AT_ONCE || !is_clear(block + at, piece))
            memset(block + at, 0, piece);
    }
}

static void *clear_malloc(size_t count, size_t size)
{
    size_t total;
    void *block;

    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    block = next.malloc(total);
    if (block)
        clear(block, total);
    return block;
}

static int give_aligned(void **block, size_t alignment, size_t size)
{
    int saved_errno = errno;
    int error = 0;
    void *given;

    if (alignment < sizeof(void *))
        return EINVAL;
    given = next.aligned_alloc(alignment, size);
    if (given)
        *block = given;
    else
        error = errno;
    errno = saved_errno;
    return error;
}

static void *give_page_aligned(size_t size)
{
    return next.aligned_alloc(getauxval(AT_PAGESZ), size);
}

void musl_replace(struct next *found)
{
    if (!link_list_is_musl())
        return;
    found->calloc = clear_malloc;
    found->memalign = found->aligned_alloc;
    found->posix_memalign = give_aligned;
    found->valloc = give_page_aligned;
}
