/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the analyzer calls and glibc 2.17 lacks, as system calls.  In packages for any Linux alone:
 * a kernel without the call says ENOSYS, as a newer glibc would.
 */
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <stdio.h>

int statx(int folder, const char *restrict path, int flags, unsigned int mask,
          struct statx *restrict found)
{
    return (int)syscall(SYS_statx, folder, path, flags, mask, found);
}

int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path,
              unsigned int flags)
{
    return (int)syscall(SYS_renameat2, old_folder, old_path, new_folder, new_path, flags);
}

int memfd_create(const char *name, unsigned int flags)
{
    return (int)syscall(SYS_memfd_create, name, flags);
}

ssize_t getrandom(void *bytes, size_t size, unsigned int flags)
{
    return syscall(SYS_getrandom, bytes, size, flags);
}
