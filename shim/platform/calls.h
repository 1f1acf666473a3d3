/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls of the shim's own, as in section 2 of the manual.
 *
 * libc's open, read, write and close are cancellation points.  A cancelled thread would end in the
 * middle of a record, with the shim's lock taken, in a malloc that is no cancellation point.  glibc
 * before 2.33 has no function named stat, and the shim may be loaded there, too.
 *
 * Other preloaded libraries replace functions of libc: faketime returns another time, fakechroot
 * other paths, and torsocks refuses the numbers of syscall() that it does not know.  So the shim
 * calls the kernel directly.
 *
 * Decisions: doc/decisions/old-and-other-libcs, own-system-calls.
 */
#ifndef PLATFORM_CALLS_H
#define PLATFORM_CALLS_H

#include <errno.h>
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
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
static inline long calls_enter(long number, const long words[6])
{
    register long fourth __asm__("r10") = words[3];
    register long fifth __asm__("r8") = words[4];
    register long sixth __asm__("r9") = words[5];
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(fourth),
                       "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static inline long calls_enter(long number, const long words[6])
{
    register long which __asm__("x8") = number;
    register long result __asm__("x0") = words[0];
    register long second __asm__("x1") = words[1];
    register long third __asm__("x2") = words[2];
    register long fourth __asm__("x3") = words[3];
    register long fifth __asm__("x4") = words[4];
    register long sixth __asm__("x5") = words[5];

    __asm__ volatile("svc 0"
                     : "+r"(result)
                     : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return result;
}
#endif

static inline long calls_ask(long number, const long words[6])
{
    enum { LAST_ERROR = 4095 };
    long result = calls_enter(number, words);

    if (result >= 0 || result < -LAST_ERROR)
        return result;
    errno = (int)-result;
    return -1;
}

#define CALLS_WITH(ask, number, a, b, c, d, e, f, ...)                                             \
    ask(number,                                                                                    \
        (const long[6]){(long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f)})

/* As syscall(2): number, and up to six words. */
#define calls_system(...) CALLS_WITH(calls_ask, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

/* The same without errno, which a child of clone(2) may lack.  Returns: an error as -EFAULT. */
#define calls_quietly(...) CALLS_WITH(calls_enter, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

static inline int calls_open(const char *path, int flags, mode_t mode)
{
    return (int)calls_system(SYS_openat, AT_FDCWD, path, flags, mode);
}

static inline void calls_close(int descriptor)
{
    calls_system(SYS_close, descriptor);
}

static inline ssize_t calls_read(int descriptor, void *bytes, size_t size)
{
    return calls_system(SYS_read, descriptor, bytes, size);
}

static inline ssize_t calls_write(int descriptor, const void *bytes, size_t size)
{
    return calls_system(SYS_write, descriptor, bytes, size);
}

/* Returns: 0, or -1 with errno; so do the next three. */
static inline int calls_fstat(int descriptor, struct stat *status)
{
    return (int)calls_system(SYS_fstat, descriptor, status);
}

static inline int calls_stat(const char *path, struct stat *status)
{
    return (int)calls_system(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

static inline int calls_lstat(const char *path, struct stat *status)
{
    return (int)calls_system(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

static inline int calls_fstatfs(int descriptor, struct statfs *status)
{
    return (int)calls_system(SYS_fstatfs, descriptor, status);
}

/* Ask whether a write would neither wait nor fail. */
static inline bool calls_may_write(int descriptor)
{
    struct pollfd poll = {.fd = descriptor, .events = POLLOUT};
    struct timespec at_once = {0, 0};

    return calls_system(SYS_ppoll, &poll, 1, &at_once, NULL, 0) == 1 && poll.revents == POLLOUT;
}

/* Block these signals in this thread and no others, including those of libc, as one word.  Returns:
 * those that were blocked before. */
static inline uint64_t calls_block_signals(uint64_t mask)
{
    uint64_t old = 0;

    calls_system(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &old, sizeof mask);
    return old;
}

/* Returns: the blocked signals that wait for this thread or the process. */
static inline uint64_t calls_pending_signals(void)
{
    uint64_t pending = 0;

    calls_system(SYS_rt_sigpending, &pending, sizeof pending);
    return pending;
}

/* Consume one of these signals, if one is pending. */
static inline void calls_drop_signal(uint64_t mask)
{
    struct timespec at_once = {0, 0};

    calls_system(SYS_rt_sigtimedwait, &mask, NULL, &at_once, sizeof mask);
}

/* The process id, also where faketime returns another one to the program. */
static inline pid_t calls_getpid(void)
{
    return (pid_t)calls_system(SYS_getpid);
}

/* Read a clock of clock_gettime(2), in ns.  Returns: 0 when there is no such clock. */
static inline uint64_t calls_clock(clockid_t clock)
{
    struct timespec now;

    if (calls_system(SYS_clock_gettime, clock, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns: whether the directory has an absolute path that fits. */
static inline bool calls_getcwd(char *path, size_t size)
{
    return calls_system(SYS_getcwd, path, size) > 0 && path[0] == '/';
}

static inline ssize_t calls_readlink(const char *path, char *target, size_t size)
{
    return calls_system(SYS_readlinkat, AT_FDCWD, path, target, size);
}

/* Returns: 0, or -1 with errno; so do the next two. */
static inline int calls_link_open(const char *open, const char *path)
{
    return (int)calls_system(SYS_linkat, AT_FDCWD, open, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

static inline int calls_unlink(const char *path)
{
    return (int)calls_system(SYS_unlinkat, AT_FDCWD, path, 0);
}

static inline int calls_flock(int descriptor, int operation)
{
    return (int)calls_system(SYS_flock, descriptor, operation);
}

static inline ssize_t calls_pread(int descriptor, void *bytes, size_t size, uint64_t offset)
{
    return calls_system(SYS_pread64, descriptor, bytes, size, offset);
}

static inline ssize_t calls_pwrite(int descriptor, const void *bytes, size_t size, uint64_t offset)
{
    return calls_system(SYS_pwrite64, descriptor, bytes, size, offset);
}

static inline ssize_t calls_pwritev(int descriptor, const struct iovec *pieces, int count,
                                    uint64_t offset)
{
    return calls_system(SYS_pwritev, descriptor, pieces, count, offset, 0);
}

/* Reserve room for a part of a file.  Returns: 0, or -1 with errno. */
static inline int calls_fallocate(int descriptor, uint64_t offset, uint64_t size)
{
    return (int)calls_system(SYS_fallocate, descriptor, 0, offset, size);
}

static inline void calls_nap(long ns)
{
    struct timespec span = {.tv_nsec = ns};

    calls_system(SYS_nanosleep, &span, NULL);
}

#endif
