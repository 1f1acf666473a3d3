/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls of the shim's own, as in section 2 of the manual.
 *
 * libc's open, read, write and close are cancellation points: a thread that
 * was cancelled would end in the middle of a record, with our lock taken, at a
 * malloc that is none.  syscall() is not.  And libc has no stat of that name before
 * glibc 2.33, where the shim may be loaded too.
 */
#ifndef COLD_CALLS_H
#define COLD_CALLS_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static inline int calls_open(const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static inline void calls_close(int descriptor)
{
    syscall(SYS_close, descriptor);
}

static inline ssize_t calls_read(int descriptor, void *bytes, size_t size)
{
    return syscall(SYS_read, descriptor, bytes, size);
}

static inline ssize_t calls_write(int descriptor, const void *bytes, size_t size)
{
    return syscall(SYS_write, descriptor, bytes, size);
}

/* Returns: 0, or -1 with errno; so do the next two. */
static inline int calls_fstat(int descriptor, struct stat *status)
{
    return (int)syscall(SYS_fstat, descriptor, status);
}

static inline int calls_stat(const char *path, struct stat *status)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

static inline int calls_lstat(const char *path, struct stat *status)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

/* Returns: whether a write would neither wait nor fail. */
static inline bool calls_may_write(int descriptor)
{
    struct pollfd poll = {.fd = descriptor, .events = POLLOUT};
    struct timespec at_once = {0, 0};

    return syscall(SYS_ppoll, &poll, 1, &at_once, NULL, 0) == 1 && poll.revents == POLLOUT;
}

/* Block these signals in this thread and no others, those of libc included, as
 * one word.  Returns: those that were blocked before. */
static inline uint64_t calls_block_signals(uint64_t mask)
{
    uint64_t old = 0;

    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &old, sizeof mask);
    return old;
}

/* Returns: the blocked signals that wait for this thread or the process. */
static inline uint64_t calls_pending_signals(void)
{
    uint64_t pending = 0;

    syscall(SYS_rt_sigpending, &pending, sizeof pending);
    return pending;
}

/* Take away one of these signals, if one waits. */
static inline void calls_drop_signal(uint64_t mask)
{
    struct timespec at_once = {0, 0};

    syscall(SYS_rt_sigtimedwait, &mask, NULL, &at_once, sizeof mask);
}

static inline ssize_t calls_pread(int descriptor, void *bytes, size_t size, uint64_t offset)
{
    return syscall(SYS_pread64, descriptor, bytes, size, offset);
}

static inline ssize_t calls_pwrite(int descriptor, const void *bytes, size_t size, uint64_t offset)
{
    return syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

static inline ssize_t calls_pwritev(int descriptor, const struct iovec *pieces, int count,
                                    uint64_t offset)
{
    return syscall(SYS_pwritev, descriptor, pieces, count, offset, 0);
}

/* Have room for a part of a file.  Returns: 0, or -1 with errno. */
static inline int calls_fallocate(int descriptor, uint64_t offset, uint64_t size)
{
    return (int)syscall(SYS_fallocate, descriptor, 0, offset, size);
}

static inline void calls_nap(long ns)
{
    struct timespec span = {.tv_nsec = ns};

    syscall(SYS_nanosleep, &span, NULL);
}

#endif
