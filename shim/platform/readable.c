/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rt_sigprocmask reads its argument before it looks at what to do with it:
 * bad memory is EFAULT, and good memory with a request that does not exist is
 * EINVAL, with nothing changed.  No descriptor, some 60 ns.
 *
 * mincore touches no page: it is ENOMEM where one is not mapped.
 */
#include "platform/readable.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/calls.h"

enum { NO_REQUEST = -1, MASK_BYTES = 8, PAGE = 4096, PAGES_AT_ONCE = 256 };

static bool is_readable(uintptr_t address)
{
    uintptr_t aligned = address & ~(uintptr_t)(MASK_BYTES - 1);

    return calls_system(SYS_rt_sigprocmask, NO_REQUEST, aligned, NULL, MASK_BYTES) == -1 &&
           errno == EINVAL;
}

bool readable(uintptr_t address, size_t size)
{
    int saved_errno = errno;
    bool all = is_readable(address);

    for (uintptr_t page = (address | (PAGE - 1)) + 1; all && page < address + size; page += PAGE)
        all = is_readable(page);
    errno = saved_errno;
    return all;
}

/* From the end downward, where a gap would be: much may be mapped below it. */
bool readable_is_mapped(uintptr_t start, uintptr_t end)
{
    unsigned char pages[PAGES_AT_ONCE];
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t low = start & -page_size;
    uintptr_t at = (end + page_size - 1) & -page_size;
    int saved_errno = errno;
    bool all = true;

    while (all && at > low) {
        uintptr_t most = page_size * PAGES_AT_ONCE;
        uintptr_t size = at - low < most ? at - low : most;

        at -= size;
        all = calls_system(SYS_mincore, at, size, pages) == 0;
    }
    errno = saved_errno;
    return all;
}
