/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An mremap that lets its caller do something after the memory has moved and before it returns: the
 * actions of another thread at that moment.
 */
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

void (*remap_meanwhile)(void);

void *mremap(void *old, size_t old_length, size_t length, int flags, ...)
{
    va_list more;
    long moved;

    va_start(more, flags);
    moved = syscall(SYS_mremap, old, old_length, length, flags, va_arg(more, void *));
    va_end(more);
    if (moved != -1 && remap_meanwhile)
        remap_meanwhile();
    return (void *)moved;
}
