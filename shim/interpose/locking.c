/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mlockall and munlockall, exported: a program locks its own memory, and its limit (RLIMIT_MEMLOCK)
 * is only for that.  The shim's memory is unlocked again.
 *
 * Linux compares the limit with all mapped memory, locked or not.  If only the program's own memory
 * is within the limit, its mappings are locked one by one, which counts only these.
 * Source: mlockall(2); mm/mlock.c of Linux.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "platform/aside.h"
#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/memory.h"
#include "platform/next.h"
#include "platform/small_file.h"
#include "spec/decimal.h"

enum { ON_FAULT = 1 /* MLOCK_ONFAULT of mlock2(2) */ };

extern const char __ehdr_start[] HIDDEN, _end[] HIDDEN;

/* The memory of this library. */
static struct memory_piece library(void)
{
    return (struct memory_piece){(uintptr_t)__ehdr_start, (size_t)(_end - __ehdr_start)};
}

/* Units: bytes.  Returns: UINT64_MAX when it is unknown. */
static uint64_t size_of_program(void)
{
    char text[64];
    uint64_t pages;

    if (small_file_read("/proc/self/statm", text, sizeof text) <= 0 || !decimal_read(text, &pages))
        return UINT64_MAX;
    return pages * (uint64_t)sysconf(_SC_PAGESIZE) - memory_size() - library().size;
}

static bool is_within_limit(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && size_of_program() <= limit.rlim_cur;
}

static bool is_ours(uintptr_t start)
{
    return memory_find(start, 1).size != 0 || start - library().start < library().size;
}

static const char *read_address(const char *text, uintptr_t *address)
{
    enum { BASE = 16, TEN = 10 };

    for (*address = 0;; text++) {
        bool is_digit = *text >= '0' && *text <= '9';

        if (!is_digit && !(*text >= 'a' && *text <= 'f'))
            return text;
        *address = *address * BASE + (uintptr_t)(is_digit ? *text - '0' : *text - 'a' + TEN);
    }
}

/* "START-END PERMISSIONS ...".  As in mlockall, memory that cannot become resident is no error. */
static void lock_mapping(const char *line, int flags)
{
    uintptr_t start, end;

    read_address(read_address(line, &start) + 1, &end);
    if (end > start && !is_ours(start))
        calls_system(SYS_mlock2, start, end - start, flags & MCL_ONFAULT ? ON_FAULT : 0);
}

/* Lock the mappings of the lines that are whole.  Returns: the bytes of the last, which is not. */
static size_t lock_lines(char *text, size_t used, int flags)
{
    char *line = text, *end;

    while ((end = memchr(line, '\n', (size_t)(text + used - line))) != NULL) {
        lock_mapping(line, flags);
        line = end + 1;
    }
    used -= (size_t)(line - text);
    memmove(text, line, used);
    return used;
}

static REALIGNED void lock_mappings(void *of)
{
    const int *flags = of;
    int maps = calls_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    char text[4096];
    size_t used = 0;
    ssize_t got;

    if (maps < 0)
        return;
    while ((got = calls_read(maps, text + used, sizeof text - used)) > 0)
        used = lock_lines(text, used + (size_t)got, *flags);
    calls_close(maps);
}

/* Later mappings are locked without a look at the present ones. */
static int lock_one_by_one(int flags)
{
    if (next.munlockall() != 0)
        return -1;
    aside_run(lock_mappings, &flags);
    return flags & MCL_FUTURE ? next.mlockall(flags & ~MCL_CURRENT) : 0;
}

static void leave_ours_out(int flags)
{
    memory_unlock((flags & MCL_FUTURE) != 0);
    calls_system(SYS_munlock, library().start, library().size);
}

EXPORT int mlockall(int flags)
{
    int result = next.mlockall(flags);
    int saved_errno = errno;

    if (result != 0 && errno == ENOMEM && (flags & MCL_CURRENT) && is_within_limit()) {
        result = lock_one_by_one(flags);
        saved_errno = result == 0 ? saved_errno : errno;
    }
    if (result == 0)
        leave_ours_out(flags);
    errno = saved_errno;
    return result;
}

EXPORT int munlockall(void)
{
    int result = next.munlockall();

    if (result == 0)
        memory_unlock(false);
    return result;
}
